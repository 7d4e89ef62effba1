// How an integration ended, and what it did.
#pragma once

#include "integrate/failure_report.hpp"
#include "integrate/statistics.hpp"
#include "integrate/stepper.hpp"

#include <functional>
#include <string>
#include <vector>

namespace daedalus::integrate {

enum class Outcome {
    finished,    ///< t1 was reached
    stopped,     ///< the observer asked for it
    terminated,  ///< the model asked for it: see message
    interrupted, ///< the interrupt flag was set
    failed,      ///< see failure
};

/// What is known of a run where its method begins anew.
struct RunSoFar {
    double t, t0, t1;
    long steps, restarts;
    long steps_of_method; ///< since it was chosen
    bool stiff = false;   ///< the method says so
    bool stuck = false;   ///< it does not get on
};
/// Asked there, where a change costs nothing, and where the method says that the problem is stiff or does not get on:
/// another method from there on, or null.
using Reconsider = std::function<const Method*(const RunSoFar&)>;

struct MethodChange {
    double t;
    std::string name;
    std::string reason;
};

struct IntegrationResult {
    Outcome outcome = Outcome::failed;
    double t = 0.0; ///< time reached
    std::vector<double> x, dx;
    std::vector<double> integrals; ///< the problem's quadratures there
    std::string message;           ///< why the model ended the run
    Statistics statistics;
    std::vector<MethodChange> method_changes;
    FailureReport failure;
    bool stiff = false;            ///< an explicit method said so
    bool integrand_failed = false; ///< the failure is that of a quadrature
    [[nodiscard]] bool finished() const { return outcome == Outcome::finished; }
};

} // namespace daedalus::integrate
