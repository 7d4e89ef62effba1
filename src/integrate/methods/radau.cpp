#include "integrate/methods/radau.hpp"

#include "integrate/controller.hpp"
#include "integrate/methods/follower_errors.hpp"
#include "integrate/methods/kept_collocation.hpp"
#include "integrate/methods/radau_equation.hpp"
#include "integrate/methods/radau_stepper.hpp"
#include "integrate/methods/stage_gaps.hpp"
#include "integrate/methods/step_guards.hpp"
#include "nonlinear/newton.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

namespace daedalus::integrate {

namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

// Constants. RADAU5, RADAU: the programs of Hairer & Wanner (HW IV.8; Hairer & Wanner 1999).
constexpr ControllerLimits limits{.safety = 0.9, .shrink = 0.2, .grow = 8.0}; // RADAU5's SAFE, FACL, FACR
// Newton: κ = min(0.03, √rtol), not below 10 units in the last place (RADAU5's FNEWT). Velocities of an index-3 problem
// are iterated to κ/h only and their errors add up over the steps: there it is a twentieth. Constant steps have no
// error test that would notice.
constexpr double kappa = 0.03, share_of_higher_index = 0.05, kappa_of_constant_steps = 1e-3;
constexpr double roundings_of_newton = 10;
constexpr int most_iterations(int stages) { return 7 + std::max(0, (stages - 3) * 5 / 2); } // RADAU's NIT
// The first correction measures the predictor, the second the rate: a predictor that was good by chance makes a ratio
// above 1 that says nothing. Three times, and it is no longer chance.
constexpr double growth_at_first = 3.0;
constexpr double rate_for_new_jacobian = 1e-3; // RADAU5's THET
constexpr double same_size = 1e-8;             // steps that differ by the roundings of their times keep their matrices
constexpr double roundings_of_x = 4;           // a correction of that size is none
constexpr double roundings_of_stages = 16;     // of x, in differences of stages: eight for either
// A point ahead is predicted: it may be trusted as long as the step has been attempted less often than this.
constexpr int attempts_trusted = 3, attempts_trusted_if_steep = 1;
// What follows from unknowns magnifies their errors (dependent_errors.hpp). Newton leaves κ of the tolerance, and ten
// times that does no harm; beyond 1e5 nothing can be done by iterating.
constexpr double harmless = 10.0, most_magnified = 1e5;
// Noise in Newton's iteration (noise_floors.hpp): a correction far above the tolerance is no round-off; one below it
// that repeats itself to a few percent, after more iterations than a start takes, flickers between neighbouring
// numbers.
constexpr double near_tolerance = 10.0, flickering = 0.03;
constexpr int iterations_of_start = 3;
constexpr double below_tolerance = 0.5, above_noise = 2.0;
// What stages step over (stage_gaps.hpp), in tolerances: steps that resolve what happens are mostly below 1, and below
// 20 all but a few.
constexpr double tolerable_gap = 100.0;

template <int S>
class Radau final : public RadauStepper {
public:
    Radau(const problem::ImplicitProblem& problem, const IntegrationOptions& options)
        : RadauStepper(problem, options, S), tableau_(tableau::make_radau_iia(S)),
          equation_(problem, tableau_, options.linear_solver), guards_(problem, options),
          followers_(problem, options.method.watches), controller_(S + 1.0, limits) {
        const Tolerance& asked = options.tolerance;
        const Tolerance estimated = tightened(asked, tightening_of_radau(S), problem);
        const double rtol = estimated.relative;
        const double share = asked.relative > 0.0   ? estimated.relative / asked.relative
                             : asked.absolute > 0.0 ? estimated.absolute / asked.absolute
                                                    : 1.0;
        between_share_ = share / allowed_between;
        newton_options_.max_iterations =
            options.method.max_newton_iterations > 0 ? options.method.max_newton_iterations : most_iterations(S);
        higher_index_ = problem.highest_index() > 1;
        // With one stage the square in the tightened tolerance is not meant for Newton.
        const double wanted =
            (higher_index_ ? share_of_higher_index : 1.0) * std::min(kappa, std::sqrt(S == 1 ? asked.relative : rtol));
        if (S > 1) newton_options_.growth_at_first = growth_at_first;
        smallest_kappa_ = roundings_of_newton * eps / std::max(rtol, eps);
        newton_options_.kappa = std::max(smallest_kappa_, wanted);
        if (fixed_step_) newton_options_.kappa = std::min(newton_options_.kappa, kappa_of_constant_steps);
        for (auto* v : {&slope_, &residual_, &predicted_}) v->resize(n_);
        if (options.method.watches.gaps && S > 1 && !fixed_step_ && !higher_index_ && problem.steep() &&
            problem.has_differential())
            gaps_.emplace(problem, tableau_);
    }

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override {
        OneStepPoints::start(t, x, dx, h);
        h_old_ = h;
        jacobian_current_ = false;
        residual_known_ = false;
        polynomials_ = 0;
        factored_h_ = 0.0;
        need_jacobian_ = true;
        rejections_ = 0;
        magnified_ = 1.0;
        guards_.reset();
        controller_.reset();
        monitor_.forget_rate();
    }

