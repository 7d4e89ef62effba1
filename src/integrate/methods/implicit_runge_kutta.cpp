#include "integrate/methods/implicit_runge_kutta.hpp"

#include "integrate/methods/dirk.hpp"
#include "integrate/methods/projected_end.hpp"
#include "integrate/methods/stage_equation.hpp"
#include "integrate/methods/stage_solver.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace daedalus::integrate {

namespace {

/// What Newton may leave, in units of the tolerance of the estimate. That is O(h^q), with q as in tightening.cpp, and
/// often much larger than the error O(h^(p+1)) of a step; what is left adds up as that does, and must compare with it:
/// h^(p+1-q) = tol^((p+1-q)/p). (For Radau IIA this is near RADAU5's root of the tolerance.)
double newton_share(const tableau::StageForm& form, int order, const IntegrationOptions& options) {
    if (options.method.fixed_step) return 1e-3;
    const int q = std::min(form.order_of_estimate, form.order_of_stages + 1) + 1;
    const Tolerance& asked = options.tolerance;
    const double tolerance = asked.relative > 0.0 ? asked.relative : asked.absolute;
    constexpr double most = 0.01; // as other methods have
    if (q > order || !(tolerance > 0.0)) return most;
    return std::min(most, std::pow(tolerance, (order + 1.0 - q) / order));
}

/// With constant steps nothing is estimated, and Newton goes to round-off of what was asked for.
Tightening tightening_of(const problem::ImplicitProblem& problem, const tableau::StageForm& form, int order,
                         const IntegrationOptions& options) {
    Tightening t = tightening_of_implicit_runge_kutta(problem.highest_index(), form.order_of_estimate,
                                                      form.order_of_stages, order);
    constexpr double fixed = 0.1; // of the tolerance, for Newton
    if (options.method.fixed_step) return {.constant = fixed, .power = std::min(t.power, 0.0)};
    return t;
}

class ImplicitRungeKutta final : public DirkStepper {
public:
    ImplicitRungeKutta(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                       const tableau::StageForm& form, int order)
        : DirkStepper(problem, options, tightening_of(problem, form, order, options),
                      newton_share(form, order, options), form.order_of_estimate + 1.0,
                      {.safety = 0.9, .shrink = 0.2, .grow = 6.0}), // HNW II.4: factors between 0.2 and 6
          share_(tightening_of(problem, form, order, options).common_factor(options.tolerance)), form_(form),
          order_(order), equation_(problem, form_, matrix_, options.linear_solver), last_slope_(n_), z_(n_) {
        // Where the end is no stage, errors of stiff components shrink only in steps that resolve them: no noise.
        if (!form_.stiffly_accurate) stalled_down_ = 1e-3;
        newton_options_.growth_at_first = 3.0;
        // A remembered rate that no longer holds would leave a thousand times as much, in every step.
        newton_options_.smallest_eta = 0.3;
        // As many more for more stages as Radau has; constant steps have no second trial.
        if (options.method.max_newton_iterations <= 0)
            newton_options_.max_iterations = fixed_step_ ? 150 : 7 + std::max(0, (form_.stages - 3) * 5 / 2);
        if (fixed_step_) iterate_to_round_off(newton_options_, options.tolerance.relative);
        variant_ = options.method.variant;
        if (variant_ == EndOfStep::automatic)
            variant_ = problem.highest_index() <= 1 ? EndOfStep::indirect : EndOfStep::direct;
        const bool apart = form_.last_apart || (variant_ == EndOfStep::indirect && !form_.stiffly_accurate);
        if (apart) local_.emplace(problem, options, LocalSystem::Given::states, options.tolerance.relative);
        if (variant_ == EndOfStep::projected) projected_.emplace(problem, options.linear_solver);
        stated_ = quantity_.present() && form_.stiffly_accurate; // else the end of a step is known by q only
        if (stated_) {
            equation_.difference(quantity_);
            weighed_.resize(quantity_.size());
        }
    }

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override {
        DirkStepper::start(t, x, dx, h);
        if (local_) local_->forget_matrix();
        factored_h_ = 0.0;
    }
    void links_changed() override {
        DirkStepper::links_changed();
        equation_.links_changed();
        if (local_) local_->links_changed();
        if (projected_) projected_->links_changed();
        factored_h_ = 0.0;
        local_regular_.reset();
    }
    int order() const override { return order_; }
    void interpolate(double time, double* x, double* dx) const override {
        if (time == t_) {
            std::copy(x_.begin(), x_.end(), x);
            std::copy(dx_.begin(), dx_.end(), dx);
            return;
        }
        hermite(time, order_ > 3, x, dx);
    }

private:
    [[nodiscard]] StepStatus factor(double h) override;
    void jacobian_changed() override { factored_h_ = 0.0; }
    [[nodiscard]] StepStatus solve_stages() override;
    [[nodiscard]] StepStatus estimate_error(double& norm) override;
    void predict_stages();
    void add_stages(const std::vector<double>& weights, double* sum);
    [[nodiscard]] double* slope(int stage);
    [[nodiscard]] StepStatus last_stage();
    [[nodiscard]] StepStatus end_of_step();
    void slopes_of_multipliers();
    [[nodiscard]] StepStatus project();
    void end_of_quantity();
    [[nodiscard]] bool weigh_defect();
    [[nodiscard]] double error_between();
    void weigh_differential(double factor, const std::vector<double>& e, std::vector<double>& result);
    [[nodiscard]] StepStatus solve_locally(double* x, double* dx);
    void interpolate_slopes(const std::vector<double>& weights, double* result);

