#include "integrate/methods/one_step.hpp"

#include "integrate/controller.hpp"
#include "integrate/round_off.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

OneStepPoints::OneStepPoints(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                             const Tolerance& tolerance_of_estimate)
    : problem_(problem), n_(static_cast<std::size_t>(problem.size())), fixed_step_(options.method.fixed_step),
      norm_(problem, tolerance_of_estimate, options.norm), quantity_(problem), noise_(problem) {
    for (auto* v : {&x_, &dx_, &x_new_, &dx_new_, &error_, &x_before_, &dx_before_, &x_older_, &dx_older_})
        v->resize(n_);
    differential_.resize(n_);
}

void OneStepPoints::start(double t, std::span<const double> x, std::span<const double> dx, double h) {
    t_ = t;
    h_ = h;
    std::copy(x.begin(), x.end(), x_.begin());
    std::copy(dx.begin(), dx.end(), dx_.begin());
    (void)quantity_.begin(t_, x_.data(), dx_.data()); // without a value, no stage has one
    history_ = 0;
    smooth_steps_ = 0;
    stall_ = {};
}

void OneStepPoints::correct(std::span<const double> x, std::span<const double> dx) {
    std::copy(x.begin(), x.end(), x_.begin());
    std::copy(dx.begin(), dx.end(), dx_.begin());
    (void)quantity_.begin(t_, x_.data(), dx_.data());
}

/// What round-off does to steps of the present size, and to much longer ones: short ones may be what noise asks for.
void OneStepPoints::suspect_noise() {
    constexpr double share = 0.3, granted = 4.0; // the last as in NoiseFloors::grant
    constexpr int draws = 8;                     // one may cancel by accident
    if (h_ == 0.0 || fixed_step_) return;
    JacobianValues jacobian(problem_);
    ShiftedMatrix<double> matrix(problem_, linalg::SolverKind::automatic);
    RoundOff round_off(n_);
    std::vector<double> residual(n_);
    if (jacobian.evaluate(t_, x_.data(), dx_.data(), counters_) != problem::EvalStatus::ok ||
        problem_.residual(t_, x_.data(), dx_.data(), residual.data()) != problem::EvalStatus::ok)
        return;
    // At the step at hand and at much longer ones, where ∂F/∂x alone decides what rounding does.
    for (const double longer : {1.0, 1e3}) {
        const double shift = 1.0 / (longer * h_);
        if (matrix.factor(jacobian, shift, counters_) != linalg::FactorStatus::ok) return;
        for (int draw = 0; draw < draws; ++draw) {
            round_off.measure(t_, x_.data(), dx_.data(), residual.data(), jacobian, shift, counters_);
            round_off.estimate(jacobian, shift, x_.data(), matrix, counters_);
        }
    }
    norm_.set_weights(x_.data(), h_);
    for (std::size_t k = 0; k < n_; ++k) {
        const double level = round_off.level()[k];
        if (level * norm_.weights()[k] < share) continue;
        norm_.raise_floor(static_cast<int>(k), granted * level);
        noise_.note({t_, static_cast<int>(k), granted * level});
    }
}

void OneStepPoints::links_changed() {
    smooth_steps_ = 0; // x' of a new state was no derivative of full order before
    for (const problem::Link& link : problem_.links()) dx_[link.state] = x_[link.derivative];
}

void OneStepPoints::advance() {
    ++counters_.steps;
    t_older_ = t_before_;
    std::swap(x_older_, x_before_);
    std::swap(dx_older_, dx_before_);
    t_before_ = t_;
    std::swap(x_before_, x_);
    std::swap(dx_before_, dx_);
    std::copy(x_new_.begin(), x_new_.end(), x_.begin());
    std::copy(dx_new_.begin(), dx_new_.end(), dx_.begin());
    quantity_.advance();
    t_ = t_new_;
    stall_ = {};
    ++history_;
    ++smooth_steps_;
}

OneStepStepper::OneStepStepper(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                               const Tolerance& tolerance_of_estimate)
    : OneStepPoints(problem, options, tolerance_of_estimate), jacobian_(problem),
      matrix_(problem, options.linear_solver), later_(n_), x_between_(n_), dx_between_(n_) {}

void OneStepStepper::start(double t, std::span<const double> x, std::span<const double> dx, double h) {
    OneStepPoints::start(t, x, dx, h);
    shift_ = 0.0;
    jacobian_current_ = false;
    longest_step_ = std::numeric_limits<double>::infinity();
}

