#include "integrate/initial_step.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

// A first step is refused or lengthened eightfold at a time by its error, so that only its order of magnitude counts:
// a thousandth of the way, and what a first-order error of half a tolerance allows, or five for higher orders, whose
// first term is not the error (DASSL's rule has 0.5/‖x'‖; IDA's as well).
double initial_step(const ErrorNorm& norm, const double* dx, double interval, int order) {
    const double longest = 1e-3 * std::abs(interval);
    const double speed = norm(dx);
    if (!(speed > 0.0) || !std::isfinite(speed)) return longest;
    const double change = order <= 1 ? 0.5 : 5.0;
    return std::min(longest, change / speed);
}

double initial_step_direct(const problem::ImplicitProblem& problem, const Tolerance& tolerance, const double* x,
                           const double* dx, double interval) {
    double fastest = 0.0;
    for (std::size_t i = 0; i < problem.unknowns().size(); ++i) {
        const double rate = std::abs(dx[i]) / (std::abs(x[i]) + std::abs(problem.unknowns()[i].nominal));
        if (rate > fastest && std::isfinite(rate)) fastest = rate;
    }
    fastest = problem.collective().largest_of(fastest);
    const double longest = 1e-3 * std::abs(interval);
    if (fastest == 0.0) return longest;
    const double tol = tolerance.relative > 0.0 ? tolerance.relative : tolerance.absolute;
    // A tenth of the fastest time scale at most; tol^(1/4) as for an estimate of order 4 of orders 3 to 5 and above.
    return std::min(longest, 0.1 * std::pow(tol, 0.25) / fastest);
}

} // namespace daedalus::integrate
