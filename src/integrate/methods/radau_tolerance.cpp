#include "integrate/methods/radau_tolerance.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

Tolerance tolerance_of_estimate(Tolerance tolerance, int stages, const problem::ImplicitProblem& problem) {
    const double exponent = stages == 1 ? 2.0 : 0.8;
    const double constant = stages == 1 ? 0.3 : 0.1;
    const auto factor = [&](double rtol, double atol) {
        const double tol = rtol > 0.0 ? rtol : atol;
        constexpr double smallest = 1e-13; // what can be told from round-off
        return tol > 0.0 ? std::max(std::min(tol, smallest), constant * std::pow(tol, exponent)) / tol : 1.0;
    };
    const auto& unknowns = problem.unknowns();
    if (stages == 1 && tolerance.absolute_each.empty())
        for (const problem::UnknownInfo& info : unknowns)
            tolerance.absolute_each.push_back(tolerance.absolute * std::abs(info.nominal));
    if (stages == 1 && tolerance.relative_each.empty())
        tolerance.relative_each.assign(unknowns.size(), tolerance.relative);
    const auto adds_up = [&](std::size_t i) { return stages > 1 || unknowns[i].differential; };
    for (std::size_t i = 0; i < tolerance.absolute_each.size(); ++i) {
        const double rtol = tolerance.relative_each.empty() ? tolerance.relative : tolerance.relative_each[i];
        if (adds_up(i)) tolerance.absolute_each[i] *= factor(rtol, tolerance.absolute_each[i]);
    }
    for (std::size_t i = 0; i < tolerance.relative_each.size(); ++i)
        if (adds_up(i)) tolerance.relative_each[i] *= factor(tolerance.relative_each[i], 0.0);
    const double common = factor(tolerance.relative, tolerance.absolute);
    tolerance.relative *= common;
    tolerance.absolute *= common;
    return tolerance;
}

} // namespace daedalus::integrate
