#include "integrate/methods/dirk.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

DirkStepper::DirkStepper(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                         const Tightening& tightening, double kappa, double order_of_estimate, ControllerLimits limits)
    : OneStepStepper(problem, options, tightened(options.tolerance, tightening.common_factor(options.tolerance))),
      delta_(n_), tightening_(tightening.common_factor(options.tolerance)), controller_(order_of_estimate, limits),
      guards_(problem, options.linear_solver, options.method.fixed_step) {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    newton_options_.max_iterations =
        options.method.max_newton_iterations > 0 ? options.method.max_newton_iterations : 7;
    newton_options_.kappa = std::max(10 * eps / std::max(tightening_ * options.tolerance.relative, eps), kappa);
}

void DirkStepper::start(double t, std::span<const double> x, std::span<const double> dx, double h) {
    OneStepStepper::start(t, x, dx, h);
    need_jacobian_ = true;
    guards_.reset();
    controller_.reset();
    monitor_.forget_rate();
}

void DirkStepper::links_changed() {
    OneStepStepper::links_changed();
    need_jacobian_ = true;
    guards_.links_changed();
}

StepStatus DirkStepper::factored(ShiftedMatrix<double>& matrix, double shift, double& known) {
    if (known != 0.0 && std::abs(known / shift - 1.0) <= 1e-8) return StepStatus::ok;
    known = 0.0;
    monitor_.forget_rate();
    const linalg::FactorStatus factors = matrix.factor(jacobian_, shift, counters_);
    const StepStatus status = guards_.judge(factors, jacobian_, matrix, shift, dx_, norm_.weights(), counters_);
    if (status == StepStatus::ok) known = shift;
    return status;
}

StepStatus DirkStepper::outcome(const nonlinear::NewtonResult& newton) {
    if (newton.usable()) return StepStatus::ok;
    std::copy(delta_.begin(), delta_.end(), error_.begin());
    return newton.status == nonlinear::NewtonStatus::not_finite ? StepStatus::not_finite : StepStatus::newton_failed;
}

StepStatus DirkStepper::prepare(double h) {
    if (need_jacobian_) {
        jacobian_current_ = false;
        if (!evaluate_jacobian()) return StepStatus::not_finite;
        need_jacobian_ = false;
        jacobian_changed();
    }
    return factor(h);
}

Attempt DirkStepper::failed(StepStatus status, double h, double factor) {
    rejected_ = true;
    if (!jacobian_current_) need_jacobian_ = true;
    return {status, 0.0, factor * h};
}

Attempt DirkStepper::attempt(double h, double t_new) {
    h_ = h;
    t_new_ = t_new;
    norm_.set_weights(x_.data(), h);
    StepStatus status = prepare(h);
    if (status != StepStatus::ok) return failed(status, h, 0.5);
    status = solve_stages();
    if (status != StepStatus::ok && !jacobian_current_) {
        need_jacobian_ = true; // an old Jacobian may be to blame: once more with a new one
        status = prepare(h);
        if (status == StepStatus::ok) status = solve_stages();
    }
    if (status != StepStatus::ok) {
        guards_.newton_failed(0.8 * h);
        return failed(status, h, status == StepStatus::newton_failed ? 0.5 : 0.25);
    }
    if (fixed_step_) return {StepStatus::ok, 0.0, h};

    status = estimate_error(error_norm_);
    if (status == StepStatus::ok && !std::isfinite(error_norm_)) status = StepStatus::not_finite;
    if (status != StepStatus::ok) return failed(status, h, status == StepStatus::newton_failed ? 0.5 : 0.25);
    if (error_norm_ > 1.0) {
        refuse_error(error_norm_);
        rejected_ = true;
        return {StepStatus::ok, error_norm_, h * std::min(0.9, controller_.elementary(error_norm_))};
    }
    if (guards_.hides_error(jacobian_, shift_, t_new, x_new_.data(), dx_new_.data(), norm_, counters_)) {
        jacobian_current_ = false;
        return failed(StepStatus::newton_failed, h, 0.5);
    }
    double factor = controller_.predict(h, error_norm_);
    if (rejected_) factor = std::min(factor, 1.0);
    factor = guards_.limited(factor, h, rate_, jacobian_current_, 0.5);
    // A new step size costs a factorisation: not for a little.
    if (rate_ < 0.3 && factor >= 1.0 && factor <= 1.2) factor = 1.0;
    return {StepStatus::ok, error_norm_, h * factor};
}

void DirkStepper::accept() {
    controller_.commit(h_, error_norm_);
    advance();
    if (order() > 3) judge_between(tightening_); // below, cubics are as accurate as the method
    guards_.accepted(h_, rate_);
    // A new Jacobian pays when the old one costs more than an iteration per stage.
    constexpr double slow = 0.1;
    need_jacobian_ = fixed_step_ || rate_ > slow;
}

} // namespace daedalus::integrate