    const double share_; ///< tolerance of the estimate over that of the user
    const tableau::StageForm& form_;
    const int order_;
    EndOfStep variant_;
    StageEquation equation_;
    std::optional<StageSolver> local_; ///< x' and algebraic unknowns where the others are given
    std::optional<bool> local_regular_;
    std::optional<ProjectedEnd> projected_;
    std::vector<double> last_slope_, z_, between_;
    std::vector<double> weighed_; ///< of the quantity, where steps difference it
    double factored_h_ = 0;
};

double* ImplicitRungeKutta::slope(int stage) {
    if (stage < form_.first) return dx_.data();
    if (stage >= form_.first + form_.solved) return last_slope_.data();
    return equation_.slope(stage - form_.first);
}

void ImplicitRungeKutta::add_stages(const std::vector<double>& weights, double* sum) {
    for (int j = 0; j < form_.solved; ++j) {
        const double w = weights[static_cast<std::size_t>(j)];
        const double* z = equation_.Z.data() + static_cast<std::size_t>(j) * n_;
        for (std::size_t k = 0; k < n_; ++k) sum[k] += w * z[k];
    }
}

void ImplicitRungeKutta::interpolate_slopes(const std::vector<double>& weights, double* result) {
    std::fill_n(result, n_, 0.0);
    for (int i = 0; i < form_.stages; ++i) {
        const double w = weights[static_cast<std::size_t>(i)];
        if (w == 0.0) continue;
        const double* k = slope(i);
        for (std::size_t m = 0; m < n_; ++m) result[m] += w * k[m];
    }
}

StepStatus ImplicitRungeKutta::factor(double h) {
    if (equation_.uses_real_matrix() || !fixed_step_ || stated_)
        if (const StepStatus status = factored(matrix_, form_.scale / h, shift_); status != StepStatus::ok)
            return status;
    if (factored_h_ != 0.0 && std::abs(h / factored_h_ - 1.0) <= same_step) return StepStatus::ok;
    factored_h_ = 0.0;
    monitor_.forget_rate();
    const linalg::FactorStatus status = equation_.factor(jacobian_, h, counters_);
    if (status == linalg::FactorStatus::not_finite) return StepStatus::not_finite;
    if (status != linalg::FactorStatus::ok) return StepStatus::singular_matrix;
    factored_h_ = h;
    return StepStatus::ok;
}

/// The last step's polynomial continued; without one, the slope.
void ImplicitRungeKutta::predict_stages() {
    const bool continued = smooth_steps_ > 0 && std::abs(h_) < 5.0 * std::abs(t_ - t_before_);
    for (int i = 0; i < form_.solved; ++i) {
        double* z = equation_.Z.data() + static_cast<std::size_t>(i) * n_;
        const double c = form_.c[static_cast<std::size_t>(form_.first + i)];
        if (continued) interpolate(t_ + c * h_, z, z_.data());
        for (std::size_t k = 0; k < n_; ++k) z[k] = continued ? z[k] - x_[k] : c * h_ * dx_[k];
    }
}

/// From x of what is given and guesses of the rest.
StepStatus ImplicitRungeKutta::solve_locally(double* x, double* dx) {
    if (!local_->learn(t_, x_.data(), dx_.data(), counters_)) return StepStatus::not_finite;
    const LocalSystem& system = local_->system();
    constexpr double eps = std::numeric_limits<double>::epsilon();
    local_->begin(norm_.weights(), h_, 4 * eps * norm_(x_.data()));
    for (std::size_t k = 0; k < n_; ++k) z_[k] = system.differential()[k] != 0 ? dx[k] : x[k];
    system.follow_links(x, z_.data());
    const StepStatus status = local_->solve(t_new_, x, z_.data(), false, counters_);
    if (status != StepStatus::ok) return status;
    for (std::size_t k = 0; k < n_; ++k)
        if (system.differential()[k] != 0) dx[k] = z_[k];
    system.follow_links(x, dx);
    return status;
}

/// X_s of a method whose last stage no other uses, and its derivative.
StepStatus ImplicitRungeKutta::last_stage() {
    std::copy(x_.begin(), x_.end(), x_new_.begin());
    add_stages(form_.last, x_new_.data());
    std::copy_n(slope(form_.first + form_.solved - 1), n_, last_slope_.begin());
    return solve_locally(x_new_.data(), last_slope_.data());
}

/// Stage derivatives of algebraic unknowns of higher index have an order less than their values, which may be none:
/// from them no step could be predicted. The parabola through three points does.
void ImplicitRungeKutta::slopes_of_multipliers() {
    if (problem_.highest_index() <= 1) return;
    const double before = smooth_steps_ > 0 ? t_ - t_before_ : 0.0;
    for (std::size_t k = 0; k < n_; ++k) {
        if (differential_[k]) continue;
        const double now = (x_new_[k] - x_[k]) / h_;
        dx_new_[k] = now;
        if (before != 0.0) dx_new_[k] += h_ * (now - (x_[k] - x_before_[k]) / before) / (h_ + before);
    }
}

StepStatus ImplicitRungeKutta::end_of_step() {
    if (form_.stiffly_accurate) {
        const double* z = equation_.Z.data() + static_cast<std::size_t>(form_.solved - 1) * n_;
        for (std::size_t k = 0; k < n_; ++k) x_new_[k] = x_[k] + z[k];
        std::copy_n(slope(form_.stages - 1), n_, dx_new_.begin());
        if (stated_) end_of_quantity();
    } else {
        if (form_.last_apart)
            if (const StepStatus status = last_stage(); status != StepStatus::ok) return status;
        for (std::size_t k = 0; k < n_; ++k) x_new_[k] = x_[k] + h_ * form_.end_first * dx_[k];
        add_stages(form_.end, x_new_.data());
        if (form_.last_apart)
            for (std::size_t k = 0; k < n_; ++k) x_new_[k] += h_ * form_.end_last * last_slope_[k];
        interpolate_slopes(form_.slope_at_end, dx_new_.data());
        if (local_ && local_regular_ != false) {
            // Of unknowns that F = 0 determines, the extrapolated stage values are the better guess.
            std::copy(x_new_.begin(), x_new_.end(), error_.begin());
            const StepStatus status = solve_locally(x_new_.data(), dx_new_.data());
            // Fully implicit equations may leave x' undetermined at every point: then the direct form remains.
            if (!local_regular_) local_regular_ = status != StepStatus::singular_matrix || form_.last_apart;
            if (*local_regular_) return status;
            std::copy(error_.begin(), error_.end(), x_new_.begin());
        }
    }
    slopes_of_multipliers();
    return projected_ ? project() : StepStatus::ok;
}

void ImplicitRungeKutta::end_of_quantity() {
    const int last = form_.solved - 1;
    std::copy_n(equation_.quantity_slope(last), quantity_.size(), quantity_.new_slope.begin());
    for (std::size_t k = 0; k < quantity_.size(); ++k)
        quantity_.new_value[k] = quantity_.value[k] + equation_.quantity_difference(last)[k];
}

StepStatus ImplicitRungeKutta::project() {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    const auto by_time = [this](double t, const double* x, const double* dx, const double* F, double* result) {
        return time_derivative(t, x, dx, F, -h_, result); // into the step: what lies behind its end may be different
    };
    const StepStatus status = projected_->apply(t_new_, h_, x_new_.data(), dx_new_.data(), norm_,
                                                4 * eps * norm_(x_.data()), by_time, counters_);
    if (!stated_ || status != StepStatus::ok) return status;
    return quantity_.end(t_new_, x_new_.data(), dx_new_.data()) ? status : StepStatus::not_finite;
}

StepStatus ImplicitRungeKutta::solve_stages() {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    equation_.pose(t_, h_, t_new_, x_.data(), dx_.data(), norm_, counters_);
    predict_stages();
    const nonlinear::NewtonResult newton =
        nonlinear::newton(equation_, monitor_, newton_options_, 4 * eps * norm_(x_.data()));
    rate_ = newton.rate;
    equation_.find_slopes();
    if (!newton.usable()) {
        equation_.largest_correction(delta_.data());
        const double* z = equation_.Z.data() + static_cast<std::size_t>(form_.solved - 1) * n_;
        for (std::size_t k = 0; k < n_; ++k) x_new_[k] = x_[k] + z[k];
        std::copy_n(equation_.slope(form_.solved - 1), n_, dx_new_.begin());
        return outcome(newton);
    }
    if (stated_ && !equation_.carry_quantities(quantity_.frozen)) return StepStatus::not_finite;
    return end_of_step();
}

StepStatus ImplicitRungeKutta::estimate_error(double& norm) {
    interpolate_slopes(form_.slope_at_begin, z_.data());
    for (std::size_t k = 0; k < n_; ++k) z_[k] = dx_[k] - z_[k];
    if (stated_) {
        if (!weigh_defect()) return StepStatus::not_finite;
    } else {
        weigh_differential(1.0, z_, error_);
    }
    matrix_.solve(error_, counters_);
    norm = std::max(norm_(error_.data()), error_between());
    return StepStatus::ok;
}

/// M (x_n' - p(0)) into error_ with slopes of the quantity; z_ holds x_n' - p(0).
bool ImplicitRungeKutta::weigh_defect() {
    weighed_ = quantity_.slope;
    for (int i = 0; i < form_.stages; ++i) {
        const double w = form_.slope_at_begin[static_cast<std::size_t>(i)];
        if (w == 0.0) continue;
        const double* k = i < form_.first ? quantity_.slope.data() : equation_.quantity_slope(i - form_.first);
        for (std::size_t m = 0; m < weighed_.size(); ++m) weighed_[m] -= w * k[m];
    }
    return weigh_slopes(t_new_, x_new_.data(), dx_new_.data(), quantity_.new_slope.data(), z_, weighed_);
}

/// Of the polynomial between the ends, by which methods with many stages would step too far: stage values are more
/// accurate than it is. Algebraic unknowns, which output finds from the others, are off by (J + σM)⁻¹ σM e where these
/// are off by e.
double ImplicitRungeKutta::error_between() {
    constexpr int many = 5; // stages: their values are of order 5 at least, or one less
    const bool enough = form_.stages >= many;
    if ((!enough && form_.order_of_stages + 1 < many) || form_.triangular) return 0.0;
    const bool quintic = smooth_steps_ > 0 && StepQuintic::fits(t_ - t_before_, h_); // as for output
    if (!enough && quintic) return 0.0; // of stage order 4: better than the cubic, no better than the quintic
    const StepEnd end{t_new_, x_new_.data(), dx_new_.data()};
    double largest = 0.0;
    for (int i = 0; i < form_.solved; ++i) {
        const double theta = form_.c[static_cast<std::size_t>(form_.first + i)], time = t_ + theta * h_;
        if (theta <= 0.0 || theta >= 1.0) continue;
        const double* z = equation_.Z.data() + static_cast<std::size_t>(i) * n_;
        const auto compare = [&](const auto& polynomial) {
            for (std::size_t k = 0; k < n_; ++k) z_[k] = differential_[k] ? (polynomial.value(k) - x_[k]) - z[k] : 0.0;
        };
        if (quintic)
            compare(StepQuintic(before(), here(), end, time));
        else
            compare(StepCubic(here(), end, time));
        if (const double size = norm_(z_.data()); !(size <= largest)) {
            largest = size;
            between_ = z_;
        }
    }
    if (!(largest > 0.0)) return 0.0;
    weigh_differential(shift_, between_, z_);
    matrix_.solve(z_, counters_);
    return share_ * std::max(largest, norm_(z_.data())) / allowed_between_ends;
}

/// M times a multiple of what differential unknowns are off.
void ImplicitRungeKutta::weigh_differential(double factor, const std::vector<double>& e, std::vector<double>& result) {
    std::fill(result.begin(), result.end(), 0.0);
    const SparsityPattern& pattern = problem_.pattern();
    for (int j = 0; j < pattern.cols; ++j) {
        if (!differential_[static_cast<std::size_t>(j)]) continue;
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
            result[static_cast<std::size_t>(pattern.row_index[k])] +=
                factor * jacobian_.jdx[static_cast<std::size_t>(k)] * e[static_cast<std::size_t>(j)];
    }
}

} // namespace

std::unique_ptr<Stepper> make_implicit_runge_kutta(const problem::ImplicitProblem& problem,
                                                   const IntegrationOptions& options, const ImplicitMethod& method) {
    return std::make_unique<ImplicitRungeKutta>(problem, options, method.form, method.tableau.order);
}

} // namespace daedalus::integrate
