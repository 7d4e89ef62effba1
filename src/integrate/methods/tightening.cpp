#include "integrate/methods/tightening.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

// Constants. "Sum": so chosen that errors stay within ten tolerances on problems that oscillate, which those of
// tests/integrate/accuracy_test.cpp and tests/facade/robustness_test.cpp (random ones, every method) watch.
namespace {

// BDF. Sum: at order 5 it costs about twice the steps (DASSL controls the plain local error and is off by the factor).
// Orders: the error at the end is some tol^(k/(k+1)) with k up to 5, hence a power near 1/(k+1) of the higher ones.
constexpr double bdf_sum = 0.016, bdf_power = 0.1;
constexpr int bdf_low_order = 2;
// Index: unknowns of index 2 and 3 integrated directly; no power, for round-off limits their errors sooner.
constexpr double bdf_index_2 = 0.01, bdf_index_3 = 0.002;

// Radau IIA. Orders: the estimate behaves as h^(S+1), the error as h^(2S-1): (S+1)/(2S-1) = 0.8 for S = 3. (RADAU5 has
// 0.1 tol^(2/3), which lets the ratio of error to tolerance grow as tol^(-1/6).) For more stages the same, which leaves
// their errors below the tolerance. One stage, the implicit Euler method, has (S+1)/(2S-1) = 2: steps of size tol.
constexpr double radau_sum = 0.1, radau_power = -0.2;
constexpr double euler_sum = 0.3, euler_power = 1.0;
// Noise: of one or two stages a few roundings; of index 3 more (at 1e-12 the multiplier of NC 5.1 was noise, at 1e-11
// it was not).
constexpr double radau_noise = 1e-13, few_stages_noise = 1e-15, higher_index_noise = 1e-11;

// Other implicit methods as Radau; ESDIRK and Rosenbrock methods, whose estimates behave as their errors: sum.
constexpr double runge_kutta_sum = 0.1, least_power_plus_1 = 0.8;
constexpr double esdirk_sum = 0.02, esdirk5_sum = 0.1;
constexpr double rosenbrock_sum = 0.1, rosenbrock5_sum = 0.3;
constexpr double midpoint_sum = 0.2;
// Generalised-α: local errors h³ for an error h².
constexpr double alpha_sum = 0.1, alpha_power = 0.5;

// Extrapolation. Noise: the table amplifies round-off some thousandfold, up to 1e-12 or so; estimates of 1e-11 are
// safe.
constexpr double extrapolation_sum = 0.1, extrapolation_noise = 1e-11;

// Explicit methods. Sum: a pendulum that turns over 22 times, in its angle; in Cartesian coordinates errors of the
// energy add up too.
constexpr double explicit_sum = 0.03, explicit_sum_on_constraints = 0.01;

} // namespace

double Tightening::factor(double tolerance) const {
    if (!(tolerance > 0.0)) return 1.0;
    const double wanted = constant * std::pow(tolerance, power);
    if (smallest == 0.0) return wanted;
    return std::max(std::min(tolerance, smallest), constant * std::pow(tolerance, 1.0 + power)) / tolerance;
}

Tolerance tightened(Tolerance tolerance, const Tightening& by, const problem::ImplicitProblem& problem) {
    const auto& unknowns = problem.unknowns();
    if (by.differential_only && tolerance.absolute_each.empty())
        for (const problem::UnknownInfo& info : unknowns)
            tolerance.absolute_each.push_back(tolerance.absolute * std::abs(info.nominal));
    if (by.differential_only && tolerance.relative_each.empty())
        tolerance.relative_each.assign(unknowns.size(), tolerance.relative);
    const auto adds_up = [&](std::size_t i) { return !by.differential_only || unknowns[i].differential; };
    for (std::size_t i = 0; i < tolerance.absolute_each.size(); ++i) {
        const double rtol = tolerance.relative_each.empty() ? tolerance.relative : tolerance.relative_each[i];
        if (adds_up(i)) tolerance.absolute_each[i] *= by.factor(rtol > 0.0 ? rtol : tolerance.absolute_each[i]);
    }
    for (std::size_t i = 0; i < tolerance.relative_each.size(); ++i)
        if (adds_up(i)) tolerance.relative_each[i] *= by.factor(tolerance.relative_each[i]);
    const double common = by.common_factor(tolerance);
    tolerance.relative *= common;
    tolerance.absolute *= common;
    return tolerance;
}

