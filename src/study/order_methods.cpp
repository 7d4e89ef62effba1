#include "study/order_methods.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace daedalus::study {

namespace {

using tableau::ButcherProperties;
using tableau::ButcherTableau;
using tableau::Family;
using tableau::MultistepMethod;

Prediction inapplicable(std::string note) {
    Prediction p;
    p.applicable = false;
    p.note = std::move(note);
    return p;
}

Prediction exactly(int order, std::string theorem, std::string note = {}) {
    return {true, order, false, std::nullopt, std::move(theorem), std::move(note)};
}

Prediction at_least(int order, std::string theorem, std::optional<int> sharp = std::nullopt) {
    return {true, order, true, sharp, std::move(theorem), {}};
}

Prediction open(std::string note) { return {true, std::nullopt, false, std::nullopt, {}, std::move(note)}; }

Prediction predict_multistep(const MultistepMethod& m, const OrderClass& c, const ComponentGroup& group) {
    if (c.variant == Variant::projected) return inapplicable("projection is for Runge–Kutta methods");
    const long double radius = tableau::spectral_radius_at_infinity(m);
    switch (c.kind) {
    case ClassKind::ode: return exactly(m.order, "Dahlquist 1956");
    case ClassKind::index_1:
        if (m.one_leg) {
            if (c.variant == Variant::indirect) return inapplicable("a one-leg method has the direct form only");
            return exactly(m.order, "W 2.2 (one-leg)");
        }
        if (c.variant == Variant::indirect) return exactly(m.order, "W Thm 2.3 with (2.7)");
        if (!m.implicit()) return inapplicable("explicit: infinity is not in its stability region");
        if (radius >= 1) return inapplicable("unstable at infinity");
        return exactly(m.order, "W Thm 2.3");
    case ClassKind::implicit_index_1:
        if (m.bdf) return exactly(m.order, "W Thm 2.4");
        return m.implicit() ? open("theorems are for BDF") : inapplicable("explicit");
    case ClassKind::index_2:
        if (m.bdf) return exactly(m.order, "W Thm 2.5");
        if (!m.implicit()) return inapplicable("explicit");
        if (m.one_leg) return open("Thm 2.6 is for the linear multistep form");
        if (radius >= 1) return inapplicable("not strictly stable at infinity");
        return exactly(m.order, "W Thm 2.6");
    case ClassKind::index_3:
        if (m.bdf) return exactly(m.order, "W Thm 2.7", "order k, as Brenan and Engquist prove; W prints k + 1");
        return inapplicable("theorems are for BDF");
    case ClassKind::linear:
        if (m.bdf && group.index == 1) return exactly(exact_order, "W Thm 2.1", "no derivative enters");
        if (m.bdf) return exactly(m.order, "W Thm 2.1");
        return inapplicable("theorems are for BDF");
    }
    return {};
}

/// Orders that are attained on nonlinear problems of index 2 and 3, where W states bounds: Hairer, Lubich & Roche
/// (1989), tables 2.1–2.3 and HW table VII.4.1. {x, y} and {x, y, z}.
std::optional<int> sharp_order(const ButcherTableau& m, ClassKind kind, std::size_t component) {
    const int s = m.stages;
    const auto is = [&](const char* family) { return m.id.starts_with(family); };
    std::vector<int> index_2, index_3;
    if (is("gauss")) index_2 = s % 2 == 1 ? std::vector{s + 1, s - 1} : std::vector{s, s - 2};
    if (is("radau1a")) index_2 = {s, s - 1};
    if (is("radau2a")) index_2 = {2 * s - 1, s}, index_3 = {2 * s - 1, s, s - 1};
    if (is("lobatto3a")) index_2 = s % 2 == 1 ? std::vector{2 * s - 2, s - 1} : std::vector{2 * s - 2, s};
    if (is("lobatto3c")) index_2 = {2 * s - 2, s - 1};
    const std::vector<int>& orders = kind == ClassKind::index_2 ? index_2 : index_3;
    if (component >= orders.size()) return std::nullopt;
    return orders[component];
}

Prediction predict_index_1(const ButcherTableau& m, const ButcherProperties& p, const OrderClass& c, bool algebraic) {
    if (c.variant == Variant::indirect) return exactly(m.order, "W 3.1, (3.7)");
    if (!p.invertible && !(p.explicit_first_stage && p.stiffly_accurate))
        return inapplicable("A is singular: the direct form determines no y");
    if (!algebraic) return exactly(m.order, "W 3.1");
    if (p.stiffly_accurate) return exactly(m.order, "W Thm 3.2 a");
    const long double R = *p.R_infinity;
    if (R > 1 - 1e-9L && R < 1 + 1e-9L) return exactly(std::min(m.order - 1, p.C), "W Thm 3.2 c");
    return exactly(std::min(m.order, p.C + 1), "W Thm 3.2 b");
}

Prediction predict_implicit_index_1(const ButcherProperties& p) {
    if (!p.invertible) return p.explicit_first_stage ? open("A is singular") : inapplicable("A is singular");
    const long double R = *p.R_infinity;
    const int q = std::min(p.C, p.B);
    const bool one = std::abs(R - 1) < 1e-9L;
    const bool gains = p.B >= q + 1 && (one ? p.algebraic_order[0] >= q + 1 : R >= -1 - 1e-9L && R < 1);
    return at_least(gains ? q + 1 : q, "W Thm 3.3");
}

Prediction predict_index_2(const ButcherTableau& m, const ButcherProperties& p, const OrderClass& c,
                           std::size_t component) {
    if (c.variant == Variant::projected) {
        if (!p.invertible) return inapplicable("A is singular");
        // Superconvergence at the mesh points is proved for collocation; y follows x through the hidden constraint.
        if (p.C == m.stages) return exactly(m.order, "W (3.21)");
        return at_least(std::min(m.order, p.C + 1), "W (3.21), (3.15)");
    }
    const std::optional<int> sharp = sharp_order(m, c.kind, component);
    if (!p.invertible) {
        if (!p.explicit_first_stage || !p.stiffly_accurate) return inapplicable("A is singular");
        return exactly(*sharp, "HW Table VII.4.1");
    }
    if (std::abs(*p.R_infinity) > 1 - 1e-9L) {
        if (!sharp || *sharp < 1) return open("|R(∞)| = 1: no convergence is promised");
        return exactly(*sharp, "HW Table VII.4.1");
    }
    if (component == 0)
        return at_least(p.stiffly_accurate ? std::min(m.order, p.C + 1) : std::min(p.B, p.C + 1), "W Thm 3.4", sharp);
    return at_least(p.C, "W Thm 3.5", sharp);
}

Prediction predict_index_3(const ButcherTableau& m, const ButcherProperties& p, std::size_t component) {
    if (!p.invertible) return inapplicable("A is singular");
    if (std::abs(*p.R_infinity) > 1 - 1e-9L) return inapplicable("|R(∞)| = 1");
    if (p.C < 2 || p.B < p.C + 1) return open("Thm 3.6 asks for B(q+1), C(q) with q ≥ 2");
    return at_least(component == 2 ? p.C - 1 : p.C, "W Thm 3.6", sharp_order(m, ClassKind::index_3, component));
}

Prediction predict_linear(const ButcherTableau& m, const ButcherProperties& p, const ComponentGroup& group) {
    if (group.index == 0) return exactly(m.order, "W Thm 3.1");
    if (!p.invertible) return inapplicable("A is singular");
    if (std::abs(*p.R_infinity) > 1 - 1e-9L) return open("Thm 3.1 asks for |R(∞)| < 1");
    // k_ν for the variable of index j: its own quadrature error and those handed up the chain.
    int order = exact_order;
    for (int i = 1; i <= group.index; ++i)
        order = std::min(order, p.algebraic_order[static_cast<std::size_t>(i - 1)] - group.index + 2);
    if (p.stiffly_accurate && group.index == 1) return exactly(exact_order, "W Thm 3.1", "b^T A^{-1} = e_s^T");
    // Errors of neighbouring steps can cancel (implicit Euler is BDF 1): a bound.
    return at_least(order, "W Thm 3.1");
}

Prediction predict_runge_kutta(const ButcherTableau& m, const OrderClass& c, const ComponentGroup& group) {
    const ButcherProperties p = tableau::properties(m);
    std::size_t component = 0;
    while (c.problem.groups[component].name != group.name) ++component;
    switch (c.kind) {
    case ClassKind::ode: return exactly(m.order, "Butcher 1964");
    case ClassKind::index_1: return predict_index_1(m, p, c, group.index > 0);
    case ClassKind::implicit_index_1: return predict_implicit_index_1(p);
    case ClassKind::index_2: return predict_index_2(m, p, c, component);
    case ClassKind::index_3: return predict_index_3(m, p, component);
    case ClassKind::linear: return predict_linear(m, p, group);
    }
    return {};
}

} // namespace

