#include "integrate/methods/midpoint.hpp"

#include "integrate/methods/dirk.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {

class Midpoint final : public DirkStepper {
public:
    // The estimate is that of a method of order 1, and much larger than the error: what Newton leaves must compare with
    // the latter.
    Midpoint(const problem::ImplicitProblem& problem, const IntegrationOptions& options)
        : DirkStepper(problem, options, tightening_of_midpoint(), 1e-3, 2.0,
                      {.safety = 0.9, .shrink = 0.2, .grow = 5.0}),
          euler_matrix_(problem, options.linear_solver), middle_(n_), slope_(n_), other_(n_), euler_(n_),
          dynamic_row_(n_), instantaneous_(n_) {}

    void links_changed() override {
        DirkStepper::links_changed();
        euler_matrix_.resize(problem_);
        euler_shift_ = 0.0;
    }
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
    [[nodiscard]] StepStatus factor(double h) override;
    [[nodiscard]] StepStatus solve_stages() override;
    [[nodiscard]] StepStatus estimate_error(double& norm) override;
    void jacobian_changed() override;
    void find_slopes(double h);

    ShiftedMatrix<double> euler_matrix_;
    std::vector<double> middle_, slope_, other_, euler_;
    std::vector<char> dynamic_row_;   ///< contains derivatives
    std::vector<char> instantaneous_; ///< algebraic unknown of index 2: not averaged
    int rows_revision_ = -1;
    double euler_shift_ = 0;
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

void Midpoint::jacobian_changed() {
    euler_shift_ = 0.0;
    if (rows_revision_ == problem_.revision()) return;
    std::fill(dynamic_row_.begin(), dynamic_row_.end(), 0);
    const SparsityPattern& pattern = problem_.pattern();
    for (std::size_t k = 0; k < jacobian_.jdx.size(); ++k)
        if (jacobian_.jdx[k] != 0.0) dynamic_row_[static_cast<std::size_t>(pattern.row_index[k])] = 1;
    for (std::size_t k = 0; k < n_; ++k) instantaneous_[k] = !differential_[k] && problem_.unknowns()[k].index > 1;
    rows_revision_ = problem_.revision();
}

StepStatus Midpoint::factor(double h) {
    const StepStatus status = factored(matrix_, 2.0 / h, shift_);
    return status != StepStatus::ok || fixed_step_ ? status : factored(euler_matrix_, 1.0 / h, euler_shift_);
}

StepStatus Midpoint::solve_stages() {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    for (std::size_t k = 0; k < n_; ++k) x_new_[k] = x_[k] + h_ * dx_[k];
    const double roundoff = 4 * eps * norm_(x_.data());
    const nonlinear::NewtonResult newton = nonlinear::newton(*this, monitor_, newton_options_, roundoff);
    std::copy(slope_.begin(), slope_.end(), dx_new_.begin());
    rate_ = newton.rate;
    const StepStatus status = outcome(newton);
    if (status == StepStatus::ok) find_slopes(h_);
    return status;
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

/// The implicit Euler method beside it.
StepStatus Midpoint::estimate_error(double& norm) {
    for (std::size_t k = 0; k < n_; ++k) {
        euler_[k] = x_new_[k];
        slope_[k] = (euler_[k] - x_[k]) / h_;
    }
    DirkStage euler{problem_, euler_matrix_, norm_, counters_, t_new_, 1.0 / h_, euler_.data(), slope_.data(), delta_};
    nonlinear::ConvergenceMonitor monitor;
    nonlinear::NewtonOptions rough = newton_options_;
    rough.kappa = 0.1; // of an estimate
    if (const StepStatus status = outcome(nonlinear::newton(euler, monitor, rough, 0.0)); status != StepStatus::ok)
        return status;
    for (std::size_t k = 0; k < n_; ++k) error_[k] = x_new_[k] - euler_[k];
    norm = norm_(error_.data());
    return StepStatus::ok;
}

} // namespace

std::unique_ptr<Stepper> make_midpoint(const problem::ImplicitProblem& problem, const IntegrationOptions& options) {
    return std::make_unique<Midpoint>(problem, options);
}

} // namespace daedalus::integrate
