#include "integrate/methods/midpoint.hpp"

#include "integrate/controller.hpp"
#include "integrate/methods/one_step.hpp"
#include "nonlinear/newton.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {

/// Estimate and error at the end both behave as h²: the factor puts the latter near the tolerance.
constexpr double tightening = 0.2;

class Midpoint final : public OneStepStepper {
public:
    Midpoint(const problem::ImplicitProblem& problem, const IntegrationOptions& options)
        : OneStepStepper(problem, options, tightened(options.tolerance, tightening)),
          euler_matrix_(problem, options.linear_solver),
          // The estimate is that of a method of order 1.
          controller_(2.0, {.safety = 0.9, .shrink = 0.2, .grow = 5.0}) {
        newton_options_.max_iterations =
            options.method.max_newton_iterations > 0 ? options.method.max_newton_iterations : 7;
        constexpr double eps = std::numeric_limits<double>::epsilon();
        // The estimate is much larger than the error: what Newton leaves must compare with the latter.
        newton_options_.kappa = std::max(10 * eps / std::max(options.tolerance.relative, eps), 1e-3);
        for (auto* v : {&middle_, &slope_, &delta_, &other_, &euler_}) v->resize(n_);
        dynamic_row_.resize(n_);
        instantaneous_.resize(n_);
    }

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override {
        OneStepStepper::start(t, x, dx, h);
        need_jacobian_ = true;
        controller_.reset();
        monitor_.forget_rate();
    }
    void links_changed() override {
        OneStepStepper::links_changed();
        euler_matrix_.resize(problem_);
        euler_shift_ = 0.0;
        need_jacobian_ = true;
    }
    [[nodiscard]] Attempt attempt(double h, double t_new) override;
    void accept() override;
    int order() const override { return 2; }
    void interpolate(double time, double* x, double* dx) const override {
        if (time == t_) {
            std::copy(x_.begin(), x_.end(), x);
            std::copy(dx_.begin(), dx_.end(), dx);
            return;
        }
        hermite(time, false, x, dx);
    }

    // What Newton needs of the equation of the step.
    [[nodiscard]] bool residual();
    void solve();
    [[nodiscard]] double update();

private:
    [[nodiscard]] StepStatus prepare_matrices(double h);
    [[nodiscard]] StepStatus solve_step(double h);
    void find_slopes(double h);
    [[nodiscard]] Attempt failed(StepStatus status, double h, double factor) {
        rejected_ = true;
        if (!jacobian_current_) need_jacobian_ = true;
        return {status, 0.0, factor * h};
    }

    ShiftedMatrix<double> euler_matrix_;
    PredictiveController controller_;
    nonlinear::ConvergenceMonitor monitor_;
    nonlinear::NewtonOptions newton_options_;
    std::vector<double> middle_, slope_, delta_, other_, euler_;
    std::vector<char> dynamic_row_;   ///< contains derivatives
    std::vector<char> instantaneous_; ///< algebraic unknown of index 2: not averaged
    int rows_revision_ = -1;
    bool need_jacobian_ = true;
    double euler_shift_ = 0;
    double error_norm_ = 0, rate_ = 0;
};

/// Solves for euler_x with the implicit Euler method.
struct EulerEquation {
    const problem::ImplicitProblem& problem;
    ShiftedMatrix<double>& matrix;
    const ErrorNorm& norm;
    Counters& counters;
    double t, h;
    const double* x_before;
    double* x;
    double* slope;
    std::vector<double>& delta;

    [[nodiscard]] bool residual() {
        for (std::size_t k = 0; k < delta.size(); ++k) slope[k] = (x[k] - x_before[k]) / h;
        ++counters.residuals;
        return problem.residual(t, x, slope, delta.data()) == problem::EvalStatus::ok;
    }
    void solve() { matrix.solve(delta, counters); }
    [[nodiscard]] double update() {
        ++counters.newton_iterations;
        for (std::size_t k = 0; k < delta.size(); ++k) x[k] -= delta[k];
        return norm(delta.data());
    }
};

bool Midpoint::residual() {
    for (std::size_t k = 0; k < n_; ++k) {
        slope_[k] = (x_new_[k] - x_[k]) / h_;
        middle_[k] = instantaneous_[k] ? x_new_[k] : 0.5 * (x_[k] + x_new_[k]);
    }
    counters_.residuals += 2;
    if (problem_.residual(t_ + 0.5 * h_, middle_.data(), slope_.data(), delta_.data()) != problem::EvalStatus::ok)
        return false;
    if (problem_.residual(t_new_, x_new_.data(), slope_.data(), other_.data()) != problem::EvalStatus::ok) return false;
    for (std::size_t k = 0; k < n_; ++k) delta_[k] = dynamic_row_[k] ? 2.0 * delta_[k] : other_[k];
    return true;
}

void Midpoint::solve() { matrix_.solve(delta_, counters_); }

double Midpoint::update() {
    ++counters_.newton_iterations;
    for (std::size_t k = 0; k < n_; ++k) {
        if (instantaneous_[k]) delta_[k] *= 0.5;
        x_new_[k] -= delta_[k];
    }
    return norm_(delta_.data());
}

