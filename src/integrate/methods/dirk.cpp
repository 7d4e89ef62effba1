#include "integrate/methods/dirk.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {

constexpr int most_iterations = 7;         // RADAU5's
constexpr double roundings_of_newton = 10; // RADAU5: what Newton leaves is not below so many units in the last place
constexpr double same_shift = 1e-8;        // steps that differ by the roundings of their times only keep their factors
// A new Jacobian pays when the old one costs more than an iteration per stage, a digit each.
constexpr double slow = 0.1;
// With this rate an iteration to κ = 0.01 takes the ln 0.01 / ln 0.3 = 4 of 7 that leave room for a poorer one.
constexpr double easy = 0.3;
constexpr double before_failure = 0.8; // of the step at which Newton failed: as RADAU5 after a slow iteration

} // namespace

DirkStepper::DirkStepper(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                         const Tightening& tightening, double kappa, double order_of_estimate, ControllerLimits limits)
    : OneStepStepper(problem, options, tightened(options.tolerance, tightening.common_factor(options.tolerance))),
      delta_(n_), tightening_(tightening.common_factor(options.tolerance)), controller_(order_of_estimate, limits),
      guards_(problem, options) {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    newton_options_.max_iterations =
        options.method.max_newton_iterations > 0 ? options.method.max_newton_iterations : most_iterations;
    newton_options_.kappa =
        std::max(roundings_of_newton * eps / std::max(tightening_ * options.tolerance.relative, eps), kappa);
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
    if (known != 0.0 && std::abs(known / shift - 1.0) <= same_shift) return StepStatus::ok;
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

bool DirkStepper::weigh_slopes(double t, const double* x, const double* dx, const double* dq, std::vector<double>& v,
                               std::vector<double>& w) {
    counters_.residuals += 2;
    if (problem_.stated_residual(t, x, dx, dq, delta_.data()) != problem::EvalStatus::ok) return false;
    for (std::size_t k = 0; k < v.size(); ++k) v[k] += dx[k];
    for (std::size_t k = 0; k < w.size(); ++k) w[k] += dq[k];
    if (problem_.stated_residual(t, x, v.data(), w.data(), error_.data()) != problem::EvalStatus::ok) return false;
    for (std::size_t k = 0; k < n_; ++k) error_[k] -= delta_[k];
    return true;
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

Attempt DirkStepper::failed(StepStatus status, double h) {
    if (!jacobian_current_) need_jacobian_ = true;
    return {status, 0.0, controller_.after_failure(status) * h};
}

Attempt DirkStepper::attempt(double h, double t_new) {
    h_ = h;
    t_new_ = t_new;
    norm_.set_weights(x_.data(), h);
    StepStatus status = prepare(h);
    if (status != StepStatus::ok) return failed(status, h);
    status = solve_stages();
    if (status != StepStatus::ok && !jacobian_current_) {
        need_jacobian_ = true; // an old Jacobian may be to blame: once more with a new one
        status = prepare(h);
        if (status == StepStatus::ok) status = solve_stages();
    }
    if (status != StepStatus::ok) {
        guards_.newton_failed(before_failure * h);
        return failed(status, h);
    }
    if (fixed_step_) return {StepStatus::ok, 0.0, h};

    status = estimate_error(error_norm_);
    if (status == StepStatus::ok && !std::isfinite(error_norm_)) status = StepStatus::not_finite;
    if (status != StepStatus::ok) return failed(status, h);
    if (error_norm_ > 1.0) {
        refuse_error(error_norm_);
        return {StepStatus::ok, error_norm_, h * controller_.after_error(error_norm_)};
    }
    if (guards_.hides_error(jacobian_, shift_,
                            {t_new, x_new_.data(), dx_new_.data(), stated_ ? quantity_.slope_there() : nullptr}, norm_,
                            counters_)) {
        jacobian_current_ = false;
        return failed(StepStatus::newton_failed, h);
    }
    double factor = guards_.limited(controller_.after_success(h, error_norm_), h, rate_, jacobian_current_, 0.5);
    if (rate_ < easy) factor = PredictiveController::worth_a_factorisation(factor);
    return {StepStatus::ok, error_norm_, h * factor};
}

void DirkStepper::accept() {
    controller_.accept(h_, error_norm_);
    if (stated_ && shift_ != 0.0)
        find_slopes_of_unknowns(problem_, t_new_, x_new_.data(), dx_new_.data(), shift_, matrix_, norm_, delta_,
                                counters_);
    advance();
    if (order() > 3) judge_between(tightening_); // below, cubics are as accurate as the method
    guards_.accepted(h_, rate_);
    need_jacobian_ = fixed_step_ || rate_ > slow;
}

} // namespace daedalus::integrate
