#include "integrate/methods/explicit_runge_kutta.hpp"

#include "integrate/controller.hpp"
#include "integrate/local_system.hpp"
#include "integrate/methods/explicit_dense_output.hpp"
#include "integrate/methods/linear_combination.hpp"
#include "integrate/methods/one_step.hpp"
#include "nonlinear/newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daedalus::integrate {

namespace {

/// Errors of many steps add up: what is asked of one step, so that the error at the end is near the tolerance.
constexpr double tightening = 0.1;

/// F = 0 for z at given differential unknowns; see local_system.hpp.
struct StageEquation {
    const problem::ImplicitProblem& problem;
    LocalSystem& matrix;
    NormKind norm;
    Counters& counters;
    const std::vector<double>& weight; ///< of z in the norm: derivatives count h-fold
    double t;
    double* x;
    double* z;
    std::vector<double>& delta;
    const std::vector<int>& algebraic;
    bool evaluated; ///< delta holds the residual already

    [[nodiscard]] bool residual() {
        if (std::exchange(evaluated, false)) return true;
        ++counters.residuals;
        return problem.residual(t, x, z, delta.data()) == problem::EvalStatus::ok;
    }
    void solve() { matrix.solve(delta, counters); }
    [[nodiscard]] double update() {
        ++counters.newton_iterations;
        double sum = 0.0, largest = 0.0;
        const std::size_t n = delta.size();
        const double *d = delta.data(), *w = weight.data();
        for (std::size_t k = 0; k < n; ++k) z[k] -= d[k];
        for (const int k : algebraic) x[k] = z[k];
        if (norm == NormKind::max)
            for (std::size_t k = 0; k < n; ++k) largest = std::max(largest, std::abs(d[k] * w[k]));
        for (std::size_t k = 0; k < n; ++k) sum += (d[k] * w[k]) * (d[k] * w[k]);
        // A sum that is NaN is seen in either norm.
        return norm == NormKind::max && sum < std::numeric_limits<double>::infinity()
                   ? largest
                   : std::sqrt(sum / static_cast<double>(n));
    }
};

class ExplicitStepper final : public OneStepPoints {
public:
    ExplicitStepper(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                    tableau::ExplicitRungeKutta method);

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override {
        OneStepPoints::start(t, x, dx, h);
        need_matrix_ = true;
        at_boundary_ = inside_ = 0;
        controller_.reset();
        dense_ready_ = false;
    }
    void links_changed() override {
        OneStepPoints::links_changed();
        local_.links_changed();
        if (dense_) dense_->links_changed();
        known_ = false;
        need_matrix_ = true;
        dense_ready_ = false;
    }
    [[nodiscard]] Attempt attempt(double h, double t_new) override;
    void accept() override;
    int order() const override { return method_.order; }
    void interpolate(double time, double* x, double* dx) const override;
    bool accurate_between() const override { return true; }
    bool stiff() const override { return at_boundary_ >= convinced; }
    const double* latest_jacobian() const override { return local_.jx(); }
    std::string linear_solver() const override { return local_.description(); }
    Trial trial() const override { return {t_new_, 0.0, x_new_, dx_new_, error_, norm_.weights()}; }

private:
    static constexpr int convinced = 15; ///< steps at the boundary of stability (Hairer & Wanner 1996, IV.2)

    [[nodiscard]] bool find_differential();
    [[nodiscard]] StepStatus solve_stage(int i, double time);
    [[nodiscard]] bool leaps();
    [[nodiscard]] double estimate_error();
    void watch_stability();
    [[nodiscard]] double* Z(int i) { return Z_.data() + static_cast<std::size_t>(i) * n_; }
    void add(const tableau::ExplicitRungeKutta::Row& row, double* sum) {
        terms_.clear();
        for (const auto& [stage, value] : row) terms_.push_back({h_ * value, Z(stage)});
        add_combination(terms_, n_, sum);
    }
    [[nodiscard]] Attempt failed(StepStatus status, double factor) {
        rejected_ = true;
        return {status, 0.0, factor * h_};
    }

    const tableau::ExplicitRungeKutta method_;
    StageExtrapolation extrapolation_;
    PredictiveController controller_;
    const IntegrationOptions options_; ///< a copy: they may be a temporary
    LocalSystem local_;
    nonlinear::ConvergenceMonitor stale_monitor_, fresh_monitor_;
    nonlinear::NewtonOptions newton_options_;
    std::vector<double> Z_, Z_last_; ///< stages of the attempt, and of the last accepted step
    std::vector<double> weight_, delta_, end_of_stages_, other_error_;
    bool known_ = false;         ///< which unknowns are differential
    std::vector<int> algebraic_; ///< the unknowns that are not
    std::vector<Term> terms_;
    bool need_matrix_ = true;
    bool has_estimate_of_stability_ = false;
    double h_lambda_ = 0.0;
    double error_norm_ = 0.0;
    double roundoff_ = 0.0; ///< of x in the norm
    int at_boundary_ = 0, inside_ = 0;

