#include "integrate/methods/explicit_runge_kutta.hpp"

#include "integrate/controller.hpp"
#include "integrate/methods/determinant_watch.hpp"
#include "integrate/methods/explicit_dense_output.hpp"
#include "integrate/methods/kept_explicit_step.hpp"
#include "integrate/methods/linear_combination.hpp"
#include "integrate/methods/one_step.hpp"
#include "integrate/methods/stage_solver.hpp"
#include "integrate/methods/tangent.hpp"
#include "integrate/projection.hpp"
#include "problem/mechanical_structure.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace daedalus::integrate {

namespace {

// Limits of DOP853 (Hairer, Nørsett & Wanner 1993, appendix): SAFE, FAC1 (there 1/3) and FAC2.
constexpr ControllerLimits limits{.safety = 0.9, .shrink = 0.3, .grow = 6.0};
// Stiffness: steps at the boundary of stability, and steps inside until that is forgotten (DOPRI5, DOP853; HW IV.2).
constexpr int convinced = 15, recovered = 6;
// DOP853's combination of its two estimates, |e5|²/√(|e5|² + 0.01 |e3|²).
constexpr double share_of_other_estimate = 0.01;
constexpr double noticeable = 1e3; // tolerances: an algebraic unknown that is nearer than that does not leap
constexpr double roundings = 4;    // of x: a correction of that size is none

class ExplicitStepper final : public OneStepPoints {
public:
    ExplicitStepper(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                    const tableau::ExplicitRungeKutta& method);

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override {
        OneStepPoints::start(t, x, dx, h);
        stages_.forget_matrix();
        if (closing_) closing_->forget_matrix();
        projection_.forget_matrix();
        at_boundary_ = inside_ = 0;
        determinant_.reset();
        controller_.reset();
        dense_ready_ = false;
    }
    void links_changed() override {
        OneStepPoints::links_changed();
        stages_.links_changed();
        if (closing_) closing_->links_changed();
        projection_.links_changed();
        if (dense_) dense_->links_changed();
        known_ = false;
        dense_ready_ = false;
    }
    [[nodiscard]] Attempt attempt(double h, double t_new) override;
    void accept() override;
    int order() const override { return method_.order; }
    void interpolate(double time, double* x, double* dx) const override;
    void interpolate_states(double time, double* x, double* dx) const override;
    std::unique_ptr<const KeptStep> keep() const override;
    bool keeps_states() const override { return true; }
    bool stiff() const override { return at_boundary_ >= convinced; }
    const double* latest_jacobian() const override { return stages_.system().jx(); }
    std::string linear_solver() const override { return stages_.description(); }
    Trial trial() const override { return {t_new_, 0.0, x_new_, dx_new_, error_, norm_.weights()}; }

private:
    [[nodiscard]] bool find_differential();
    [[nodiscard]] const ExplicitDenseOutput& inside() const;
    [[nodiscard]] double round_off() const {
        return roundings * std::numeric_limits<double>::epsilon() * norm_(x_.data());
    }
    [[nodiscard]] StepStatus solve_stage(int i, double time);
    [[nodiscard]] bool project_end();
    [[nodiscard]] StepStatus follow_states();
    [[nodiscard]] double moved_by_constraints();
    void complete_derivative();
    [[nodiscard]] bool passes_singularity(int i);
    [[nodiscard]] bool leaps();
    [[nodiscard]] double estimate_error();
    void watch_stability();
    // NOLINTNEXTLINE(readability-identifier-naming): the letter of the literature
    [[nodiscard]] double* Z(int i) { return Z_.data() + static_cast<std::size_t>(i) * n_; }
    /// sum = base + h Σ_j row_j Z_j.
    void combine(const double* base, const tableau::ExplicitRungeKutta::Row& row, double* sum) {
        Term* const terms = terms_.data(); // as many as the longest row has
        std::size_t count = 0;
        for (const auto& [stage, value] : row) terms[count++] = {h_ * value, Z(stage)};
        combine_terms(base, {terms, count}, n_, sum);
    }
    [[nodiscard]] Attempt failed(StepStatus status) { return {status, 0.0, controller_.after_failure(status) * h_}; }

