// Stages of explicit methods: F = 0 for what t and the integrated unknowns leave open (local_system.hpp).
//
// Where F is linear in that, as accelerations and multipliers of mechanisms, one linear system per stage gives it: in
// one piece of code where its pivots hold (explicit_form.hpp), else with pivots of the point. Elsewhere Newton's
// iteration with a matrix that is kept as long as it converges quickly.
#pragma once

#include "integrate/error_norm.hpp"
#include "integrate/explicit_form.hpp"
#include "integrate/local_system.hpp"
#include "integrate/options.hpp"
#include "integrate/stepper.hpp"
#include "nonlinear/newton.hpp"

#include <array>

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
    /// How algebraic unknowns answer to a small change of the integrated ones, which `change` holds, at the point that
    /// was solved last with `derivatives`; `scratch`: two vectors of unknowns.
    void respond(double t, const double* x, const double* z, std::span<double> change,
                 std::array<std::span<double>, 2> scratch, Counters& counters);

    /// The same where it is one piece of code and its pivots hold; false: nothing is done.
    [[nodiscard]] bool solve_by_form(double t, double* x, double* z, Counters& counters);

    /// Where an iteration would begin does not matter.
    [[nodiscard]] bool linear() const { return linear_ || form_.present(); }
    /// Of the matrix of the linear system last solved; 0: not known.
    [[nodiscard]] long double determinant() const;
    [[nodiscard]] std::string description() const;
    [[nodiscard]] LocalSystem& system() { return system_; }
    [[nodiscard]] const LocalSystem& system() const { return system_; }

private:
    struct Equation;
    [[nodiscard]] StepStatus renew_matrix(double t, const double* x, const double* z, bool derivatives,
                                          Counters& counters);

    [[nodiscard]] StepStatus solve_linear(double t, double* x, double* z, bool derivatives, Counters& counters);

    LocalSystem system_;
    const bool linear_;
    ExplicitForm form_;          ///< present only where it says what the given system does
    bool by_form_ = false;       ///< what was solved last
    std::vector<int> algebraic_; ///< unknowns that are neither given nor differential
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
