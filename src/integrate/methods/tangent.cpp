#include "integrate/methods/tangent.hpp"

#include "integrate/controller.hpp"
#include "integrate/methods/mechanical_points.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {

// As in explicit_runge_kutta.cpp: limits of DOP853, and its combination of two estimates.
constexpr ControllerLimits limits{.safety = 0.9, .shrink = 0.3, .grow = 6.0};
constexpr double share_of_other_estimate = 0.01;
constexpr int order_of_quintic = 5; // beyond it continuous output limits the step

class TangentStepper final : public MechanicalPoints {
public:
    TangentStepper(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                   const tableau::ExplicitRungeKutta& method)
        : MechanicalPoints(problem, options, Between::positions_and_velocities,
                           tightened(options.tolerance, tightening_of_explicit(problem), problem)),
          method_(method), controller_(method.order, limits), rates_(static_cast<std::size_t>(method.stages) * size()),
          sum_(size()), other_error_(n_) {}

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override {
        MechanicalPoints::start(t, x, dx, h);
        controller_.reset();
        longest_ = std::numeric_limits<double>::infinity();
    }
    [[nodiscard]] Attempt attempt(double h, double t_new) override;
    void accept() override {
        controller_.accept(h_, error_norm_);
        MechanicalPoints::accept();
        if (!fixed_step_ && method_.order > order_of_quintic) longest_ = longest_for_output();
    }
    int order() const override { return method_.order; }
    double longest_step() const override { return longest_; }

private:
    using Row = tableau::ExplicitRungeKutta::Row;
    [[nodiscard]] std::size_t size() const { return mechanism_.positions() + mechanism_.velocities(); } ///< of (η, ν)
    [[nodiscard]] double* rate(std::size_t i) { return rates_.data() + i * size(); }
    void combine(const Row& row);
    [[nodiscard]] bool lift(double t);
    [[nodiscard]] bool stage(std::size_t i, double t);
    [[nodiscard]] double estimate(const Row& row, std::vector<double>& e);
    [[nodiscard]] double longest_for_output();
    double errors_of_quintic();
    double errors_of_cubic();
    [[nodiscard]] Attempt failed(StepStatus status) { return {status, 0.0, controller_.after_failure(status) * h_}; }

    const tableau::ExplicitRungeKutta& method_;
    PredictiveController controller_;
    std::vector<double> rates_, sum_, other_error_;
    double error_norm_ = 0.0, longest_ = std::numeric_limits<double>::infinity();
};

/// (η, ν) = h Σ rows.
void TangentStepper::combine(const Row& row) {
    std::fill(sum_.begin(), sum_.end(), 0.0);
    for (const auto& [j, weight] : row) {
        const double* z = rate(static_cast<std::size_t>(j));
        for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] += h_ * weight * z[k];
    }
}

/// Position and velocity over (η, ν), into next_.
bool TangentStepper::lift(double t) {
    const std::size_t n = mechanism_.positions();
    for (std::size_t k = 0; k < n; ++k) next_.y[k] = here_.y[k] + sum_[k];
    for (std::size_t k = 0; k < next_.v.size(); ++k) next_.v[k] = here_.v[k] + sum_[n + k];
    return mechanism_.return_along(t_, here_.y.data(), t, next_.y.data(), next_.v.data());
}

/// η' = P k and ν' = P v' at a stage.
bool TangentStepper::stage(std::size_t i, double t) {
    if (i > 0) {
        combine(method_.a[i]);
        if (!lift(t)) return false;
        if (!mechanism_.accelerations(t, next_.y.data(), next_.v.data(), next_.a.data(), next_.lambda.data()))
            return false;
    }
    const MotionPoint& at = i == 0 ? here_ : next_;
    double* velocity = rate(i) + mechanism_.positions();
    if (!mechanism_.rates(t, at.y.data(), at.v.data(), rate(i))) return false;
    std::copy(at.a.begin(), at.a.end(), velocity);
    if (!mechanism_.at_center(t_, here_.y.data())) return false;
    mechanism_.make_tangential(rate(i), velocity);
    return true;
}

double TangentStepper::estimate(const Row& row, std::vector<double>& e) {
    combine(row);
    const problem::MechanicalStructure& parts = mechanism_.parts();
    std::fill(e.begin(), e.end(), 0.0);
    for (std::size_t k = 0; k < parts.y.size(); ++k) e[static_cast<std::size_t>(parts.y[k])] = sum_[k];
    for (std::size_t k = 0; k < parts.v.size(); ++k) e[static_cast<std::size_t>(parts.v[k])] = sum_[parts.y.size() + k];
    return norm_(e.data());
}

