// Stages of explicit methods: F = 0 for what t and the integrated unknowns leave open (local_system.hpp).
//
// Where F is linear in that, as accelerations and multipliers of mechanisms, one linear system per stage gives it.
// Elsewhere Newton's iteration with a matrix that is kept as long as it converges quickly.
#pragma once

#include "integrate/error_norm.hpp"
#include "integrate/local_system.hpp"
#include "integrate/options.hpp"
#include "integrate/stepper.hpp"
#include "nonlinear/newton.hpp"

namespace daedalus::integrate {

class StageSolver {
public:
    /// `relative`: the tolerance of the method's estimates.
    StageSolver(const problem::ImplicitProblem& problem, const IntegrationOptions& options, LocalSystem::Given given,
                double relative);

    void links_changed();
    void forget_matrix() { need_matrix_ = true; }
    /// Which unknowns are given follows from the first Jacobian, at this point.
    [[nodiscard]] bool learn(double t, const double* x, const double* z, Counters& counters);
    /// Corrections are measured with these weights and this step's size; those of the unknowns `counted`, if given.
    void begin(std::span<const double> weights, double h, double round_off, const std::vector<char>* counted = nullptr);
    /// From z nearby, with x as it says: what F = 0 makes of both. `derivatives`: those of F are wanted afterwards.
    [[nodiscard]] StepStatus solve(double t, double* x, double* z, bool derivatives, Counters& counters);

    [[nodiscard]] bool linear() const { return linear_; }
    [[nodiscard]] LocalSystem& system() { return system_; }
    [[nodiscard]] const LocalSystem& system() const { return system_; }

private:
    struct Equation;
    [[nodiscard]] StepStatus renew_matrix(double t, const double* x, const double* z, bool derivatives,
                                          Counters& counters);

    LocalSystem system_;
    const bool linear_;
    bool known_ = false;
    bool need_matrix_ = true;
    nonlinear::ConvergenceMonitor stale_monitor_, fresh_monitor_;
    nonlinear::NewtonOptions newton_options_;
    NormKind norm_;
    double round_off_ = 0.0;
    std::vector<double> weight_;  ///< of delta()
    std::vector<double> z_start_; ///< for a second trial
};

} // namespace daedalus::integrate