const std::vector<OrderMethod>& order_methods() {
    static const std::vector<OrderMethod> methods = [] {
        std::vector<OrderMethod> all;
        for (int k = 1; k <= 6; ++k) all.push_back({tableau::make_bdf(k)});
        all.push_back({tableau::make_adams(2, false)});
        all.push_back({tableau::make_adams(2, true)});
        // β_0 chosen so that σ has its zeros well inside the unit circle.
        MultistepMethod damped = tableau::make_damped_adams(2, 0.75L);
        all.push_back({damped});
        all.push_back({tableau::make_damped_adams(3, 0.5L)});
        damped.id = "oneleg2";
        damped.title = "one-leg twin of damped Adams 2";
        damped.one_leg = true;
        all.push_back({damped});
        for (const auto& [family, first, last] : {std::tuple{Family::gauss, 1, 3},
                                                  {Family::radau_ia, 1, 3},
                                                  {Family::radau_iia, 1, 3},
                                                  {Family::lobatto_iiia, 2, 4},
                                                  {Family::lobatto_iiib, 2, 3},
                                                  {Family::lobatto_iiic, 2, 4}})
            for (int s = first; s <= last; ++s) all.push_back({tableau::make_family(family, s)});
        for (const ButcherTableau& m : tableau::diagonally_implicit_tableaus()) all.push_back({m});
        return all;
    }();
    return methods;
}

