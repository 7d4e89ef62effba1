#include "integrate/methods/rosenbrock.hpp"

#include "integrate/controller.hpp"
#include "integrate/methods/growth_guard.hpp"
#include "integrate/methods/one_step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daedalus::integrate {

namespace {

// Limits of RODAS (HW IV.7): nothing but the estimate tells that a linearisation has become poor, so growth is limited.
constexpr ControllerLimits limits{.safety = 0.9, .shrink = 0.2, .grow = 6.0};
constexpr double same_shift =
    1e-12; // the matrix is that of the step up to rounding: there is no iteration to correct it
// Looks between the stages: at eighths of the step a pulse of a quarter of it is seen twice. Radau tolerates as much
// (radau.cpp).
constexpr int parts = 8;
constexpr double tolerable_gap = 100.0;
// Methods of lower order take steps that no pulse is shorter than.
constexpr int order_that_steps_over = 3;
// The continuous output may differ from the cubic of the ends by half of what curvature moves that: by more, and it has
// a wave that the ends do not know.
constexpr double share_of_curvature = 0.5;

class RosenbrockStepper final : public OneStepStepper {
public:
    RosenbrockStepper(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                      tableau::Rosenbrock method)
        : OneStepStepper(problem, options,
                         tightened(options.tolerance, tightening_of_rosenbrock(method.order), problem)),
          method_(std::move(method)), constant_leading_matrix_(problem.constant_leading_matrix()),
          controller_(method_.order, limits), growth_(problem, options.method.watches) {
        for (auto* v : {&residual_, &time_derivative_, &stage_, &slope_, &safe_x_, &safe_dx_, &defect_}) v->resize(n_);
        doubtful_.resize(n_);
        watches_between_ = method_.order > order_that_steps_over && options.method.watches.gaps && problem.steep() &&
                           problem.has_differential();
        u_.resize(static_cast<std::size_t>(method_.stages) * n_);
        dense_.resize(static_cast<std::size_t>(method_.dense_rows) * n_);
    }

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override {
        OneStepStepper::start(t, x, dx, h);
        point_known_ = false;
        growth_.reset();
        controller_.reset();
    }
    void correct(std::span<const double> x, std::span<const double> dx) override {
        OneStepStepper::correct(x, dx); // the continuous output ends at the moved point
        point_known_ = false;
    }
    void links_changed() override {
        OneStepStepper::links_changed();
        point_known_ = false;
        growth_.reset();
    }
    [[nodiscard]] Attempt attempt(double h, double t_new) override;
    void accept() override;
    int order() const override { return method_.order; }
    void interpolate(double time, double* x, double* dx) const override;

private:
    [[nodiscard]] bool evaluate_point(double h);
    [[nodiscard]] bool stage(int i, double h);
    void doubt_dense_output();
    void make_dense();
    /// At share θ of a step of size h between two points.
    void dense_polynomial(double theta, double h, const std::vector<double>& begin, const std::vector<double>& end,
                          double* x, double* dx) const;
    [[nodiscard]] double defect_between();
    [[nodiscard]] Attempt failed(StepStatus status, double h) {
        return {status, 0.0, controller_.after_failure(status) * h};
    }
    [[nodiscard]] double* u(int i) { return u_.data() + static_cast<std::size_t>(i) * n_; }
    /// out = base + Σ_{j<count} weight_j u_j.
    void combine(const double* base, const double* weight, int count, double* out) const;

