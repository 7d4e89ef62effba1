#include "integrate/methods/coefficient_methods.hpp"

#include "integrate/methods/implicit_runge_kutta.hpp"
#include "integrate/methods/index_limits.hpp"
#include "integrate/methods/multistep.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>

namespace daedalus::integrate {

namespace {

using tableau::Family;

struct FamilyRow {
    Family family;
    const char* id; ///< as in the tableau's
    const char* title;
    int fewest, most; ///< stages
    int order_less;   ///< than 2s
    const char* meaning;
};
constexpr FamilyRow families[] = {
    {Family::gauss, "gauss", "Gauss", 1, 8, 0, "symplectic, A-stable; long conservative motions"},
    {Family::radau_ia, "radau1a", "Radau IA", 1, 6, 1, "L-stable; experiments"},
    {Family::radau_iia, "radau2a", "Radau IIA", 1, 8, 1, "L-stable, stiffly accurate; radau5, radau9, … are faster"},
    {Family::lobatto_iiia, "lobatto3a", "Lobatto IIIA", 2, 6, 2,
     "A-stable, stiffly accurate; 2 stages: trapezoidal rule"},
    {Family::lobatto_iiib, "lobatto3b", "Lobatto IIIB", 2, 6, 2, "A-stable; experiments"},
    {Family::lobatto_iiic, "lobatto3c", "Lobatto IIIC", 2, 6, 2, "L-stable, stiffly accurate"},
};

/// Tableaus are computed when a method is first used, and stay.
const ImplicitMethod& known(const std::string& id, const std::function<tableau::ButcherTableau()>& make) {
    static std::mutex mutex;
    static std::map<std::string, ImplicitMethod> all; // nodes of a map do not move
    const std::lock_guard lock(mutex);
    auto at = all.find(id);
    if (at == all.end()) {
        ImplicitMethod method{make(), {}};
        method.form = tableau::make_stage_form(method.tableau);
        at = all.emplace(id, std::move(method)).first;
    }
    return at->second;
}

Method implicit_method(std::string id, std::string description, int index_limit,
                       const std::function<tableau::ButcherTableau()>& tableau) {
    Method method;
    method.name = id;
    method.description = std::move(description);
    method.make = [id = std::move(id), tableau](const problem::ImplicitProblem& problem,
                                                const IntegrationOptions& options) {
        return make_implicit_runge_kutta(problem, options, known(id, tableau));
    };
    method.index_limit = index_limit;
    method.can.end_variants = true;
    return method;
}

std::string indices(int limit) { return limit == 1 ? "index 1" : fmt::format("index 1 to {}", limit); }

void add_families(std::vector<Method>& methods) {
    for (const FamilyRow& row : families)
        for (int s = row.fewest; s <= row.most; ++s) {
            const int limit = index_limit_of(row.family, s);
            methods.push_back(
                implicit_method(fmt::format("{}-{}", row.id, s),
                                fmt::format("{}, {} stage{}, order {}: {}, {}", row.title, s, s == 1 ? "" : "s",
                                            2 * s - row.order_less, indices(limit), row.meaning),
                                limit, [family = row.family, s] { return tableau::make_family(family, s); }));
            methods.back().can.differences_quantity = row.family == Family::radau_iia ||
                                                      row.family == Family::lobatto_iiia ||
                                                      row.family == Family::lobatto_iiic;
            // The one stage lies at the beginning of the step, where the estimate has its other point.
            if (row.family == Family::radau_ia && s == 1) methods.back().can.constant_steps_only = true;
        }
}

void add_diagonally_implicit(std::vector<Method>& methods) {
    for (const tableau::ButcherTableau& t : tableau::diagonally_implicit_tableaus()) {
        methods.push_back(implicit_method(
            t.id, fmt::format("{}, {} stages, order {}: {}", t.title, t.stages, t.order, indices(index_limit_of_dirk)),
            index_limit_of_dirk, [&t] { return t; }));
        methods.back().can.differences_quantity = tableau::properties(t).stiffly_accurate;
    }
}

/// The multistep methods of the papers; the list lives as long as the program.
const std::vector<tableau::MultistepMethod>& multistep_methods() {
    static const std::vector<tableau::MultistepMethod> all = [] {
        std::vector<tableau::MultistepMethod> list;
        for (int k = 1; k <= 6; ++k) list.push_back(tableau::make_bdf(k));
        for (int k = 1; k <= 5; ++k) list.push_back(tableau::make_adams(k, true));
        for (int k = 1; k <= 5; ++k) list.push_back(tableau::make_adams(k, false));
        // β_0 chosen so that σ has its zeros well inside the unit circle.
        tableau::MultistepMethod damped = tableau::make_damped_adams(2, 0.75L);
        list.push_back(damped);
        list.push_back(tableau::make_damped_adams(3, 0.5L));
        damped.id = "oneleg2";
        damped.title = "one-leg twin of damped Adams 2";
        damped.one_leg = true;
        list.push_back(damped);
        return list;
    }();
    return all;
}

void add_multistep(std::vector<Method>& methods) {
    for (const tableau::MultistepMethod& m : multistep_methods()) {
        Method method;
        method.name = m.id;
        method.index_limit = index_limit_of(m);
        method.description =
            fmt::format("{}, order {}: {}, constant steps only", m.title, m.order, indices(method.index_limit));
        method.make = [&m](const problem::ImplicitProblem& problem, const IntegrationOptions& options) {
            return make_multistep(problem, options, m);
        };
        method.can.multistep = true;
        method.can.constant_steps_only = true;
        if (m.bdf) method.can.start_ups = m.steps();
        methods.push_back(std::move(method));
    }
}

} // namespace

std::vector<Method> coefficient_methods() {
    std::vector<Method> methods;
    add_families(methods);
    add_diagonally_implicit(methods);
    add_multistep(methods);
    return methods;
}

} // namespace daedalus::integrate
