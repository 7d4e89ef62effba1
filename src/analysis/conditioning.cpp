#include "analysis/conditioning.hpp"

#include "analysis/pencil_scaling.hpp"
#include "analysis/stability_constants.hpp"
#include "linalg/singular_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus::analysis {

namespace {

using linalg::Matrix;

double norm_2(const Matrix& a) {
    const auto s = linalg::singular_values_only(a);
    return s.values.empty() ? 0.0 : s.values.front();
}

double smallest(const Matrix& a) {
    const auto s = linalg::singular_values_only(a);
    return s.values.empty() ? 1.0 : s.values.back();
}

double condition(const Matrix& a) {
    const auto s = linalg::singular_values_only(a);
    return s.values.empty() || s.values.back() == 0 ? INFINITY : s.values.front() / s.values.back();
}

void find_constants(std::span<const LinearisedPoint> along, int index, Conditioning& out) {
    StabilityConstants c = stability_constants(along, index);
    out.kappa1 = c.kappa1;
    out.kappa2 = c.kappa2;
    out.reason = std::move(c.reason);
    if (c.kappa1 && c.kappa2 && index == 1) out.near_index_2 = near_index_2(along, *c.kappa1, *c.kappa2);
    if (index == 2) out.near_index_3 = near_index_3(along);
}

// E + h H over decades of h below the time scale ‖E‖/‖H‖ of the system itself.
void find_iteration(const LinearisedPoint& p, Conditioning& out) {
    const double scale = norm_2(p.e) / std::max(norm_2(p.h), 1e-300);
    if (!(scale > 0) || !std::isfinite(scale)) return;
    double last = 0.0;
    for (int k = 0; k <= 12; ++k) {
        IterationSample s;
        s.h = scale * std::pow(10.0, -0.5 * k);
        s.condition = condition(p.e + s.h * p.h);
        if (s.condition > 1e15) break; // rounding takes over
        if (k > 0) s.power = 2.0 * std::log10(s.condition / last);
        last = s.condition;
        out.iteration.push_back(s);
    }
    if (out.iteration.size() >= 4) {
        double sum = 0.0;
        for (std::size_t k = out.iteration.size() - 3; k < out.iteration.size(); ++k) sum += out.iteration[k].power;
        out.observed_power = sum / 3.0;
    }
}

} // namespace

namespace {

/// Equations and unknowns in units of their size: what is small must not be so by its unit.
LinearisedPoint balanced(const LinearisedPoint& p) {
    ScaledPencil s = scale_rows_and_columns(p.e, p.h);
    return {p.t, std::move(s.e), std::move(s.h)};
}

} // namespace

Conditioning conditioning(std::span<const LinearisedPoint> along, int index) {
    Conditioning out;
    out.predicted_power = index;
    if (along.empty()) {
        out.reason = "not computed: there is no solution to linearise along";
        return out;
    }
    find_iteration(along.front(), out);
    const auto first = semi_explicit(balanced(along.front()));
    if (first)
        for (int k = -15; k <= -1; ++k)
            out.at_noise.push_back({std::pow(10.0, k), effective_index_at_noise(*first, std::pow(10.0, k))});
    if (index > 2)
        out.reason = "not computed: κ₁ and κ₂ are defined for index 1 and 2";
    else if (along.size() < 3)
        out.reason = "not computed: too few points of the solution";
    else
        find_constants(along, index, out);
    if (!first || first->d.empty()) return out;
    out.smallest_d = out.smallest_cb = INFINITY;
    for (const LinearisedPoint& p : along)
        if (const auto s = semi_explicit(balanced(p))) {
            const double product = norm_2(s->c) * norm_2(s->b);
            out.smallest_d = std::min(out.smallest_d, smallest(s->d) / std::max(norm_2(s->d) + product, 1e-300));
            out.smallest_cb = std::min(out.smallest_cb, smallest(s->c * s->b) / std::max(product, 1e-300));
        }
    constexpr double nearly = 1e-3;
    SingularDirection worst;
    for (const LinearisedPoint& p : along)
        if (const auto s = semi_explicit(balanced(p)))
            if (SingularDirection z = singular_direction(*s); z.distance < worst.distance) worst = std::move(z);
    out.distance_to_singular = worst.distance;
    out.singular_combination = std::move(worst.combination);
    // Units can make it small without harm: the stability constants tell, where they are defined.
    const double distance = std::max(out.distance_to_singular, 1e-300);
    out.nearly_singular = out.kappa1 && out.kappa2 ? std::max(*out.kappa1, *out.kappa2) > 0.03 / distance
                                                   : out.distance_to_singular < 1e-10;
    out.nearly_singular = out.nearly_singular && out.distance_to_singular < 0.1 * nearly;
    if (out.nearly_singular) {
        out.advice =
            fmt::format("nearly a singular pencil (MW Thm 9.2): a combination of the constraints depends on the "
                        "algebraic variables, directly or through any number of differentiations, by a share of "
                        "{:.1g} only. Errors grow by the inverse of that, and no stabilisation helps: look for "
                        "an equation that is missing or stated twice",
                        out.distance_to_singular);
        return out;
    }
    if (index == 1 && out.smallest_d < nearly && out.smallest_cb > 10 * out.smallest_d)
        out.advice =
            fmt::format("index 1, but nearly index 2: D is singular up to {:.1g}. Steps larger than that feel index 2, "
                        "and errors of "
                        "the algebraic variables grow as 1/h; one more multiplier per constraint stabilises the system "
                        "(MW (8.2)): daedalus derive --stabilized writes it",
                        out.smallest_d);
    return out;
}

int effective_index(const LinearisedPoint& p, double h) {
    const double q = std::sqrt(10.0);
    const double ratio = condition(p.e + (h / q) * p.h) / condition(p.e + (h * q) * p.h);
    return static_cast<int>(std::lround(std::log10(ratio)));
}

} // namespace daedalus::analysis