    std::unique_ptr<ExplicitDenseOutput> dense_; ///< made when first asked for
    bool dense_ready_ = false;                   ///< for the last step
};

ExplicitStepper::ExplicitStepper(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                                 tableau::ExplicitRungeKutta method)
    : OneStepPoints(problem, options, tightened(options.tolerance, tightening)), method_(std::move(method)),
      extrapolation_(std::span(method_.c).first(static_cast<std::size_t>(method_.stages))),
      controller_(method_.order, {.safety = 0.9, .shrink = 0.3, .grow = 6.0}), options_(options),
      local_(problem, options.linear_solver) {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    newton_options_.max_iterations =
        options.method.max_newton_iterations > 0 ? options.method.max_newton_iterations : 10;
    newton_options_.kappa =
        std::max(10 * eps / std::max(tightening * options.tolerance.relative, eps), fixed_step_ ? 1e-6 : 1e-2);
    newton_options_.rate_at_round_off = true;
    const auto s = static_cast<std::size_t>(method_.stages);
    Z_.resize(s * n_);
    Z_last_.resize((s + static_cast<std::size_t>(method_.extra)) * n_);
    for (auto* v : {&weight_, &delta_, &end_of_stages_, &other_error_}) v->resize(n_);
    has_estimate_of_stability_ = method_.c[s - 2] == 1.0;
}

/// Which unknowns are differential follows from the first Jacobian.
bool ExplicitStepper::find_differential() {
    if (known_) return true;
    if (local_.linearize(t_, x_.data(), dx_.data(), delta_.data(), counters_) != problem::EvalStatus::ok) return false;
    differential_ = local_.differential();
    algebraic_.clear();
    for (std::size_t k = 0; k < n_; ++k)
        if (differential_[k] == 0) algebraic_.push_back(static_cast<int>(k));
    // Where F is linear in z and the matrix never changes, one iteration is exact, and rates may be trusted.
    newton_options_.smallest_eta = local_.constant() ? 1e-10 : nonlinear::NewtonOptions{}.smallest_eta;
    known_ = true;
    return true;
}

StepStatus ExplicitStepper::solve_stage(int i, double time) {
    constexpr int many = 2; // iterations with an old matrix: a new one is cheaper
    double* x = x_new_.data();
    double* z = Z(i);
    extrapolation_.predict(i, Z_, Z_last_, n_, z);
    for (const int k : algebraic_) x[k] = z[k];
    constexpr int most_matrices = 4;
    for (int matrices = 0;;) {
        const bool fresh = need_matrix_;
        if (fresh) {
            if (local_.linearize(time, x, z, delta_.data(), counters_) != problem::EvalStatus::ok)
                return StepStatus::not_finite;
            const linalg::FactorStatus status = local_.factor(counters_);
            if (status == linalg::FactorStatus::not_finite) return StepStatus::not_finite;
            if (status != linalg::FactorStatus::ok) return StepStatus::singular_matrix;
            need_matrix_ = false;
            ++matrices;
            stale_monitor_.forget_rate();
        }
        StageEquation equation{problem_, local_, norm_.kind(), counters_,  weight_, time,
                               x,        z,      delta_,       algebraic_, fresh};
        const nonlinear::NewtonResult newton =
            nonlinear::newton(equation, fresh ? fresh_monitor_ : stale_monitor_, newton_options_, roundoff_);
        if (newton.usable()) {
            need_matrix_ = newton.iterations > many;
            return StepStatus::ok;
        }
        need_matrix_ = true;
        const bool closer = newton.status == nonlinear::NewtonStatus::too_slow; // a matrix from there is better
        if (matrices == most_matrices || (matrices > 0 && !closer)) {
            std::copy(delta_.begin(), delta_.end(), error_.begin());
            return newton.status == nonlinear::NewtonStatus::not_finite ? StepStatus::not_finite
                                                                        : StepStatus::newton_failed;
        }
        if (closer) continue;
        extrapolation_.predict(i, Z_, Z_last_, n_, z);
        for (const int k : algebraic_) x[k] = z[k];
    }
}

Attempt ExplicitStepper::attempt(double h, double t_new) {
    h_ = h;
    t_new_ = t_new;
    norm_.set_weights(x_.data(), h);
    if (!find_differential()) return failed(StepStatus::not_finite, 0.25);
    for (std::size_t k = 0; k < n_; ++k) {
        weight_[k] = norm_.weights()[k] * (differential_[k] != 0 ? h : 1.0);
        Z_[k] = differential_[k] != 0 ? dx_[k] : x_[k];
    }
    roundoff_ = 4 * std::numeric_limits<double>::epsilon() * norm_(x_.data());
    extrapolation_.begin(smooth_steps_ > 0 ? (t_ - t_before_) / h_ : 0.0);
    const int s = method_.stages;
    for (int i = 1; i < s; ++i) {
        if (i == s - 1 && has_estimate_of_stability_) std::copy(x_new_.begin(), x_new_.end(), end_of_stages_.begin());
        std::copy(x_.begin(), x_.end(), x_new_.begin());
        add(method_.a[static_cast<std::size_t>(i)], x_new_.data());
        const double c = method_.c[static_cast<std::size_t>(i)];
        const StepStatus status = solve_stage(i, c == 1.0 ? t_new_ : t_ + c * h);
        if (status != StepStatus::ok) return failed(status, status == StepStatus::newton_failed ? 0.5 : 0.25);
    }
    const double* end = Z(s - 1);
    extrapolation_.slope_at_end(Z_, n_, h, dx_new_.data());
    for (std::size_t k = 0; k < n_; ++k)
        if (differential_[k] != 0) dx_new_[k] = end[k];
    if (fixed_step_) return {StepStatus::ok, 0.0, h};
    if (leaps()) return failed(StepStatus::newton_failed, 0.5);

    const double error = estimate_error();
    if (!std::isfinite(error)) return failed(StepStatus::not_finite, 0.25);
    if (error > 1.0) {
        rejected_ = true;
        return {StepStatus::ok, error, h * std::min(0.9, controller_.elementary(error))};
    }
    watch_stability();
    error_norm_ = error;
    const double factor = controller_.predict(h, error);
    return {StepStatus::ok, error, h * (rejected_ ? std::min(factor, 1.0) : factor)};
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
        constexpr double noticeable = 1e3; // tolerances
        double largest = noticeable / norm_.weights()[at];
        for (int i = 0; i < s; ++i) largest = std::max(largest, std::abs(Z(i)[at]));
        if (!(std::abs(Z(s - 1)[at] - expected[at]) <= largest)) return true;
    }
    return false;
}