StepStatus Midpoint::prepare_matrices(double h) {
    if (need_jacobian_) {
        jacobian_current_ = false;
        euler_shift_ = 0.0;
        if (!evaluate_jacobian()) return StepStatus::not_finite;
        need_jacobian_ = false;
        if (rows_revision_ != problem_.revision()) {
            std::fill(dynamic_row_.begin(), dynamic_row_.end(), 0);
            const SparsityPattern& pattern = problem_.pattern();
            for (std::size_t k = 0; k < jacobian_.jdx.size(); ++k)
                if (jacobian_.jdx[k] != 0.0) dynamic_row_[static_cast<std::size_t>(pattern.row_index[k])] = 1;
            for (std::size_t k = 0; k < n_; ++k)
                instantaneous_[k] = !differential_[k] && problem_.unknowns()[k].index > 1;
            rows_revision_ = problem_.revision();
        }
    }
    const auto factored = [&](ShiftedMatrix<double>& matrix, double shift, double& known) {
        if (known != 0.0 && std::abs(known / shift - 1.0) <= 1e-8) return StepStatus::ok;
        known = 0.0;
        monitor_.forget_rate();
        const linalg::FactorStatus status = matrix.factor(jacobian_, shift, counters_);
        if (status == linalg::FactorStatus::not_finite) return StepStatus::not_finite;
        if (status != linalg::FactorStatus::ok) return StepStatus::singular_matrix;
        known = shift;
        return StepStatus::ok;
    };
    const StepStatus status = factored(matrix_, 2.0 / h, shift_);
    return status != StepStatus::ok || fixed_step_ ? status : factored(euler_matrix_, 1.0 / h, euler_shift_);
}

StepStatus Midpoint::solve_step(double h) {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    for (std::size_t k = 0; k < n_; ++k) x_new_[k] = x_[k] + h * dx_[k];
    const double roundoff = 4 * eps * norm_(x_.data());
    const nonlinear::NewtonResult newton = nonlinear::newton(*this, monitor_, newton_options_, roundoff);
    std::copy(slope_.begin(), slope_.end(), dx_new_.begin());
    rate_ = newton.rate;
    if (newton.usable()) return StepStatus::ok;
    std::copy(delta_.begin(), delta_.end(), error_.begin());
    return newton.status == nonlinear::NewtonStatus::not_finite ? StepStatus::not_finite : StepStatus::newton_failed;
}

/// x' at the end, of order 2: the parabola through three points; without a past, through x_n, x'_n, x_{n+1}.
void Midpoint::find_slopes(double h) {
    if (smooth_steps_ == 0) {
        for (std::size_t k = 0; k < n_; ++k) dx_new_[k] = 2.0 * (x_new_[k] - x_[k]) / h - dx_[k];
    } else {
        const double before = t_ - t_before_;
        for (std::size_t k = 0; k < n_; ++k) {
            const double now = (x_new_[k] - x_[k]) / h, then = (x_[k] - x_before_[k]) / before;
            dx_new_[k] = now + h * (now - then) / (h + before);
        }
    }
    for (const problem::Link& link : problem_.links()) dx_new_[link.state] = x_new_[link.derivative];
}

Attempt Midpoint::attempt(double h, double t_new) {
    h_ = h;
    t_new_ = t_new;
    norm_.set_weights(x_.data(), h);
    StepStatus status = prepare_matrices(h);
    if (status != StepStatus::ok) return failed(status, h, 0.5);
    status = solve_step(h);
    if (status != StepStatus::ok && !jacobian_current_) {
        need_jacobian_ = true;
        status = prepare_matrices(h);
        if (status == StepStatus::ok) status = solve_step(h);
    }
    if (status != StepStatus::ok) return failed(status, h, status == StepStatus::newton_failed ? 0.5 : 0.25);
    find_slopes(h);
    if (fixed_step_) return {StepStatus::ok, 0.0, h};

    std::copy(x_new_.begin(), x_new_.end(), euler_.begin());
    EulerEquation equation{problem_, euler_matrix_, norm_,         counters_,     t_new,
                           h,        x_.data(),     euler_.data(), slope_.data(), delta_};
    nonlinear::ConvergenceMonitor monitor;
    nonlinear::NewtonOptions rough = newton_options_;
    rough.kappa = 0.1; // of an estimate
    if (const auto newton = nonlinear::newton(equation, monitor, rough, 0.0); !newton.usable())
        return failed(newton.status == nonlinear::NewtonStatus::not_finite ? StepStatus::not_finite
                                                                           : StepStatus::newton_failed,
                      h, 0.5);
    for (std::size_t k = 0; k < n_; ++k) error_[k] = x_new_[k] - euler_[k];
    error_norm_ = norm_(error_.data());
    if (!std::isfinite(error_norm_)) return failed(StepStatus::not_finite, h, 0.25);
    if (error_norm_ > 1.0) {
        rejected_ = true;
        return {StepStatus::ok, error_norm_, h * std::min(0.9, controller_.elementary(error_norm_))};
    }
    double factor = controller_.predict(h, error_norm_);
    if (rejected_) factor = std::min(factor, 1.0);
    if (rate_ < 0.3 && factor >= 1.0 && factor <= 1.2) factor = 1.0; // keeps both factorisations
    return {StepStatus::ok, error_norm_, h * factor};
}

void Midpoint::accept() {
    controller_.commit(h_, error_norm_);
    advance();
    constexpr double slow = 0.1;
    need_jacobian_ = fixed_step_ || rate_ > slow;
}

} // namespace

std::unique_ptr<Stepper> make_midpoint(const problem::ImplicitProblem& problem, const IntegrationOptions& options) {
    return std::make_unique<Midpoint>(problem, options);
}

} // namespace daedalus::integrate
