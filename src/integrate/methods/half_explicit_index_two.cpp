#include "integrate/methods/half_explicit_index_two.hpp"

#include "integrate/controller.hpp"
#include "integrate/index_two_system.hpp"
#include "integrate/methods/one_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace daedalus::integrate {

namespace {

constexpr ControllerLimits limits{.safety = 0.9, .shrink = 0.2, .grow = 10.0}; // of the code HEM5

/// Through values and slopes at both ends and slopes at one and two thirds of the step.
struct Bend {
    std::vector<double> quartic, quintic; ///< y = cubic + s² (1-s)² (quartic + quintic s)
    std::vector<double> first, second;    ///< h times what slopes lack at one and two thirds
};

class HalfExplicitIndexTwo final : public OneStepPoints {
public:
    HalfExplicitIndexTwo(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                         const tableau::HalfExplicit& method)
        : OneStepPoints(problem, options, options.tolerance), method_(method),
          controller_(method.order_of_estimate + 1, limits), system_(problem, options.linear_solver) {
        for (std::size_t k = 0; k < n_; ++k) differential_[k] = problem.unknowns()[k].differential ? 1 : 0;
        slopes_.resize((method.a.size() + 1) * n_);
        for (auto* v : {&base_, &stage_, &slope_, &value_, &bend_.quartic, &bend_.quintic, &bend_.first, &bend_.second,
                        &inside_, &inside_slope_})
            v->resize(n_);
        // A hundredth of the tolerance, as other methods leave in their equations; to round-off without one.
        if (!fixed_step_) system_.ask_for(0.01 * std::min(options.tolerance.relative, options.tolerance.absolute));
    }
    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override {
        OneStepPoints::start(t, x, dx, h);
        controller_.reset();
        begin_here();
    }
    void correct(std::span<const double> x, std::span<const double> dx) override {
        OneStepPoints::correct(x, dx);
        begin_here();
        bent_ = false;
    }
    [[nodiscard]] Attempt attempt(double h, double t_new) override;
    void accept() override {
        controller_.accept(h_, error_norm_);
        advance();
        bent_ = false;
    }
    void interpolate(double time, double* x, double* dx) const override;
    int order() const override { return method_.order; }
    int degree() const override { return 5; }
    bool keeps_states() const override { return true; }
    const double* latest_jacobian() const override { return nullptr; }
    Trial trial() const override { return {t_new_, 0.0, x_new_, dx_new_, error_, norm_.weights()}; }

private:
    /// Slopes of unknowns whose derivatives are not in F, and multipliers, follow from the point.
    void begin_here() {
        (void)(system_.linearise(t_, x_.data(), dx_.data()) &&
               system_.complete(t_, x_.data(), dx_.data(), std::abs(h_)));
    }
    [[nodiscard]] double* K(std::size_t i) { return slopes_.data() + i * n_; } // NOLINT: a letter of the literature
    void combine(const std::vector<double>& row, std::size_t count, double* y) const;
    [[nodiscard]] bool stage(std::size_t i);
    [[nodiscard]] double estimate_error();
    void polynomial(double s, double* x, double* dx) const;
    void bend() const;
    [[nodiscard]] bool slope_at(double s, double* slope) const;
    [[nodiscard]] Attempt failed(StepStatus status) {
        counters_.add_work(system_.take_counters());
        return {status, 0.0, controller_.after_failure(status) * h_};
    }