double ExplicitStepper::estimate_error() {
    const auto norm_of_states = [&](const tableau::ExplicitRungeKutta::Row& row, std::vector<double>& e) {
        std::fill(e.begin(), e.end(), 0.0);
        add(row, e.data());
        for (const int k : algebraic_) e[static_cast<std::size_t>(k)] = 0.0;
        return norm_(e.data());
    };
    const double first = norm_of_states(method_.error[0], error_);
    if (first == 0.0) return 0.0;
    if (method_.error.size() > 1) {
        const double second = norm_of_states(method_.error[1], other_error_);
        const double factor = first / std::sqrt(first * first + 0.01 * second * second);
        for (double& e : error_) e *= factor;
    }
    if (!algebraic_.empty()) local_.respond(error_, other_error_, counters_);
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
    controller_.commit(h_, error_norm_);
    advance();
    std::copy(Z_.begin(), Z_.end(), Z_last_.begin());
    dense_ready_ = false;
    constexpr int recovered = 6; // steps inside, until the boundary is forgotten
    if (h_lambda_ > method_.stability) {
        inside_ = 0;
        ++at_boundary_;
    } else if (++inside_ >= recovered && at_boundary_ < convinced) {
        at_boundary_ = 0;
    }
}

void ExplicitStepper::interpolate(double time, double* x, double* dx) const {
    if (time == t_) {
        std::copy(x_.begin(), x_.end(), x);
        std::copy(dx_.begin(), dx_.end(), dx);
        return;
    }
    auto& self = const_cast<ExplicitStepper&>(*this); // what is found on demand is kept
    if (!dense_) self.dense_ = std::make_unique<ExplicitDenseOutput>(problem_, options_, method_, extrapolation_);
    if (!dense_ready_) self.dense_->prepare({t_before_, t_, x_before_, x_, self.Z_last_}, differential_);
    self.dense_ready_ = true;
    dense_->evaluate(time, x, dx);
}

} // namespace

std::unique_ptr<Stepper> make_explicit(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                                       tableau::ExplicitName name) {
    return std::make_unique<ExplicitStepper>(problem, options, tableau::make_explicit_runge_kutta(name));
}

} // namespace daedalus::integrate
