#include "integrate/methods/esdirk.hpp"

#include "integrate/controller.hpp"
#include "integrate/methods/one_step.hpp"
#include "integrate/tableau/esdirk.hpp"
#include "nonlinear/newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daedalus::integrate {

namespace {

/// Estimate and error at the end both behave as h^p: a constant factor puts the latter near the tolerance.
constexpr double tightening_of(int order) { return order <= 4 ? 0.02 : 0.1; }

/// The equation of a stage for X, with K = (X - base)/(hγ).
struct StageEquation {
    const problem::ImplicitProblem& problem;
    ShiftedMatrix<double>& matrix;
    const ErrorNorm& norm;
    Counters& counters;
    double t, shift;
    double* x;
    double* k;
    std::vector<double>& delta;

    [[nodiscard]] bool residual() {
        ++counters.residuals;
        return problem.residual(t, x, k, delta.data()) == problem::EvalStatus::ok;
    }
    void solve() { matrix.solve(delta, counters); }
    [[nodiscard]] double update() {
        ++counters.newton_iterations;
        for (std::size_t i = 0; i < delta.size(); ++i) {
            x[i] -= delta[i];
            k[i] -= shift * delta[i];
        }
        return norm(delta.data());
    }
};

class EsdirkStepper final : public OneStepStepper {
public:
    EsdirkStepper(const problem::ImplicitProblem& problem, const IntegrationOptions& options, tableau::Esdirk method)
        : OneStepStepper(problem, options, tightened(options.tolerance, tightening_of(method.order))),
          method_(std::move(method)), controller_(method_.order, {.safety = 0.9, .shrink = 0.2, .grow = 6.0}) {
        constexpr double eps = std::numeric_limits<double>::epsilon();
        const double rtol = tightening_of(method_.order) * options.tolerance.relative;
        newton_options_.max_iterations =
            options.method.max_newton_iterations > 0 ? options.method.max_newton_iterations : 7;
        // What Newton leaves in the stages is divided by hγ and combined by weights of size 1: well below the estimate.
        newton_options_.kappa = std::max(10 * eps / std::max(rtol, eps), fixed_step_ ? 1e-3 : 0.01);
        K_.resize(static_cast<std::size_t>(method_.stages) * n_);
        for (auto* v : {&base_, &delta_}) v->resize(n_);
    }

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override {
        OneStepStepper::start(t, x, dx, h);
        need_jacobian_ = true;
        step_limit_ = std::numeric_limits<double>::infinity();
        controller_.reset();
        monitor_.forget_rate();
    }
    void links_changed() override {
        OneStepStepper::links_changed();
        need_jacobian_ = true;
    }
    [[nodiscard]] Attempt attempt(double h, double t_new) override;
    void accept() override;
    int order() const override { return method_.order; }
    void interpolate(double time, double* x, double* dx) const override;

private:
    [[nodiscard]] StepStatus prepare_matrix(double shift);
    [[nodiscard]] StepStatus solve_stages(double h);
    [[nodiscard]] double estimate_error();
    [[nodiscard]] Attempt failed(StepStatus status, double h, double factor) {
        rejected_ = true;
        if (!jacobian_current_) need_jacobian_ = true;
        return {status, 0.0, factor * h};
    }
    [[nodiscard]] double* K(int i) { return K_.data() + static_cast<std::size_t>(i) * n_; }