    const tableau::Rosenbrock method_;
    const bool constant_leading_matrix_;
    PredictiveController controller_;
    GrowthGuard growth_;
    double error_norm_ = 0;
    bool watches_between_ = false;                   ///< there may be what stages step over
    bool point_known_ = false;                       ///< residual_ and time_derivative_ belong to t_, x_, dx_
    std::vector<double> residual_, time_derivative_; ///< F and F_t where the step starts
    std::vector<double> stage_, slope_, defect_;
    std::vector<double> u_;
    std::vector<double> dense_;  ///< of the last accepted step
    std::vector<char> doubtful_; ///< of which the end points alone are interpolated
    bool doubts_ = false;        ///< of any
    mutable std::vector<double> safe_x_, safe_dx_;
};

void RosenbrockStepper::combine(const double* base, const double* weight, int count, double* out) const {
    if (base != nullptr)
        std::copy_n(base, n_, out);
    else
        std::fill_n(out, n_, 0.0);
    for (int j = 0; j < count; ++j) {
        const double w = weight[j];
        if (w == 0.0) continue;
        const double* v = u_.data() + static_cast<std::size_t>(j) * n_;
        for (std::size_t k = 0; k < n_; ++k) out[k] += w * v[k];
    }
}

/// J, M, F and F_t at the start of the step; they serve all attempts from there.
bool RosenbrockStepper::evaluate_point(double h) {
    if (!evaluate_jacobian()) return false;
    if (point_known_) return true;
    std::fill(slope_.begin(), slope_.end(), 0.0);
    const double* z = constant_leading_matrix_ ? slope_.data() : dx_.data();
    ++counters_.residuals;
    if (problem_.residual(t_, x_.data(), z, residual_.data()) != problem::EvalStatus::ok) return false;
    point_known_ = time_derivative(t_, x_.data(), z, residual_.data(), h, time_derivative_.data());
    return point_known_;
}

/// Stage i (from 0) into u(i); false if F is not finite there.
bool RosenbrockStepper::stage(int i, double h) {
    const int s = method_.stages;
    double* rhs = u(i);
    const double* c = method_.c.data() + static_cast<std::size_t>(i) * s;
    // At stage 0 everything is as at the start of the step.
    const double* z = dx_.data();
    if (i == 0) {
        std::copy(residual_.begin(), residual_.end(), rhs);
    } else {
        combine(x_.data(), method_.a.data() + static_cast<std::size_t>(i) * s, i, stage_.data());
        if (constant_leading_matrix_) {
            combine(nullptr, c, i, slope_.data());
            for (double& v : slope_) v *= -1.0 / h;
        } else {
            combine(nullptr, method_.slope.data() + static_cast<std::size_t>(i) * s, i, slope_.data());
            for (std::size_t k = 0; k < n_; ++k) slope_[k] = method_.rho[i] * dx_[k] + slope_[k] / h;
        }
        z = slope_.data();
        const double t = method_.alpha[i] == 1.0 ? t_new_ : t_ + method_.alpha[i] * h;
        ++counters_.residuals;
        if (problem_.residual(t, stage_.data(), z, rhs) != problem::EvalStatus::ok) return false;
    }
    const double weight = method_.d[i] * h;
    for (std::size_t k = 0; k < n_; ++k) rhs[k] = -rhs[k] - weight * time_derivative_[k];
    if (!constant_leading_matrix_) {
        // + M (Z_i + (1/h) Σ c_ij u_j)
        combine(nullptr, c, i, stage_.data());
        for (std::size_t k = 0; k < n_; ++k) stage_[k] = stage_[k] / h + z[k];
        jacobian_.apply(0.0, 1.0, stage_.data(), rhs);
    }
    matrix_.solve(std::span(rhs, n_), counters_);
    return true;
}

Attempt RosenbrockStepper::attempt(double h, double t_new) {
    h_ = h;
    t_new_ = t_new;
    norm_.set_weights(x_.data(), h);
    std::copy(x_.begin(), x_.end(), x_new_.begin()); // what a failure report sees
    std::copy(dx_.begin(), dx_.end(), dx_new_.begin());
    if (!evaluate_point(h)) return failed(StepStatus::not_finite, h);
    const double shift = 1.0 / (h * method_.gamma);
    if (shift_ == 0.0 || std::abs(shift_ / shift - 1.0) > same_shift) {
        shift_ = 0.0;
        const linalg::FactorStatus status = matrix_.factor(jacobian_, shift, counters_);
        if (status == linalg::FactorStatus::not_finite) return failed(StepStatus::not_finite, h);
        if (status != linalg::FactorStatus::ok) return failed(StepStatus::singular_matrix, h);
        if (!fixed_step_ && growth_.outruns(jacobian_, matrix_, shift, dx_, norm_.weights(), counters_))
            return failed(StepStatus::newton_failed, h);
        shift_ = shift;
    }
    for (int i = 0; i < method_.essential; ++i)
        if (!stage(i, h)) return failed(StepStatus::not_finite, h);
    combine(nullptr, method_.error.data(), method_.essential, error_.data());
    error_norm_ = norm_(error_.data());
    if (!std::isfinite(error_norm_)) return failed(StepStatus::not_finite, h);
    if (!fixed_step_ && error_norm_ > 1.0) {
        refuse_error(error_norm_);
        return {StepStatus::ok, error_norm_, h * controller_.after_error(error_norm_)};
    }
    // The stages for continuous output evaluate F inside the step: not finite there, the step is too long.
    for (int i = method_.essential; i < method_.stages; ++i)
        if (!stage(i, h)) return failed(StepStatus::not_finite, h);
    const int s = method_.stages;
    combine(x_.data(), method_.b.data(), method_.essential, x_new_.data());
    combine(nullptr, method_.slope.data() + static_cast<std::size_t>(s) * s, method_.essential, dx_new_.data());
    for (double& v : dx_new_) v /= h;
    if (fixed_step_) return {StepStatus::ok, 0.0, h};
    if (watches_between_) {
        make_dense();
        if (const double defect = defect_between(); defect > 1.0)
            return {StepStatus::ok, defect, controller_.halve() * h};
    }
    return {StepStatus::ok, error_norm_, h * controller_.after_success(h, error_norm_)};
}

void RosenbrockStepper::make_dense() {
    for (int r = 0; r < method_.dense_rows; ++r)
        combine(nullptr, method_.dense.data() + static_cast<std::size_t>(r) * method_.stages, method_.stages,
                dense_.data() + static_cast<std::size_t>(r) * n_);
}

/// What the continuous output of the attempt leaves of F, in what radau tolerates (stage_gaps.hpp): diodes that conduct
/// for a moment only.
double RosenbrockStepper::defect_between() {
    std::fill(defect_.begin(), defect_.end(), 0.0);
    for (int k = 1; k < parts; ++k) {
        const double theta = static_cast<double>(k) / parts;
        dense_polynomial(theta, h_, x_, x_new_, stage_.data(), slope_.data());
        ++counters_.residuals;
        if (problem_.residual(t_ + theta * h_, stage_.data(), slope_.data(), safe_x_.data()) != problem::EvalStatus::ok)
            continue;
        for (std::size_t i = 0; i < n_; ++i) defect_[i] += safe_x_[i];
    }
    matrix_.solve(defect_, counters_);
    return tightening_of_rosenbrock(method_.order).constant * norm_(defect_.data()) / tolerable_gap;
}

void RosenbrockStepper::accept() {
    if (!watches_between_ || fixed_step_) make_dense();
    controller_.accept(h_, error_norm_);
    advance();
    point_known_ = false;
    doubt_dense_output();
}

/// Stages for the continuous output alone are not in the error test, and stiffness may throw them far off. In the
/// middle of the step they must not change what the ends and their slopes give by more than curvature does.
void RosenbrockStepper::doubt_dense_output() {
    doubtful_.assign(n_, 0);
    doubts_ = false;
    if (method_.essential == method_.stages || fixed_step_) return;
    const double h = t_ - t_before_;
    dense_polynomial(0.5, h, x_before_, x_, stage_.data(), slope_.data());
    const StepCubic cubic(before(), here(), t_before_ + 0.5 * h);
    for (std::size_t k = 0; k < n_; ++k) {
        doubtful_[k] = !(std::abs(stage_[k] - cubic.value(k)) <=
                         std::max(share_of_curvature * cubic.curvature(k), 1.0 / norm_.weights()[k]));
        doubts_ = doubts_ || doubtful_[k];
    }
}

void RosenbrockStepper::interpolate(double time, double* x, double* dx) const {
    if (time == t_) {
        std::copy(x_.begin(), x_.end(), x);
        std::copy(dx_.begin(), dx_.end(), dx);
        return;
    }
    dense_polynomial((time - t_before_) / (t_ - t_before_), t_ - t_before_, x_before_, x_, x, dx);
    if (!doubts_) return;
    hermite(time, true, safe_x_.data(), safe_dx_.data());
    for (std::size_t k = 0; k < n_; ++k)
        if (doubtful_[k]) {
            x[k] = safe_x_[k];
            dx[k] = safe_dx_[k];
        }
}

void RosenbrockStepper::dense_polynomial(double theta, double h, const std::vector<double>& begin,
                                         const std::vector<double>& end, double* x, double* dx) const {
    for (std::size_t k = 0; k < n_; ++k) {
        double p = 0.0, dp = 0.0; // K_1 + θ (K_2 + …) and its derivative, by Horner's scheme
        for (int r = method_.dense_rows - 1; r >= 0; --r) {
            dp = p + theta * dp;
            p = dense_[static_cast<std::size_t>(r) * n_ + k] + theta * p;
        }
        const double delta = end[k] - begin[k];
        x[k] = begin[k] + theta * (delta + (1.0 - theta) * p);
        dx[k] = (delta + (1.0 - 2.0 * theta) * p + theta * (1.0 - theta) * dp) / h;
    }
}

} // namespace

std::unique_ptr<Stepper> make_rosenbrock(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                                         tableau::RosenbrockName name) {
    return std::make_unique<RosenbrockStepper>(problem, options, tableau::make_rosenbrock(name));
}

} // namespace daedalus::integrate