    [[nodiscard]] Attempt attempt(double h, double t_new) override;
    void accept() override;
    void correct(std::span<const double> x, std::span<const double> dx) override {
        double* z = Z_old_.data() + (S - 1) * n_; // the collocation polynomial ends at the moved point
        for (std::size_t k = 0; k < n_; ++k) z[k] += x[k] - x_[k];
        OneStepPoints::correct(x, dx);
        residual_known_ = false;
    }

    void take_over(const RadauStepper& other) override;
    void collocation(double theta, double* z) const override;
    void interpolate(double time, double* x, double* dx) const override {
        interpolate_collocation<S>(last_step(), time, x, dx);
    }
    std::unique_ptr<const KeptStep> keep() const override { return keep_collocation(last_step()); }
    void links_changed() override {
        jacobian_.resize();
        equation_.links_changed();
        guards_.links_changed();
        need_jacobian_ = true;
        jacobian_current_ = false;
        factored_h_ = 0.0;
        smooth_steps_ = 0; // x' of a new state was no derivative of full order before
        revision_ = problem_.revision();
    }
    std::string linear_solver() const override { return equation_.real_matrix.description(); }
    Trial trial() const override {
        return {t_new_, tableau_.gamma / h_, x_new_, dx_new_, error_, norm_.weights(), error_at_end_};
    }

private:
    void predict_stages(double h);
    [[nodiscard]] problem::EvalStatus evaluate_jacobian(double h);
    [[nodiscard]] StepStatus prepare(double h);
    [[nodiscard]] nonlinear::NewtonResult solve_stages();
    void look_for_noise(const nonlinear::NewtonResult& newton, double h);
    [[nodiscard]] Attempt not_solved(const nonlinear::NewtonResult& newton, double h);
    [[nodiscard]] Attempt judge(double h, double effort);
    [[nodiscard]] Attempt refused(double error, double h, double factor);
    /// F at the beginning of the step, or G.
    [[nodiscard]] problem::EvalStatus evaluate(const double* x, const double* dx, const double* dq, double* r) {
        ++counters_.residuals;
        return dq == nullptr ? problem_.residual(t_, x, dx, r) : problem_.stated_residual(t_, x, dx, dq, r);
    }
    [[nodiscard]] double estimate_error(double h);
    [[nodiscard]] double error_between(double h, double newton_left);
    [[nodiscard]] Attempt failed(StepStatus status, double h);
    [[nodiscard]] Attempt failed_by(StepStatus status, double h, double factor);
    void find_end();
    [[nodiscard]] CollocationStep last_step() const;

    const tableau::RadauIIA& tableau_;
    RadauEquation<S> equation_;
    StepGuards guards_;
    FollowerErrors followers_;
    PredictiveController controller_;
    nonlinear::ConvergenceMonitor monitor_;
    nonlinear::NewtonOptions newton_options_;
    double smallest_kappa_ = 0.0; ///< below is round-off