    const tableau::Esdirk method_;
    PredictiveController controller_;
    nonlinear::ConvergenceMonitor monitor_;
    nonlinear::NewtonOptions newton_options_;
    std::vector<double> K_, base_, delta_;
    bool need_jacobian_ = true;
    double slowest_rate_ = 0; ///< of Newton's iterations in the last attempt
    double error_norm_ = 0;
    double step_limit_ = std::numeric_limits<double>::infinity(); ///< what Newton's failures say about step sizes
};

StepStatus EsdirkStepper::prepare_matrix(double shift) {
    if (need_jacobian_) {
        jacobian_current_ = false;
        if (!evaluate_jacobian()) return StepStatus::not_finite;
        need_jacobian_ = false;
    }
    if (shift_ != 0.0 && std::abs(shift_ / shift - 1.0) <= 1e-8) return StepStatus::ok;
    shift_ = 0.0;
    monitor_.forget_rate();
    const linalg::FactorStatus status = matrix_.factor(jacobian_, shift, counters_);
    if (status == linalg::FactorStatus::not_finite) return StepStatus::not_finite;
    if (status != linalg::FactorStatus::ok) return StepStatus::singular_matrix;
    shift_ = shift;
    return StepStatus::ok;
}

StepStatus EsdirkStepper::solve_stages(double h) {
    const int s = method_.stages;
    const double shift = 1.0 / (h * method_.gamma);
    constexpr double eps = std::numeric_limits<double>::epsilon();
    const double roundoff = 4 * eps * norm_(x_.data());
    slowest_rate_ = 0.0;
    std::copy(dx_.begin(), dx_.end(), K(0));
    for (int i = 1; i < s; ++i) {
        const double* a = method_.A.data() + static_cast<std::size_t>(i) * s;
        std::copy(x_.begin(), x_.end(), base_.begin());
        for (int j = 0; j < i; ++j) {
            const double w = h * a[j];
            const double* k = K(j);
            for (std::size_t m = 0; m < n_; ++m) base_[m] += w * k[m];
        }
        // Start: the last step's polynomial continued; without one, the parabola through x_n, K_1 and K_2.
        const double time = i == s - 1 ? t_new_ : t_ + method_.c[i] * h;
        double* X = x_new_.data();
        double* k = K(i);
        if (smooth_steps_ > 0 && std::abs(h) < 5.0 * std::abs(t_ - t_before_)) {
            interpolate(time, X, k);
        } else {
            const double c = method_.c[i] * h, bend = i > 1 ? 0.5 * c * method_.c[i] / method_.c[1] : 0.0;
            const double* k0 = K(0);
            const double* k1 = K(i > 1 ? 1 : 0);
            for (std::size_t m = 0; m < n_; ++m) X[m] = x_[m] + c * k0[m] + bend * (k1[m] - k0[m]);
        }
        for (std::size_t m = 0; m < n_; ++m) k[m] = shift * (X[m] - base_[m]);
        StageEquation equation{problem_, matrix_, norm_, counters_, time, shift, X, k, delta_};
        const nonlinear::NewtonResult newton = nonlinear::newton(equation, monitor_, newton_options_, roundoff);
        if (!newton.usable()) {
            std::copy(delta_.begin(), delta_.end(), error_.begin());
            std::copy_n(k, n_, dx_new_.data());
            return newton.status == nonlinear::NewtonStatus::not_finite ? StepStatus::not_finite
                                                                        : StepStatus::newton_failed;
        }
        slowest_rate_ = std::max(slowest_rate_, newton.rate);
    }
    std::copy_n(K(s - 1), n_, dx_new_.data());
    return StepStatus::ok;
}

double EsdirkStepper::estimate_error() {
    const int s = method_.stages;
    std::fill(base_.begin(), base_.end(), 0.0);
    for (int i = 0; i < s; ++i) {
        const double w = (method_.A[static_cast<std::size_t>(s - 1) * s + i] - method_.embedded[i]) / method_.gamma;
        const double* k = K(i);
        for (std::size_t m = 0; m < n_; ++m) base_[m] += w * k[m]; // e / (hγ)
    }
    std::fill(error_.begin(), error_.end(), 0.0);
    const SparsityPattern& pattern = problem_.pattern();
    for (int j = 0; j < pattern.cols; ++j) {
        if (!differential_[static_cast<std::size_t>(j)]) continue;
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
            error_[pattern.row_index[k]] += jacobian_.jdx[static_cast<std::size_t>(k)] * base_[j];
    }
    matrix_.solve(error_, counters_);
    return norm_(error_.data());
}

Attempt EsdirkStepper::attempt(double h, double t_new) {
    h_ = h;
    t_new_ = t_new;
    norm_.set_weights(x_.data(), h);
    const double shift = 1.0 / (h * method_.gamma);
    StepStatus status = prepare_matrix(shift);
    if (status != StepStatus::ok) return failed(status, h, 0.5);
    status = solve_stages(h);
    if (status != StepStatus::ok && !jacobian_current_) {
        need_jacobian_ = true; // an old Jacobian may be to blame: once more with a new one
        status = prepare_matrix(shift);
        if (status == StepStatus::ok) status = solve_stages(h);
    }
    if (status != StepStatus::ok) {
        step_limit_ = 0.8 * std::abs(h);
        return failed(status, h, status == StepStatus::newton_failed ? 0.5 : 0.25);
    }
    if (fixed_step_) return {StepStatus::ok, 0.0, h};

    error_norm_ = estimate_error();
    if (!std::isfinite(error_norm_)) return failed(StepStatus::not_finite, h, 0.25);
    if (error_norm_ > 1.0) {
        rejected_ = true;
        return {StepStatus::ok, error_norm_, h * std::min(0.9, controller_.elementary(error_norm_))};
    }
    double factor = controller_.predict(h, error_norm_);
    if (rejected_) factor = std::min(factor, 1.0);
    // With a Jacobian from here Newton's rate grows with h or h²: keep it below about 1/2.
    if (jacobian_current_ && slowest_rate_ > 0.0)
        factor = std::min(factor, std::max(0.8, std::sqrt(0.5 / slowest_rate_)));
    factor = std::min(factor, std::max(0.5, step_limit_ / std::abs(h)));
    // A new step size costs a factorisation: not for a little.
    if (slowest_rate_ < 0.3 && factor >= 1.0 && factor <= 1.2) factor = 1.0;
    return {StepStatus::ok, error_norm_, h * factor};
}

void EsdirkStepper::accept() {
    controller_.commit(h_, error_norm_);
    const double kept = shift_;
    advance();
    shift_ = kept;
    step_limit_ *= 1.3; // tried again after a few steps
    // A new Jacobian pays when the old one costs more than an iteration per stage.
    constexpr double slow = 0.1;
    need_jacobian_ = fixed_step_ || slowest_rate_ > slow;
}

void EsdirkStepper::interpolate(double time, double* x, double* dx) const {
    if (time == t_) {
        std::copy(x_.begin(), x_.end(), x);
        std::copy(dx_.begin(), dx_.end(), dx);
        return;
    }
    const bool inside = (time - t_) * (t_ - t_before_) <= 0.0;
    hermite(time, inside, x, dx);
}

} // namespace

std::unique_ptr<Stepper> make_esdirk(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                                     int order) {
    return std::make_unique<EsdirkStepper>(problem, options, tableau::make_esdirk(order));
}

} // namespace daedalus::integrate
