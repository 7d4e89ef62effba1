// What implicit methods with matrices J + σ M, σ ~ 1/h, share: simplified Newton with a Jacobian that is kept over
// steps while the iteration converges. A method says which σ it needs, how its stages are solved (diagonally implicit
// ones: one after the other) and what its error estimate is.
#pragma once

#include "integrate/controller.hpp"
#include "integrate/methods/one_step.hpp"
#include "integrate/methods/step_guards.hpp"
#include "nonlinear/newton.hpp"

namespace daedalus::integrate {

/// Relative difference of step sizes that are meant to be equal: half the digits, far above roundings of t, far below
/// what a matrix or a formula for constant steps would feel.
inline constexpr double same_step = 1e-8;

/// The differentiated quantity in a stage: q' = (Q(t, x) - base) σ.
struct DirkQuantity {
    std::vector<double> base, value;
    double* slope = nullptr;

    [[nodiscard]] bool evaluate(const problem::ImplicitProblem& problem, double t, double shift, const double* x) {
        if (problem.quantity_value(t, x, value.data()) != problem::EvalStatus::ok) return false;
        follow(shift);
        return true;
    }
    /// After the last correction δ of x: what is conserved stays so (frozen_quantity.hpp).
    [[nodiscard]] bool carry(FrozenQuantity& frozen, double shift, const std::vector<double>& delta) {
        if (!frozen.add(-1.0, delta.data(), value.data())) return false;
        follow(shift);
        return true;
    }
    void follow(double shift) {
        for (std::size_t k = 0; k < value.size(); ++k) slope[k] = shift * (value[k] - base[k]);
    }
};

/// A stage F(t, x, (x - base) σ) = 0 for x, with the slope in `dx`; where steps difference a quantity,
/// G(t, x, (x - base) σ, q') = 0.
struct DirkStage {
    const problem::ImplicitProblem& problem;
    ShiftedMatrix<double>& matrix;
    const ErrorNorm& norm;
    Counters& counters;
    double t, shift;
    double* x;
    double* dx; ///< (x - base) σ at the first x
    std::vector<double>& delta;
    DirkQuantity* quantity = nullptr;

    [[nodiscard]] bool residual() {
        ++counters.residuals;
        if (quantity != nullptr)
            return quantity->evaluate(problem, t, shift, x) &&
                   problem.stated_residual(t, x, dx, quantity->slope, delta.data()) == problem::EvalStatus::ok;
        return problem.residual(t, x, dx, delta.data()) == problem::EvalStatus::ok;
    }
    void solve() { matrix.solve(delta, counters); }
    [[nodiscard]] double update() {
        ++counters.newton_iterations;
        for (std::size_t k = 0; k < delta.size(); ++k) {
            x[k] -= delta[k];
            dx[k] -= shift * delta[k];
        }
        return norm(delta.data());
    }
};

/// For constant steps, which experiments make with tolerances near round-off, Newton's iteration goes down to that:
/// corrections that no longer shrink are noise up to a thousand units in the last place, in tolerances, and a rate that
/// two corrections suggest is not enough to stop before.
inline void iterate_to_round_off(nonlinear::NewtonOptions& options, double tolerance) {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    options.stagnation_level = std::max(options.stagnation_level, 1e3 * eps / std::max(tolerance, eps));
    options.kappa = 1e-6;
}

class DirkStepper : public OneStepStepper {
public:
    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override;
    void links_changed() override;
    [[nodiscard]] Attempt attempt(double h, double t_new) override;
    void accept() override;

protected:
    /// `tightening`: of the tolerance, for the estimate; kappa: what Newton may leave, in units of that tolerance.
    DirkStepper(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                const Tightening& tightening, double kappa, double order_of_estimate, ControllerLimits limits);

    /// The matrices of this step size; by factored().
    [[nodiscard]] virtual StepStatus factor(double h) = 0;
    /// x_new_, dx_new_ and rate_ for the step of size h_ to t_new_.
    [[nodiscard]] virtual StepStatus solve_stages() = 0;
    /// error_ and its norm.
    [[nodiscard]] virtual StepStatus estimate_error(double& norm) = 0;
    /// The Jacobian was evaluated.
    virtual void jacobian_changed() {}

    /// Factorises J + shift M unless `known` says that this is what the matrix holds.
    [[nodiscard]] StepStatus factored(ShiftedMatrix<double>& matrix, double shift, double& known);
    /// Of an iteration that ended: on failure the last correction is left in error_.
    [[nodiscard]] StepStatus outcome(const nonlinear::NewtonResult& newton);
    /// error_ = G with (x', q') moved by these less G, at (t, x, x', q'): ∂G/∂x' v + ∂G/∂q' w where G is linear in
    /// them; v and w are overwritten.
    [[nodiscard]] bool weigh_slopes(double t, const double* x, const double* dx, const double* dq,
                                    std::vector<double>& v, std::vector<double>& w);

    nonlinear::ConvergenceMonitor monitor_;
    nonlinear::NewtonOptions newton_options_;
    std::vector<double> delta_;
    double rate_ = 0; ///< the slowest of Newton's iterations in the last attempt

private:
    [[nodiscard]] StepStatus prepare(double h);
    [[nodiscard]] Attempt failed(StepStatus status, double h);

    const double tightening_;
    PredictiveController controller_;
    bool need_jacobian_ = true;
    double error_norm_ = 0;
    StepGuards guards_;
};

} // namespace daedalus::integrate
