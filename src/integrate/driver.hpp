// From a consistent start to the end time: the one loop that all methods run in.
#pragma once

#include "integrate/failure_report.hpp"
#include "integrate/observer.hpp"
#include "integrate/options.hpp"
#include "integrate/statistics.hpp"
#include "integrate/stepper.hpp"

namespace daedalus::integrate {

enum class Outcome {
    finished,    ///< t1 was reached
    stopped,     ///< the observer asked for it
    interrupted, ///< the interrupt flag was set
    failed,      ///< see failure
};

struct IntegrationResult {
    Outcome outcome = Outcome::failed;
    double t = 0.0; ///< time reached
    std::vector<double> x, dx;
    Statistics statistics;
    FailureReport failure;
    [[nodiscard]] bool finished() const { return outcome == Outcome::finished; }
};

/// Integrates from t0 to t1 (t1 < t0: backward). x0, dx0 must satisfy F(t0, x0, dx0) = 0; derivatives of algebraic
/// unknowns are improved where possible. The problem's links may be exchanged on the way.
[[nodiscard]] IntegrationResult integrate(problem::ImplicitProblem& problem, const Method& method, double t0, double t1,
                                          std::span<const double> x0, std::span<const double> dx0,
                                          const IntegrationOptions& options, Observer& observer);

} // namespace daedalus::integrate