Tolerance tightened(Tolerance tolerance, double factor) {
    tolerance.relative *= factor;
    tolerance.absolute *= factor;
    for (double& r : tolerance.relative_each) r *= factor;
    for (double& a : tolerance.absolute_each) a *= factor;
    return tolerance;
}

Tightening tightening_of_bdf(int highest_index, int max_order) {
    // Multipliers have the order k - 1 (W 2.1), the estimate behaves as h^(k+1); a constant that is less than
    // bdf_index_3 below tolerances of 0.01. Order 2 would need the third power, which is noise.
    if (highest_index >= 3 && max_order == 3) return {.constant = 0.2, .power = 1.0, .smallest = higher_index_noise};
    if (highest_index >= 3) return {.constant = bdf_index_3};
    if (highest_index == 2) return {.constant = bdf_index_2};
    // Where the user keeps the order k low, all steps have it: (k + 1)/k - 1.
    if (max_order <= bdf_low_order)
        return {.constant = max_order == 1 ? euler_sum : runge_kutta_sum,
                .power = 1.0 / max_order,
                .smallest = few_stages_noise};
    return {.constant = bdf_sum, .power = bdf_power};
}

Tightening tightening_of_radau(int stages) {
    if (stages == 1)
        return {.constant = euler_sum, .power = euler_power, .smallest = few_stages_noise, .differential_only = true};
    return {.constant = radau_sum, .power = radau_power, .smallest = radau_noise};
}

Tightening tightening_of_implicit_runge_kutta(int highest_index, int estimate, int stage_order, int order) {
    // Slopes of stages are right to h^(C + 1) only, so that the estimate is h^q with q = min(m, C + 1) + 1 for m
    // slopes: more than the error of methods of order 1 and 2, by q/p = 2 and 3/2.
    const double q = std::min(estimate, stage_order + 1) + 1.0;
    const double most = std::max(1.0, q / order);
    // Where unknowns have a higher index, orders are near those of the stages, and nothing is given away.
    const double least = highest_index > 1 ? 1.0 : least_power_plus_1;
    return {.constant = order == 1 ? euler_sum : runge_kutta_sum,
            .power = std::clamp((estimate + 1.0) / order, least, most) - 1.0,
            .smallest = most > 1.0 ? few_stages_noise : 0.0};
}

Tightening tightening_of_esdirk(int order) { return {.constant = order <= 4 ? esdirk_sum : esdirk5_sum}; }
Tightening tightening_of_explicit(const problem::ImplicitProblem& problem) {
    const bool constrained = problem.linear_leading() && !problem.state_choice().blocks.empty();
    return {.constant = constrained ? explicit_sum_on_constraints : explicit_sum};
}
Tightening tightening_of_midpoint() { return {.constant = midpoint_sum}; }
Tightening tightening_of_generalized_alpha() {
    return {.constant = alpha_sum, .power = alpha_power, .smallest = few_stages_noise};
}
Tightening tightening_of_rosenbrock(int order) { return {.constant = order <= 4 ? rosenbrock_sum : rosenbrock5_sum}; }

Tightening tightening_of_extrapolation(const Tolerance& tolerance) {
    if (!(tolerance.relative > 0.0)) return {.constant = extrapolation_sum};
    return {.constant = std::clamp(extrapolation_noise / tolerance.relative, extrapolation_sum, 1.0)};
}

} // namespace daedalus::integrate