    /// Errors between the ends of steps are no errors that add up: they may be as large as this times the tolerance.
    static constexpr double allowed_between = 2.0;
    double between_share_ = 1.0;       ///< tolerance of the estimate over what is allowed between
    std::optional<StageGaps<S>> gaps_; ///< where there may be what stages step over
    std::vector<double> predicted_;    ///< first stage of the starting values
    int polynomials_ = 0;              ///< steps since the start with these stages
    struct StagePredictor {            ///< Z = weight Z_old for steps of this ratio
        std::array<double, S * S> weight{};
        double ratio = 0.0;
    };
    StagePredictor predictor_;
    double error_norm_ = 0;
    double error_at_end_ = 0; ///< that of error_; between stages it may be larger
    std::vector<double> slope_, residual_;
    bool slow_newton_ = false;    ///< of the last attempt
    int rejections_ = 0;          ///< of attempts since the last accepted one
    bool jacobian_ahead_ = false; ///< the Jacobian belongs to a predicted point
    bool higher_index_ = false;   ///< some unknown has index 2 or more
    bool residual_known_ = false; ///< residual_ = F(t_n, x_n, x'_n) is up to date
    double factored_h_ = 0;       ///< h of the factorised matrices, 0: none
    Stall newton_stall_;
};

/// Starting values: the previous collocation polynomial continued (HW (8.5)), or the slope on the first step and where
/// Newton's iteration fails again and again: high degrees magnify what it left of algebraic unknowns in the step
/// before.
template <int S>
void Radau<S>::predict_stages(double h) {
    double* Z = equation_.Z.data();
    if (history_ == 0) {
        for (int i = 0; i < S; ++i)
            for (std::size_t k = 0; k < n_; ++k) Z[i * n_ + k] = tableau_.c[i] * h * dx_[k];
        return;
    }
    if (const double ratio = h / h_old_; ratio != predictor_.ratio) {
        for (int i = 0; i < S; ++i) {
            const std::span<double, S> weight(predictor_.weight.data() + i * S, S);
            tableau_.collocation_weights(1.0 + tableau_.c[i] * ratio, weight);
            weight[S - 1] -= 1.0; // relative to x_n = x_{n-1} + Z_S
        }
        predictor_.ratio = ratio;
    }
    combine_stages<S, S>(predictor_.weight, n_, Z_old_.data(), Z);
    std::copy_n(Z, n_, predicted_.begin());
}

/// The same polynomial on other nodes: exact if this method has at least as many stages.
template <int S>
void Radau<S>::take_over(const RadauStepper& other) {
    RadauStepper::take_over(other);
    noise_.apply(norm_);
    for (int i = 0; i < S; ++i) other.collocation(tableau_.c[i], Z_old_.data() + i * n_);
    factored_h_ = 0.0;
    guards_.forget_matrix();
    residual_known_ = false;
    polynomials_ = 0;
    rejections_ = 0;
    controller_.reset();
    monitor_.forget_rate();
}

template <int S>
void Radau<S>::collocation(double theta, double* z) const {
    std::array<double, S> weight;
    tableau_.collocation_weights(theta, weight);
    combine_stages<1, S>(weight, n_, Z_old_.data(), z);
}

template <int S>
Attempt Radau<S>::failed(StepStatus status, double h) {
    return failed_by(status, h, controller_.after_failure(status));
}

template <int S>
Attempt Radau<S>::failed_by(StepStatus status, double h, double factor) {
    find_end();
    if (!jacobian_current_ || jacobian_ahead_) need_jacobian_ = true;
    ++rejections_;
    factored_h_ = 0.0;
    monitor_.forget_rate();
    return {status, 0.0, h * factor};
}

template <int S>
void Radau<S>::find_end() {
    const double* z = equation_.Z.data() + (S - 1) * n_;
    for (std::size_t k = 0; k < n_; ++k) x_new_[k] = x_[k] + z[k];
    equation_.stage_derivative(S - 1, dx_new_.data());
    if (!quantity_.present()) return;
    equation_.quantity_derivative(S - 1, quantity_.new_slope.data());
    for (std::size_t k = 0; k < quantity_.size(); ++k)
        quantity_.new_value[k] = quantity_.value[k] + equation_.quantity_at_end()[k];
}

/// At the predicted middle stage: over the step the Jacobian then differs from the frozen one half as much as from one
/// at the start, and Newton takes fewer iterations (a fifth to a third, on mechanisms and kinetics). Where the
/// prediction is not to be trusted, on first steps and those repeated again and again, at the start.
template <int S>
problem::EvalStatus Radau<S>::evaluate_jacobian(double h) {
    constexpr int middle = S / 2;
    const int trusted = problem_.steep() ? attempts_trusted_if_steep : attempts_trusted;
    jacobian_ahead_ = S > 1 && history_ > 0 && rejections_ < trusted;
    if (jacobian_ahead_) {
        const double* z = equation_.Z.data() + middle * n_;
        for (std::size_t k = 0; k < n_; ++k) x_new_[k] = x_[k] + z[k];
        equation_.stage_derivative(middle, dx_new_.data());
        const bool defined = !quantity_.present() || equation_.find_quantities();
        if (quantity_.present()) equation_.quantity_derivative(middle, quantity_.new_slope.data());
        if (defined && jacobian_.evaluate(t_ + tableau_.c[middle] * h, x_new_.data(), dx_new_.data(),
                                          quantity_.slope_there(), counters_) == problem::EvalStatus::ok) {
            quantity_.frozen.freeze(t_ + tableau_.c[middle] * h, x_new_.data());
            return problem::EvalStatus::ok;
        }
        jacobian_ahead_ = false;
    }
    quantity_.frozen.freeze(t_, x_.data());
    return jacobian_.evaluate(t_, x_.data(), dx_.data(), quantity_.slope_here(), counters_);
}

/// Jacobian and matrices of this step size.
template <int S>
StepStatus Radau<S>::prepare(double h) {
    if (need_jacobian_) {
        if (evaluate_jacobian(h) != problem::EvalStatus::ok) return StepStatus::not_finite;
        need_jacobian_ = false;
        jacobian_current_ = true;
        factored_h_ = 0.0;
        if (marked_revision_ != problem_.revision()) {
            jacobian_.mark_differential(differential_);
            marked_revision_ = problem_.revision();
        }
    }
    if (factored_h_ != 0.0 && std::abs(h / factored_h_ - 1.0) <= same_size) return StepStatus::ok;
    const linalg::FactorStatus factors = equation_.factor(jacobian_, h, counters_);
    monitor_.forget_rate();
    const StepStatus status =
        guards_.judge(factors, jacobian_, equation_.real_matrix, tableau_.gamma / h, dx_, norm_.weights(), counters_);
    followers_.forget();
    if (status == StepStatus::ok) factored_h_ = h;
    return status;
}

template <int S>
nonlinear::NewtonResult Radau<S>::solve_stages() {
    nonlinear::NewtonOptions wanted = newton_options_;
    wanted.kappa =
        std::max(wanted.kappa * harmless / std::clamp(magnified_, harmless, most_magnified), smallest_kappa_);
    return nonlinear::newton(equation_, monitor_, wanted,
                             std::max(newton_floor_, roundings_of_x * eps * norm_(x_.data())));
}

/// Corrections near the tolerance that step after step no longer shrink are noise.
template <int S>
void Radau<S>::look_for_noise(const nonlinear::NewtonResult& newton, double h) {
    if (!(newton.last_norm <= near_tolerance)) return;
    if (newton.iterations > iterations_of_start && newton.last_norm < 1.0 && std::abs(newton.rate - 1.0) < flickering &&
        jacobian_current_)
        newton_stall_.certain(std::abs(h));
    if (!newton_stall_.proves_noise(h, newton.last_norm)) return;
    // Below the tolerance the corrections need no smaller; above it, the tolerance must be larger.
    if (newton.last_norm < below_tolerance)
        newton_floor_ = std::max(newton_floor_, above_noise * newton.last_norm);
    else
        noise_.grant(t_, x_, newton.last_norm, error_, norm_);
}

template <int S>
Attempt Radau<S>::not_solved(const nonlinear::NewtonResult& newton, double h) {
    equation_.largest_correction(error_.data());
    if (newton.status == nonlinear::NewtonStatus::not_finite) return failed(StepStatus::not_finite, h);
    const double factor =
        newton.status == nonlinear::NewtonStatus::too_slow
            ? controller_.after_slow_newton(newton.predicted, newton_options_.max_iterations - 1 - newton.iterations)
            : controller_.after_failure(StepStatus::newton_failed);
    look_for_noise(newton, h);
    if (jacobian_current_) guards_.newton_failed(h * factor);
    return failed_by(StepStatus::newton_failed, h, factor);
}

template <int S>
Attempt Radau<S>::refused(double error, double h, double factor) {
    if (!jacobian_current_) need_jacobian_ = true;
    ++rejections_;
    return {StepStatus::ok, error, h * factor};
}

template <int S>
Attempt Radau<S>::attempt(double h, double t_new) {
    h_ = h;
    t_new_ = t_new;
    norm_.set_weights(x_.data(), h);
    equation_.pose(t_, h, t_new, x_.data(), quantity_.value.data(), norm_, counters_);
    predict_stages(h);
    if (const StepStatus status = prepare(h); status != StepStatus::ok) return failed(status, h);
    const nonlinear::NewtonResult newton = solve_stages();
    if (!newton.usable()) return not_solved(newton, h);
    if (quantity_.present() && !equation_.carry_quantities(quantity_.frozen)) return failed(StepStatus::not_finite, h);
    rate_ = newton.rate;
    const double left = newton.last_norm * (newton.iterations > 1 && newton.rate < 0.5 ? newton.rate : 1.0);
    // Θ decides about the Jacobian of the next step.
    slow_newton_ = newton.rate > rate_for_new_jacobian;
    error_at_end_ = fixed_step_ ? 0.0 : estimate_error(h);
    if (!std::isfinite(error_at_end_)) return failed(StepStatus::not_finite, h);
    error_norm_ = fixed_step_ ? error_at_end_ : std::max(error_at_end_, error_between(h, left));
    const double m = newton_options_.max_iterations;
    return judge(h, std::min(1.0, (1.0 + 2.0 * m) / (newton.iterations + 2.0 * m)));
}

/// `effort`: the fewer iterations, the nearer to 1 (HW IV.8: steps that took many are not made larger).
template <int S>
Attempt Radau<S>::judge(double h, double effort) {
    find_end();
    if (error_norm_ > 1.0) {
        if (error_at_end_ > 1.0) refuse_error(error_at_end_);
        return refused(error_norm_, h,
                       history_ == 0 ? controller_.after_first_error() : controller_.after_error(error_norm_, effort));
    }
    if (guards_.hides_error(jacobian_, tableau_.gamma / h,
                            {t_new_, x_new_.data(), dx_new_.data(), quantity_.slope_there()}, norm_, counters_)) {
        jacobian_current_ = false;
        return failed(StepStatus::newton_failed, h);
    }
    if (gaps_) {
        gaps_->add_up(t_, h, x_, equation_.Z, slope_, counters_);
        equation_.real_matrix.solve(slope_, counters_);
        const double defect = between_share_ * norm_(slope_.data()) / tolerable_gap;
        if (defect > 1.0) return refused(defect, h, controller_.halve());
    }
    double factor = fixed_step_ ? 1.0 : controller_.after_success(h, error_norm_, effort);
    factor = guards_.limited(factor, h, rate_, jacobian_current_, 0.0);
    if (!slow_newton_) factor = PredictiveController::worth_a_factorisation(factor);
    return {StepStatus::ok, error_norm_, h * factor};
}

/// x̂ - x of the embedded formula, filtered by the real matrix (HW (8.19)): with M = ∂F/∂x' and e from the tableau
///     (γ/h M + J) err = M v + f(x_n) = -F(t_n, x_n, -v) ,   v = Σ γ e_i Z_i / h ,
/// since F = M x' - f to first order. -v approximates x'_n to order S, so F is evaluated near a zero. What Newton left
/// of F(t_n, x_n, x'_n) in the last step is no error of this one; for constraints of index 3 the filter would divide
/// it by h², so there it is subtracted.
template <int S>
double Radau<S>::estimate_error(double h) {
    const double* Z = equation_.Z.data();
    std::array<double, S> v;
    for (int j = 0; j < S; ++j) v[j] = -tableau_.error[j] / h;
    combine_stages<1, S>(v, n_, Z, slope_.data());
    if (quantity_.present()) equation_.combine_quantities(v, quantity_.new_slope.data());
    const auto filtered = [&](const double* at) {
        if (evaluate(at, slope_.data(), quantity_.slope_there(), error_.data()) != problem::EvalStatus::ok)
            return std::numeric_limits<double>::infinity();
        if (higher_index_)
            for (std::size_t k = 0; k < n_; ++k) error_[k] -= residual_[k];
        for (double& e : error_) e = -e;
        equation_.real_matrix.solve(error_, counters_);
        return norm_(error_.data());
    };
    if (higher_index_ && !residual_known_) {
        if (evaluate(x_.data(), dx_.data(), quantity_.slope_here(), residual_.data()) != problem::EvalStatus::ok)
            std::fill(residual_.begin(), residual_.end(), 0.0);
        residual_known_ = true;
    }
    double error = filtered(x_.data());
    // On first and repeated steps the estimate is filtered once more: bounded for h λ → ∞ (HW (8.20)).
    if (error >= 1.0 && (history_ == 0 || rejections_ > 0)) {
        for (std::size_t k = 0; k < n_; ++k) x_new_[k] = x_[k] + error_[k];
        const double again = filtered(x_new_.data());
        if (std::isfinite(again)) error = again;
    }
    return error;
}

/// Error of the collocation polynomial between its nodes. The estimate above is of the end of the step, where stiff
/// components are far more accurate than between the stages: they follow the others there, the polynomial does not. Its
/// error is θ Π (θ - c_j) h^(S+1) times a divided difference of order S + 1, which the first stage makes with the
/// polynomial of the step before. Its slope at the end is what stiff components follow;
/// `newton_left`: of corrections, in tolerances.
template <int S>
double Radau<S>::error_between(double h, double newton_left) {
    if (polynomials_ == 0) return 0.0;
    const double ratio = h_old_ / h;
    double nodes = tableau_.c[0] + ratio; // Π (t_n + c_1 h - t_j) / h^(S+1), t_j: those of the step before
    for (int j = 0; j < S; ++j) nodes *= tableau_.c[0] + ratio * (1.0 - tableau_.c[j]);
    const double factor = between_share_ * tableau_.between / nodes;
    for (std::size_t k = 0; k < n_; ++k)
        slope_[k] = differential_[k] != 0 ? factor * (equation_.Z[k] - predicted_[k]) : 0.0;
    const double between = norm_(slope_.data());
    if (!followers_.active()) return between;
    // E'(1) over max |E|, against the tolerance itself: this is an error of the end.
    const double slope_of_error = allowed_between / (tableau_.lagrange[S - 1] * tableau_.between * h);
    for (double& slope : slope_) slope *= slope_of_error;
    // Differences of stages are as exact as Newton's iteration and roundings leave them.
    const auto noise = [&](std::size_t k) {
        const double difference = roundings_of_stages * eps * std::abs(x_[k]) + newton_left / norm_.weights()[k];
        return differential_[k] != 0 ? std::abs(factor * slope_of_error) * difference : 0.0;
    };
    return std::max(between, followers_.estimate(slope_, between, noise, tableau_.gamma / h, jacobian_,
                                                 equation_.real_matrix, norm_, counters_));
}

template <int S>
void Radau<S>::accept() {
    newton_stall_ = {};
    controller_.accept(h_, error_norm_);
    if (quantity_.present())
        find_slopes_of_unknowns(problem_, t_new_, x_new_.data(), dx_new_.data(), tableau_.gamma / h_,
                                equation_.real_matrix, norm_, slope_, counters_);
    advance();
    std::swap(Z_old_, equation_.Z);
    h_old_ = h_;
    ++polynomials_;
    rejections_ = 0;
    jacobian_current_ = false;
    residual_known_ = false;
    guards_.accepted(h_, rate_);
    need_jacobian_ = slow_newton_;
}

/// As its continuous output sees it.
template <int S>
CollocationStep Radau<S>::last_step() const {
    return {tableau_,
            n_,
            before(),
            here(),
            h_old_,
            Z_old_.data(),
            S == 3 && has_quintic(),
            {t_older_, x_older_.data(), dx_older_.data()},
            differential_.data(),
            fixed_step_ ? nullptr : norm_.weights().data()};
}

} // namespace

std::unique_ptr<RadauStepper> make_radau_stepper(const problem::ImplicitProblem& problem,
                                                 const IntegrationOptions& options, int stages) {
    switch (stages) {
    case 1: return std::make_unique<Radau<1>>(problem, options);
    case 3: return std::make_unique<Radau<3>>(problem, options);
    case 5: return std::make_unique<Radau<5>>(problem, options);
    case 7: return std::make_unique<Radau<7>>(problem, options);
    case 9: return std::make_unique<Radau<9>>(problem, options);
    default: assert(false && "Radau IIA is offered with 1, 3, 5, 7 or 9 stages"); return nullptr;
    }
}

std::unique_ptr<Stepper> make_radau(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                                    int stages) {
    return make_radau_stepper(problem, options, stages);
}

} // namespace daedalus::integrate
