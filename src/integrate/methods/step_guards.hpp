// What methods ask of a step besides its error, if they keep one matrix over it: that nothing outgrows it
// (growth_guard.hpp), that the matrix does not hide what Newton's iteration left (weakened_matrix.hpp), and that the
// iteration will bear the next one (newton_step_limit.hpp).
#pragma once

#include "integrate/methods/growth_guard.hpp"
#include "integrate/methods/newton_step_limit.hpp"
#include "integrate/methods/weakened_matrix.hpp"
#include "integrate/stepper.hpp"

#include <algorithm>

namespace daedalus::integrate {

class StepGuards {
public:
    /// Constant steps have no second trial: there is nothing to watch.
    StepGuards(const problem::ImplicitProblem& problem, const IntegrationOptions& options)
        : growth_(problem, options.method.watches), weakened_(problem, options), active_(!options.method.fixed_step) {}
    void reset() {
        forget_matrix();
        newton_limit_.reset();
    }
    /// The matrix is that of another method.
    void forget_matrix() {
        growth_.reset();
        weakened_.reset();
    }
    void links_changed() {
        growth_.reset();
        weakened_.links_changed();
    }

    /// What factorising J + shift M, with this outcome, says of the step.
    [[nodiscard]] StepStatus judge(linalg::FactorStatus factors, const JacobianValues& jacobian,
                                   ShiftedMatrix<double>& matrix, double shift, const std::vector<double>& dx,
                                   std::span<const double> weights, Counters& counters) {
        if (factors == linalg::FactorStatus::not_finite) return StepStatus::not_finite;
        if (factors != linalg::FactorStatus::ok) return StepStatus::singular_matrix;
        const bool outrun = active_ && growth_.outruns(jacobian, matrix, shift, dx, weights, counters);
        return outrun ? StepStatus::newton_failed : StepStatus::ok;
    }
    /// The step to `end`, whose error is small, was made with a matrix that hides a larger one.
    [[nodiscard]] bool hides_error(const JacobianValues& used, double shift, const EndOfAttempt& end,
                                   const ErrorNorm& norm, Counters& counters) {
        return active_ && weakened_.hides_error(used, shift, end, norm, counters);
    }

    void newton_failed(double h) { newton_limit_.failed(h); }
    void accepted(double h, double rate) { newton_limit_.accepted(h, rate); }
    /// What is left of a factor for the next step after one with this rate Θ; that tells something only of a matrix
    /// that belongs to the step. `least`: failures of the past ask for no less.
    [[nodiscard]] double limited(double factor, double h, double rate, bool current, double least) const {
        if (current && rate > 0.0) factor = std::min(factor, NewtonStepLimit::growth_for(rate));
        return std::min(factor, std::max(least, newton_limit_.after_failures(h)));
    }

private:
    GrowthGuard growth_;
    WeakenedMatrix weakened_;
    NewtonStepLimit newton_limit_;
    bool active_;
};

} // namespace daedalus::integrate
