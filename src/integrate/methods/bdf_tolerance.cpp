#include "integrate/methods/bdf_tolerance.hpp"

#include <cmath>

namespace daedalus::integrate {

namespace {

/// For unknowns of up to this index.
double tightening_of(double tol, int index) {
    if (tol <= 0.0) return 1.0;
    return index >= 3 ? 0.002 : index == 2 ? 0.01 : 0.016 * std::pow(tol, 0.1);
}

} // namespace

Tolerance tolerance_of_step(Tolerance tolerance, const problem::ImplicitProblem& problem) {
    const int index = problem.highest_index();
    for (std::size_t i = 0; i < tolerance.absolute_each.size(); ++i) {
        const double rtol = tolerance.relative_each.empty() ? tolerance.relative : tolerance.relative_each[i];
        tolerance.absolute_each[i] *= tightening_of(rtol > 0.0 ? rtol : tolerance.absolute_each[i], index);
    }
    for (double& rtol : tolerance.relative_each) rtol *= tightening_of(rtol, index);
    const double common = tightening_of(tolerance.relative > 0.0 ? tolerance.relative : tolerance.absolute, index);
    tolerance.relative *= common;
    tolerance.absolute *= common;
    return tolerance;
}

} // namespace daedalus::integrate