std::optional<OrderMethod> find_order_method(const std::string& id) {
    for (const OrderMethod& method : order_methods())
        if (method.id() == id) return method;
    // Steppers of their own for tableaus of the families.
    const std::pair<const char*, int> radau[] = {{"radau1", 1}, {"radau5", 3}, {"radau9", 5}, {"radau13", 7}};
    for (const auto& [name, stages] : radau)
        if (id == name) return OrderMethod{tableau::make_family(Family::radau_iia, stages)};
    for (const Family family : {Family::gauss, Family::radau_ia, Family::radau_iia, Family::lobatto_iiia,
                                Family::lobatto_iiib, Family::lobatto_iiic})
        for (int s = 2; s <= 8; ++s)
            if (ButcherTableau m = tableau::make_family(family, s); m.id == id) return OrderMethod{std::move(m)};
    for (int k = 1; k <= 5; ++k)
        for (const bool implicit : {true, false})
            if (MultistepMethod m = tableau::make_adams(k, implicit); m.id == id) return OrderMethod{std::move(m)};
    return std::nullopt;
}

Prediction predict(const OrderMethod& method, const OrderClass& problem_class, const ComponentGroup& group) {
    if (const auto* m = std::get_if<MultistepMethod>(&method.method))
        return predict_multistep(*m, problem_class, group);
    return predict_runge_kutta(std::get<ButcherTableau>(method.method), problem_class, group);
}

} // namespace daedalus::study