    const tableau::ExplicitRungeKutta& method_;
    StageExtrapolation extrapolation_;
    PredictiveController controller_;
    const IntegrationOptions options_; ///< a copy: they may be a temporary
    StageSolver stages_;
    // The end of a step, where the stages leave constraints alone:
    Projection projection_;              ///< onto them with the least change; empty where that is not possible …
    std::optional<StageSolver> closing_; ///< … but what follows from the states can be found
    std::vector<double> Z_, Z_last_;     ///< stages of the attempt, and of the last accepted step
    std::vector<double> z_closing_, before_return_, end_of_stages_, other_error_;
    bool known_ = false;         ///< which unknowns are differential
    std::vector<int> algebraic_; ///< the unknowns that are not
    std::vector<Term> terms_;
    bool has_estimate_of_stability_ = false;
    double h_lambda_ = 0.0;
    double error_norm_ = 0.0;
    int at_boundary_ = 0, inside_ = 0;
    DeterminantWatch determinant_; ///< of linear stages

    std::unique_ptr<ExplicitDenseOutput> dense_; ///< made when first asked for
    bool dense_ready_ = false;                   ///< for the last step
};

ExplicitStepper::ExplicitStepper(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                                 const tableau::ExplicitRungeKutta& method)
    : OneStepPoints(problem, options, tightened(options.tolerance, tightening_of_explicit(problem), problem)),
      method_(method), extrapolation_(std::span(method_.c).first(static_cast<std::size_t>(method_.stages))),
      controller_(method_.order, limits), options_(options),
      stages_(problem, options, given_to_stages(problem), relative_of_stages(problem, options)),
      projection_(problem, options.tolerance, options.norm, constraints_among_rows(problem)),
      determinant_(std::span(method_.c).first(static_cast<std::size_t>(method_.stages))) {
    if (problem.linear_leading() && !problem.state_choice().blocks.empty() && projection_.empty())
        closing_.emplace(problem, options, LocalSystem::Given::states, relative_of_stages(problem, options));
    const auto s = static_cast<std::size_t>(method_.stages);
    Z_.resize(s * n_);
    Z_last_.resize(s * n_);
    for (auto* v : {&z_closing_, &before_return_, &end_of_stages_, &other_error_}) v->resize(n_);
    has_estimate_of_stability_ = method_.c[s - 2] == 1.0;
    std::size_t longest = 0;
    for (const auto* rows : {&method_.a, &method_.error})
        for (const tableau::ExplicitRungeKutta::Row& row : *rows) longest = std::max(longest, row.size());
    terms_.resize(longest);
}

/// Which unknowns are differential follows from the first Jacobian.
bool ExplicitStepper::find_differential() {
    if (known_) return true;
    if (!stages_.learn(t_, x_.data(), dx_.data(), counters_)) return false;
    if (closing_ && !closing_->learn(t_, x_.data(), dx_.data(), counters_)) return false;
    differential_ = stages_.system().differential();
    algebraic_.clear();
    for (std::size_t k = 0; k < n_; ++k)
        if (differential_[k] == 0) algebraic_.push_back(static_cast<int>(k));
    known_ = true;
    return true;
}

StepStatus ExplicitStepper::solve_stage(int i, double time) {
    double* x = x_new_.data();
    double* z = Z(i);
    const bool last = i == method_.stages - 1;
    StepStatus status = StepStatus::ok;
    if (!stages_.solve_by_form(time, x, z, counters_)) {
        if (stages_.linear()) // from anywhere; what is near loses no digits
            std::copy_n(Z(i - 1), n_, z);
        else
            extrapolation_.predict(i, Z_, Z_last_, n_, z);
        for (const int k : algebraic_) x[k] = z[k];
        status = stages_.solve(time, x, z, last && !algebraic_.empty(), counters_);
    }
    return status == StepStatus::ok && passes_singularity(i) ? StepStatus::newton_failed : status;
}

bool ExplicitStepper::passes_singularity(int i) {
    if (!stages_.linear() || stages_.system().constant() || algebraic_.empty()) return false;
    return determinant_.passes(i, stages_.determinant());
}

/// Stages that satisfy the underlying ordinary differential equation only drift off by an error of the step (Eich
/// 1993). The last one is where the step ends.
bool ExplicitStepper::project_end() {
    if (projection_.empty()) return true;
    projection_.forget_matrix();
    const bool reached = projection_.project(t_new_, x_new_.data());
    counters_.add_work(projection_.take_counters());
    return reached;
}

/// Newton for everything but the states, in the unknowns that the constraints determine from where the step has led.
StepStatus ExplicitStepper::follow_states() {
    if (!closing_) return StepStatus::ok;
    double* end = Z(method_.stages - 1);
    const LocalSystem& whole = closing_->system();
    std::copy(x_new_.begin(), x_new_.end(), before_return_.begin());
    for (std::size_t k = 0; k < n_; ++k) z_closing_[k] = whole.differential()[k] != 0 ? end[k] : x_new_[k];
    const StepStatus status = closing_->solve(t_new_, x_new_.data(), z_closing_.data(), false, counters_);
    for (std::size_t k = 0; k < n_; ++k) end[k] = differential_[k] == 0 ? x_new_[k] : z_closing_[k];
    stages_.system().follow_links(x_new_.data(), end);
    return status;
}

/// Tolerances by which the constraints have moved what follows from the states. They multiply the errors of the states
/// by what the present choice of states is worth at the end of the step, and estimates of the stages, which know all
/// coordinates, do not see that: a pendulum described by its height that ends a step near the bottom.
double ExplicitStepper::moved_by_constraints() {
    if (!closing_) return 0.0;
    double* const moved = other_error_.data();
    for (std::size_t k = 0; k < n_; ++k) moved[k] = differential_[k] != 0 ? x_new_[k] - before_return_[k] : 0.0;
    return norm_(moved);
}

Attempt ExplicitStepper::attempt(double h, double t_new) {
    h_ = h;
    t_new_ = t_new;
    norm_.set_weights(x_.data(), h);
    if (!find_differential()) return failed(StepStatus::not_finite);
    for (std::size_t k = 0; k < n_; ++k) Z_[k] = differential_[k] != 0 ? dx_[k] : x_[k];
    stages_.system().follow_links(x_.data(), Z_.data());
    const double round_off = this->round_off();
    stages_.begin(norm_.weights(), h, round_off);
    // Accelerations and multipliers magnify round-off of coordinates; they follow, and decide nothing.
    if (closing_) closing_->begin(norm_.weights(), h, round_off, &differential_);
    extrapolation_.begin(smooth_steps_ > 0 && !stages_.linear() ? (t_ - t_before_) / h_ : 0.0);
    const int s = method_.stages;
    determinant_.begin_step();
    for (int i = 1; i < s; ++i) {
        if (i == s - 1 && has_estimate_of_stability_) std::copy(x_new_.begin(), x_new_.end(), end_of_stages_.begin());
        combine(x_.data(), method_.a[static_cast<std::size_t>(i)], x_new_.data());
        const double c = method_.c[static_cast<std::size_t>(i)];
        if (i == s - 1 && !project_end()) return failed(StepStatus::newton_failed);
        const StepStatus status = solve_stage(i, c == 1.0 ? t_new_ : t_ + c * h);
        if (status != StepStatus::ok) return failed(status);
    }
    if (!fixed_step_ && leaps()) return failed(StepStatus::newton_failed);
    const double error = fixed_step_ ? 0.0 : estimate_error();
    if (!std::isfinite(error)) return failed(StepStatus::not_finite);
    if (error > 1.0) {
        complete_derivative();
        return {StepStatus::ok, error, h * controller_.after_error(error)};
    }
    if (!fixed_step_) watch_stability();
    if (const StepStatus status = follow_states(); status != StepStatus::ok) return failed(status);
    complete_derivative();
    if (fixed_step_) return {StepStatus::ok, 0.0, h};
    if (const double moved = moved_by_constraints(); moved > 1.0)
        return {StepStatus::ok, moved, h * controller_.after_error(moved)};
    error_norm_ = error;
    return {StepStatus::ok, error, h * controller_.after_success(h, error)};
}

void ExplicitStepper::complete_derivative() {
    extrapolation_.slope_at_end(Z_, n_, h_, dx_new_.data());
    const double* end = Z(method_.stages - 1);
    for (std::size_t k = 0; k < n_; ++k)
        if (differential_[k] != 0) dx_new_[k] = end[k];
}

/// An algebraic unknown at the end of the step is nowhere near where earlier stages lead: there is a pole or another
/// branch in between, and no estimate of errors of states would tell.
bool ExplicitStepper::leaps() {
    if (algebraic_.empty()) return false;
    const int s = method_.stages;
    double* expected = other_error_.data();
    extrapolation_.predict(s - 2, Z_, Z_last_, n_, expected);
    for (const int k : algebraic_) {
        const auto at = static_cast<std::size_t>(k);
        double largest = noticeable / norm_.weights()[at];
        for (int i = 0; i < s; ++i) largest = std::max(largest, std::abs(Z(i)[at]));
        if (!(std::abs(Z(s - 1)[at] - expected[at]) <= largest)) return true;
    }
    return false;
}

double ExplicitStepper::estimate_error() {
    const auto norm_of_states = [&](const tableau::ExplicitRungeKutta::Row& row, std::vector<double>& e) {
        combine(nullptr, row, e.data());
        for (const int k : algebraic_) e[static_cast<std::size_t>(k)] = 0.0;
        return norm_(e.data());
    };
    const double first = norm_of_states(method_.error[0], error_);
    if (first == 0.0) return 0.0;
    if (method_.error.size() > 1) {
        const double second = norm_of_states(method_.error[1], other_error_);
        const double factor = first / std::sqrt(first * first + share_of_other_estimate * second * second);
        for (double& e : error_) e *= factor;
    }
    if (!algebraic_.empty())
        stages_.respond(t_new_, x_new_.data(), Z(method_.stages - 1), error_, {z_closing_, other_error_}, counters_);
    return norm_(error_.data());
}

void ExplicitStepper::watch_stability() {
    h_lambda_ = 0.0;
    if (!has_estimate_of_stability_) return;
    const double *a = Z(method_.stages - 2), *b = Z(method_.stages - 1);
    double rates = 0.0, values = 0.0;
    const double* weight = norm_.weights().data();
    for (std::size_t k = 0; k < n_; ++k) {
        if (differential_[k] == 0) continue;
        const double rate = (b[k] - a[k]) * weight[k], value = (x_new_[k] - end_of_stages_[k]) * weight[k];
        rates += rate * rate;
        values += value * value;
    }
    if (values > 0.0) h_lambda_ = std::abs(h_) * std::sqrt(rates / values);
}

void ExplicitStepper::accept() {
    determinant_.accept();
    controller_.accept(h_, error_norm_);
    advance();
    std::copy(Z_.begin(), Z_.end(), Z_last_.begin());
    dense_ready_ = false;
    if (h_lambda_ > method_.stability) {
        inside_ = 0;
        ++at_boundary_;
    } else if (++inside_ >= recovered && at_boundary_ < convinced) {
        at_boundary_ = 0;
    }
}

/// What is found on demand is kept.
const ExplicitDenseOutput& ExplicitStepper::inside() const {
    auto& self = const_cast<ExplicitStepper&>(*this);
    if (!dense_) self.dense_ = std::make_unique<ExplicitDenseOutput>(problem_, options_, method_, extrapolation_);
    if (!dense_ready_) self.dense_->prepare({t_before_, t_, x_before_, x_, Z_last_}, norm_.weights(), round_off());
    self.dense_ready_ = true;
    return *dense_;
}

void ExplicitStepper::interpolate(double time, double* x, double* dx) const {
    if (time != t_) return inside().evaluate(time, x, dx);
    std::copy(x_.begin(), x_.end(), x);
    std::copy(dx_.begin(), dx_.end(), dx);
}

void ExplicitStepper::interpolate_states(double time, double* x, double* dx) const {
    inside().evaluate_states(time, x, dx);
}

std::unique_ptr<const KeptStep> ExplicitStepper::keep() const {
    auto kept = std::make_unique<KeptExplicitStep>(method_);
    kept->weights = norm_.weights();
    kept->t_before = t_before_;
    kept->t = t_;
    kept->round_off = round_off();
    kept->x_before = x_before_;
    kept->x = x_;
    kept->dx = dx_;
    kept->z = Z_last_;
    return kept;
}

} // namespace

std::unique_ptr<Stepper> make_explicit(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                                       tableau::ExplicitName name) {
    if (problem.facet<problem::MechanicalStructure>().tangent)
        return make_tangent(problem, options, tableau::make_explicit_runge_kutta(name));
    return std::make_unique<ExplicitStepper>(problem, options, tableau::make_explicit_runge_kutta(name));
}

} // namespace daedalus::integrate