void OneStepStepper::links_changed() {
    OneStepPoints::links_changed();
    jacobian_.resize();
    matrix_.resize(problem_);
    shift_ = 0.0;
    jacobian_current_ = false;
}

void OneStepStepper::advance() {
    OneStepPoints::advance();
    jacobian_current_ = false;
}

bool OneStepStepper::evaluate_jacobian() {
    if (jacobian_current_) return true;
    shift_ = 0.0;
    if (jacobian_.evaluate(t_, x_.data(), dx_.data(), stated_ ? quantity_.slope_here() : nullptr, counters_) !=
        problem::EvalStatus::ok)
        return false;
    if (stated_) quantity_.frozen.freeze(t_, x_.data());
    jacobian_current_ = true;
    if (marked_revision_ != problem_.revision()) {
        jacobian_.mark_differential(differential_);
        marked_revision_ = problem_.revision();
    }
    return true;
}

bool OneStepStepper::time_derivative(double t, const double* x, const double* dx, const double* residual, double h,
                                     double* result) {
    // Five points at distances of h/100: the formula's own error, some 2e-9 h⁴ F_ttttt, lowers no order up to 6 that
    // could be seen, and round-off is amplified a thousandfold only. Never below the resolution of t.
    const double wanted = std::max(1e-2 * std::abs(h), 1e3 * std::numeric_limits<double>::epsilon() * std::abs(t));
    const double t1 = t + std::copysign(wanted, h), step = t1 - t;
    constexpr double weight[] = {-0.25, 4.0 / 3.0, -3.0, 4.0}; // of F(t + kτ) - F(t) for k = 4, 3, 2, 1
    std::fill_n(result, n_, 0.0);
    for (int k = 4; k >= 1; --k) {
        ++counters_.residuals;
        if (problem_.residual(k == 1 ? t1 : t + k * step, x, dx, later_.data()) != problem::EvalStatus::ok)
            return false;
        if (k == 4 && !problem_.collective().any(!std::equal(later_.begin(), later_.end(), residual)))
            return true; // F does not know the time
        for (std::size_t i = 0; i < n_; ++i) result[i] += weight[4 - k] / step * (later_[i] - residual[i]);
    }
    return true;
}

/// With errors e of x and e' of x', A δ = F(t, x, x') = J e + M e' for A = J + σ M, σ a few times 1/h. The first δ is
/// taken from x, as points of output are corrected (consistent_output.hpp): that removes e in stiff components. The
/// second then is e'/σ in all others; a third of the way along, e' h is some three times the largest e, as for θ² (1 -
/// θ)².
void OneStepStepper::judge_between(double tightening) {
    longest_step_ = std::numeric_limits<double>::infinity();
    if (fixed_step_ || shift_ == 0.0) return;
    const double h = t_ - t_before_, time = t_before_ + 0.3 * h;
    interpolate(time, x_between_.data(), dx_between_.data());
    for (int twice = 0; twice < 2; ++twice) {
        ++counters_.residuals;
        if (problem_.residual(time, x_between_.data(), dx_between_.data(), later_.data()) != problem::EvalStatus::ok)
            return;
        matrix_.solve(later_, counters_);
        for (std::size_t k = 0; k < n_; ++k) x_between_[k] -= later_[k];
    }
    const double scale = std::abs(shift_ * h) / 3.0;
    for (std::size_t k = 0; k < n_; ++k) later_[k] *= differential_[k] ? scale : 0.0;
    constexpr double power = 4.0; // of h in the error of a cubic; that of higher ones needs no more
    const double error = tightening * norm_(later_.data()) / allowed_between_ends;
    if (std::isfinite(error) && error > 0.0) longest_step_ = elementary_factor(error, power, 0.9 * std::abs(h));
}

bool OneStepPoints::has_quintic() const {
    return smooth_steps_ >= 2 && StepQuintic::fits(t_before_ - t_older_, t_ - t_before_);
}

void OneStepPoints::hermite(double time, bool quintic, double* x, double* dx) const {
    const StepCubic cubic(before(), here(), time);
    for (std::size_t k = 0; k < n_; ++k) {
        x[k] = cubic.value(k);
        dx[k] = cubic.slope(k);
    }
    if (!quintic || !has_quintic()) return;
    // The older point changes a cubic that resolves the solution by less than curvature does; in a stiff transient or
    // across a kink only the polynomial that ends at the end points is safe.
    improve_by_quintic(time, x, dx, [&](std::size_t k, double value) {
        return std::abs(value - x[k]) <= std::max(0.5 * cubic.curvature(k), 1.0 / norm_.weights()[k]);
    });
}

} // namespace daedalus::integrate