Attempt TangentStepper::attempt(double h, double t_new) {
    h_ = h;
    t_new_ = t_new;
    norm_.set_weights(x_.data(), h);
    const auto s = static_cast<std::size_t>(method_.stages);
    for (std::size_t i = 0; i < s; ++i) {
        const double c = method_.c[i];
        if (!stage(i, c == 1.0 ? t_new_ : t_ + c * h_)) return failed(StepStatus::newton_failed);
    }
    // The last stage is the end of the step.
    const bool whole = complete(t_new_);
    count_work();
    if (!whole) return failed(StepStatus::singular_matrix);
    if (fixed_step_) return {StepStatus::ok, 0.0, h};
    double error = estimate(method_.error[0], error_);
    if (method_.error.size() > 1 && error > 0.0) {
        const double other = estimate(method_.error[1], other_error_);
        error *= error / std::sqrt(error * error + share_of_other_estimate * other * other);
    }
    error_norm_ = error;
    if (!std::isfinite(error)) return failed(StepStatus::not_finite);
    if (error > 1.0) return {StepStatus::ok, error, h * controller_.after_error(error)};
    return {StepStatus::ok, error, h * controller_.after_success(h, error)};
}

double TangentStepper::longest_for_output() {
    std::fill(other_error_.begin(), other_error_.end(), 0.0);
    const double power = mechanism_.parts().identity_kinematics ? errors_of_quintic() : errors_of_cubic();
    const double error = norm_(other_error_.data()) / allowed_between_ends;
    constexpr double safety = 0.9; // as of the controller
    return error > 0.0 ? elementary_factor(error, power, safety * std::abs(t_ - t_before_))
                       : std::numeric_limits<double>::infinity();
}

/// Quintics are of lower order than the steps. Their error is c u³, u = s (1 - s), with second derivative -3 c/8 in the
/// middle, where the acceleration of the motion tells it; c/64 is the largest of positions, 3 c 0.0179 (at s = (1 ±
/// 1/√5)/2) that of velocities. Returns the power of h in the latter.
double TangentStepper::errors_of_quintic() {
    const double h = t_ - t_before_;
    MotionPoint middle(mechanism_);
    std::vector<double> slope(mechanism_.velocities());
    quintic(0.5, middle, &slope);
    if (!mechanism_.accelerations(t_before_ + 0.5 * h, middle.y.data(), middle.v.data(), middle.a.data(),
                                  middle.lambda.data()))
        return 1.0;
    const problem::MechanicalStructure& parts = mechanism_.parts();
    for (std::size_t k = 0; k < slope.size(); ++k) {
        const double c = 8.0 / 3.0 * (slope[k] - middle.a[k]);
        other_error_[static_cast<std::size_t>(parts.y[k])] = h * h * c / 64.0;
        other_error_[static_cast<std::size_t>(parts.v[k])] = h * 3.0 * 0.0179 * c;
    }
    return 5.0;
}

/// Where y' is not v positions and velocities lie on cubics, or on quintics over two steps, with errors c u² at most:
/// 2 c u (1 - 2 s) of slopes is largest at s = (1 ± 1/√3)/2, which the equations of motion tell, and c/16 is the
/// largest of values.
double TangentStepper::errors_of_cubic() {
    const double h = t_ - t_before_, s = 0.5 - std::sqrt(1.0 / 12.0), t = t_before_ + s * h;
    MotionPoint at(mechanism_), moves(mechanism_);
    polynomial(t, at);
    std::vector<double> slope(2 * n_);
    hermite(t, true, slope.data(), slope.data() + n_);
    if (!mechanism_.rates(t, at.y.data(), at.v.data(), moves.y.data()) ||
        !mechanism_.accelerations(t, at.y.data(), at.v.data(), moves.a.data(), moves.lambda.data()))
        return 1.0;
    const double share = std::sqrt(27.0) / 16.0; // of a defect of slopes in errors of values, times h
    const problem::MechanicalStructure& parts = mechanism_.parts();
    const auto compare = [&](const std::vector<int>& unknowns, const std::vector<double>& exact) {
        for (std::size_t k = 0; k < unknowns.size(); ++k) {
            const auto i = static_cast<std::size_t>(unknowns[k]);
            other_error_[i] = h * share * (slope[n_ + i] - exact[k]);
        }
    };
    compare(parts.y, moves.y);
    compare(parts.v, moves.a);
    return 4.0;
}

} // namespace

std::unique_ptr<Stepper> make_tangent(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                                      const tableau::ExplicitRungeKutta& method) {
    return std::make_unique<TangentStepper>(problem, options, method);
}

} // namespace daedalus::integrate