    const tableau::HalfExplicit& method_;
    PredictiveController controller_;
    mutable IndexTwoSystem system_;
    std::vector<double> slopes_, base_, stage_, slope_, value_;
    double error_norm_ = 0.0;
    mutable Bend bend_; ///< of the last accepted step, once somebody asked
    mutable bool bent_ = false;
    mutable std::vector<double> inside_, inside_slope_;
};

/// y0 + h Σ_{j<count} row_j K_j; multipliers as they are.
void HalfExplicitIndexTwo::combine(const std::vector<double>& row, std::size_t count, double* y) const {
    for (std::size_t j = 0; j < count; ++j) {
        const double factor = h_ * row[j];
        if (factor == 0.0) continue;
        const double* slope = slopes_.data() + j * n_;
        for (std::size_t k = 0; k < n_; ++k)
            if (system_.moves(k)) y[k] += factor * slope[k];
    }
}

/// K_i; leaves the point where its constraint holds in `x_new_`.
bool HalfExplicitIndexTwo::stage(std::size_t i) {
    for (std::size_t k = 0; k < n_; ++k)
        if (system_.moves(k)) stage_[k] = x_[k];
    combine(method_.a[i], i, stage_.data());
    std::copy(x_.begin(), x_.end(), base_.begin());
    const std::vector<double>& row = method_.constraint[i];
    combine(row, i, base_.data());
    const double t = t_ + method_.c[i] * h_;
    const double t_constraint = i + 1 == method_.a.size() ? t_new_ : t_ + method_.c_constraint[i] * h_;
    if (!system_.stage(t, stage_.data(), slope_.data(), t_constraint, base_.data(), h_ * row[i], x_new_.data()))
        return false;
    std::copy(slope_.begin(), slope_.end(), K(i));
    return true;
}

Attempt HalfExplicitIndexTwo::attempt(double h, double t_new) {
    h_ = h;
    t_new_ = t_new;
    norm_.set_weights(x_.data(), h);
    std::copy(x_.begin(), x_.end(), stage_.begin());
    std::copy(dx_.begin(), dx_.end(), slope_.begin());
    if (!system_.linearise(t_, x_.data(), dx_.data())) return failed(StepStatus::singular_matrix);
    for (std::size_t i = 0; i < method_.a.size(); ++i)
        if (!stage(i)) return failed(StepStatus::newton_failed);
    std::copy(slope_.begin(), slope_.end(), dx_new_.begin());
    if (!system_.linearise(t_new_, x_new_.data(), dx_new_.data())) return failed(StepStatus::singular_matrix);
    if (!system_.return_to_constraints(t_new_, x_new_.data(), dx_new_.data()) ||
        !system_.complete(t_new_, x_new_.data(), dx_new_.data(), std::abs(h)))
        return failed(StepStatus::newton_failed);
    if (!fixed_step_) error_norm_ = estimate_error();
    counters_.add_work(system_.take_counters());
    if (fixed_step_) return {StepStatus::ok, 0.0, h};
    if (!std::isfinite(error_norm_)) return failed(StepStatus::not_finite);
    if (error_norm_ > 1.0) return {StepStatus::ok, error_norm_, h * controller_.after_error(error_norm_)};
    return {StepStatus::ok, error_norm_, h * controller_.after_success(h, error_norm_)};
}

/// The difference of two sets of weights in the tangent space of the constraints at the end, whose matrix is at hand.
double HalfExplicitIndexTwo::estimate_error() {
    std::copy(dx_new_.begin(), dx_new_.end(), K(method_.a.size()));
    std::copy(x_.begin(), x_.end(), error_.begin());
    combine(method_.embedded, method_.embedded.size(), error_.data());
    for (std::size_t k = 0; k < n_; ++k) error_[k] = system_.moves(k) ? error_[k] - x_new_[k] : 0.0;
    system_.make_tangential(error_.data());
    return norm_(error_.data());
}

void HalfExplicitIndexTwo::polynomial(double s, double* x, double* dx) const {
    const double h = t_ - t_before_;
    const StepCubic cubic(before(), here(), t_before_ + s * h);
    const double b = s * (1.0 - s), b2 = b * b, slope = 2.0 * b * (1.0 - 2.0 * s);
    for (std::size_t k = 0; k < n_; ++k) {
        const bool moves = system_.moves(k); // multipliers: guesses
        const double more = moves ? bend_.quartic[k] + s * bend_.quintic[k] : 0.0;
        x[k] = cubic.value(k) + b2 * more;
        dx[k] = cubic.slope(k) + (moves ? (slope * more + b2 * bend_.quintic[k]) / h : 0.0);
    }
}

/// h y' of the equations where the polynomial is at s.
bool HalfExplicitIndexTwo::slope_at(double s, double* slope) const {
    const double h = t_ - t_before_, t = t_before_ + s * h;
    polynomial(s, inside_.data(), inside_slope_.data());
    std::copy(inside_slope_.begin(), inside_slope_.end(), slope);
    if (!system_.linearise(t, inside_.data(), inside_slope_.data()) ||
        !system_.return_to_constraints(t, inside_.data(), inside_slope_.data()) ||
        !system_.complete(t, inside_.data(), inside_slope_.data(), std::abs(h)))
        return false;
    for (std::size_t k = 0; k < n_; ++k) slope[k] = h * (inside_slope_[k] - slope[k]);
    return true;
}

/// From the cubic to a quartic by the slope at 1/3, whose error is O(h⁵), from there to a quintic by those at 1/3 and
/// 2/3 with errors O(h⁶). d/ds s²(1-s)² = 4/27 at 1/3, -4/27 at 2/3, where s²(1-s)² = 4/81 twice.
void HalfExplicitIndexTwo::bend() const {
    bent_ = true;
    std::fill(bend_.quartic.begin(), bend_.quartic.end(), 0.0);
    std::fill(bend_.quintic.begin(), bend_.quintic.end(), 0.0);
    if (!slope_at(1.0 / 3.0, bend_.first.data())) return;
    for (std::size_t k = 0; k < n_; ++k) bend_.quartic[k] = 27.0 / 4.0 * bend_.first[k];
    if (!slope_at(1.0 / 3.0, bend_.first.data()) || !slope_at(2.0 / 3.0, bend_.second.data())) return;
    // What is missing in the slopes: of δ + ε s, 4/27 (δ + ε/3) + 4/81 ε and -4/27 (δ + 2ε/3) + 4/81 ε.
    for (std::size_t k = 0; k < n_; ++k) {
        const double p = 27.0 / 4.0 * bend_.first[k], q = 27.0 / 4.0 * bend_.second[k]; // δ + 2ε/3 and -δ - ε/3
        const double epsilon = 3.0 * (p + q), delta = p - 2.0 / 3.0 * epsilon;
        bend_.quartic[k] += delta;
        bend_.quintic[k] += epsilon;
    }
}

void HalfExplicitIndexTwo::interpolate(double time, double* x, double* dx) const {
    if (time == t_) {
        std::copy(x_.begin(), x_.end(), x);
        std::copy(dx_.begin(), dx_.end(), dx);
        return;
    }
    if (!bent_) bend();
    polynomial((time - t_before_) / (t_ - t_before_), x, dx);
    if (!system_.linearise(time, x, dx) || !system_.return_to_constraints(time, x, dx)) return;
    (void)system_.complete(time, x, dx, std::abs(t_ - t_before_));
}

} // namespace

std::unique_ptr<Stepper> make_half_explicit_index_two(const problem::ImplicitProblem& problem,
                                                      const IntegrationOptions& options,
                                                      const tableau::HalfExplicit& method) {
    return std::make_unique<HalfExplicitIndexTwo>(problem, options, method);
}

} // namespace daedalus::integrate
