#include "integrate/methods/multistep.hpp"

#include "integrate/methods/dirk.hpp"
#include "integrate/methods/radau.hpp"
#include "integrate/methods/stage_solver.hpp"
#include "integrate/numerical_start.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>
#include <utility>

namespace daedalus::integrate {

namespace {

/// Constant steps have no error test and no second trial.
constexpr int newton_iterations = 150;

/// A point of the past.
struct Point {
    double t = 0;
    std::vector<double> x, dx;
};

IntegrationOptions for_starter(IntegrationOptions options) {
    options.method.fixed_step = true;
    if (options.method.max_newton_iterations <= 0) options.method.max_newton_iterations = newton_iterations;
    return options;
}

class Multistep final : public DirkStepper {
public:
    Multistep(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
              const tableau::MultistepMethod& method)
        : DirkStepper(problem, options, Tightening{}, 1e-3, method.order, {}), method_(method),
          start_up_(options.method.start_up), base_(n_), other_(n_),
          starter_(make_radau(problem, for_starter(options), 9)) {
        if (options.method.max_newton_iterations <= 0) newton_options_.max_iterations = newton_iterations;
        iterate_to_round_off(newton_options_, options.tolerance.relative);
        if (!method.implicit())
            local_.emplace(problem, options, LocalSystem::Given::states, options.tolerance.relative);
        if (method.bdf && start_up_ != StartUp::exact) numerical_.emplace(problem, options.linear_solver);
        const auto k = static_cast<std::size_t>(method.steps());
        past_.resize(k);
        for (Point& point : past_) {
            point.x.resize(n_);
            point.dx.resize(n_);
        }
        alpha_.resize(k + 1);
        beta_.assign(method.beta.begin(), method.beta.end());
        times_.resize(k + 1);
        exact_alpha_.resize(k + 1);
        for (auto* v : {&slope_times_, &slope_alpha_}) v->resize(std::max<std::size_t>(k, 2) + 1);
        divided_.resize(k + 2);
    }

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override {
        DirkStepper::start(t, x, dx, h);
        if (local_) local_->forget_matrix();
        known_ = given_;
        given_ = 0;
        starting_ = false;
        fresh_ = true;
    }
    void links_changed() override {
        DirkStepper::links_changed();
        if (local_) local_->links_changed();
        starter_->links_changed();
        if (numerical_) numerical_->links_changed();
        known_ = 0; // x' of a new state was no derivative before
        starting_ = false;
    }
    [[nodiscard]] Attempt attempt(double h, double t_new) override;
    void accept() override;
    void correct(std::span<const double> x, std::span<const double> dx) override {
        DirkStepper::correct(x, dx);
        if (starting_) starter_->correct(x, dx);
    }
    int order() const override { return method_.order; }
    [[nodiscard]] int steps() const { return method_.steps(); }
    void interpolate(double time, double* x, double* dx) const override {
        if (time == t_) {
            std::copy(x_.begin(), x_.end(), x);
            std::copy(dx_.begin(), dx_.end(), dx);
            return;
        }
        hermite(time, method_.order > 3, x, dx);
    }
    void give(std::span<const double> times, const std::vector<std::vector<double>>& x,
              const std::vector<std::vector<double>>& dx) {
        given_ = std::min(static_cast<int>(times.size()), method_.steps() - 1);
        for (int i = 0; i < given_; ++i) {
            const auto ii = static_cast<std::size_t>(i);
            past_[ii] = {times[ii], x[ii], dx[ii]};
        }
    }

private:
    [[nodiscard]] bool formula_applies(double h) const;
    void find_coefficients();
    [[nodiscard]] StepStatus factor(double h) override;
    [[nodiscard]] StepStatus solve_stages() override;
    [[nodiscard]] StepStatus solve_explicit();
    [[nodiscard]] StepStatus estimate_error(double& norm) override {
        norm = 0.0;
        return StepStatus::ok;
    }
    void slopes_of_algebraic(bool all);
    [[nodiscard]] Attempt first_step();
    [[nodiscard]] Attempt no_start(double h) {
        fresh_ = true;
        return {StepStatus::singular_matrix, 0.0, h};
    }
    [[nodiscard]] bool shift_past();
    void shift_velocities(std::vector<double>& x) const;
    /// The point i steps back: 1 is the present one.
    [[nodiscard]] const std::vector<double>& x_back(int i) const {
        return i == 1 ? x_ : past_[static_cast<std::size_t>(i - 2)].x;
    }
    [[nodiscard]] const std::vector<double>& dx_back(int i) const {
        return i == 1 ? dx_ : past_[static_cast<std::size_t>(i - 2)].dx;
    }
    [[nodiscard]] double t_back(int i) const { return i == 1 ? t_ : past_[static_cast<std::size_t>(i - 2)].t; }

    const tableau::MultistepMethod& method_;
    const StartUp start_up_;
    std::optional<NumericalStart> numerical_;
    bool fresh_ = true; ///< the formula was not used since start()
    std::vector<double> base_, other_;
    std::unique_ptr<Stepper> starter_;
    std::optional<StageSolver> local_;
    std::vector<Point> past_; ///< before the present one, the newest first
    int known_ = 0;           ///< of them
    int given_ = 0;           ///< by give(), for the next start()
    bool starting_ = false;   ///< the starter stands at the present point
    bool by_starter_ = false; ///< the last attempt
    std::vector<double> alpha_, beta_;
    std::vector<long double> times_, exact_alpha_;       ///< of the formula
    std::vector<long double> slope_times_, slope_alpha_; ///< of slopes_of_algebraic()
    std::vector<double> divided_;                        ///< of shift_past()
};

bool Multistep::formula_applies(double h) const {
    const int k = method_.steps();
    if (known_ < k - 1) return false;
    if (method_.bdf) return true;
    for (int i = 1; i < k; ++i)
        if (std::abs((t_back(i) - t_back(i + 1)) / h - 1.0) > same_step) return false;
    return true;
}

/// h α on the grid at hand.
void Multistep::find_coefficients() {
    const int k = method_.steps();
    if (!method_.bdf) {
        std::copy(method_.alpha.begin(), method_.alpha.end(), alpha_.begin());
        return;
    }
    times_[0] = 1.0L;
    for (int i = 1; i <= k; ++i)
        times_[static_cast<std::size_t>(i)] = 1.0L - (static_cast<long double>(t_new_) - t_back(i)) / h_;
    bool equal = true; // up to rounding of the times
    for (int i = 1; i <= k; ++i) {
        const long double exact = 1.0L - i;
        equal = equal && std::abs(times_[static_cast<std::size_t>(i)] - exact) <= 1e-8L;
    }
    if (equal) {
        std::copy(method_.alpha.begin(), method_.alpha.end(), alpha_.begin());
        return;
    }
    tableau::bdf_alpha(times_, exact_alpha_);
    std::copy(exact_alpha_.begin(), exact_alpha_.end(), alpha_.begin());
}

Attempt Multistep::attempt(double h, double t_new) {
    by_starter_ = !formula_applies(h);
    h_ = h;
    t_new_ = t_new;
    if (!by_starter_) {
        find_coefficients();
        if (numerical_ && std::exchange(fresh_, false)) return first_step();
        return DirkStepper::attempt(h, t_new);
    }
    norm_.set_weights(x_.data(), h);
    if (!starting_) starter_->start(t_, x_, dx_, h);
    starting_ = true;
    const Attempt attempt = starter_->attempt(h, t_new);
    const Trial trial = starter_->trial();
    std::copy(trial.x.begin(), trial.x.end(), x_new_.begin());
    std::copy(trial.dx.begin(), trial.dx.end(), dx_new_.begin());
    std::copy(trial.error.begin(), trial.error.end(), error_.begin());
    shift_ = 0.0;
    return {attempt.status, attempt.error, h};
}

/// The first step by the formula, with starting values shifted, or its multipliers corrected.
Attempt Multistep::first_step() {
    const double h = h_, t_new = t_new_;
    if (method_.steps() > 1) return shift_past() ? DirkStepper::attempt(h, t_new) : no_start(h);
    const Attempt attempt = DirkStepper::attempt(h, t_new);
    if (!attempt.acceptable()) return attempt;
    ++counters_.residuals;
    std::vector<double>& change = base_;
    for (std::size_t k = 0; k < n_; ++k) change[k] = numerical_->index_of(k) == 2 ? x_[k] - x_new_[k] : 0.0;
    if (problem_.residual(t_new, x_new_.data(), dx_new_.data(), error_.data()) != problem::EvalStatus::ok ||
        !time_derivative(t_new, x_new_.data(), dx_new_.data(), error_.data(), -h, other_.data()) ||
        !numerical_->linearize(t_new, x_new_.data(), dx_new_.data(), counters_) ||
        !numerical_->solve_for_step(change.data(), other_.data(), h, counters_))
        return no_start(h);
    if (start_up_ == StartUp::numerical) {
        shift_velocities(x_);
        return DirkStepper::attempt(h, t_new);
    }
    for (std::size_t k = 0; k < n_; ++k)
        if (numerical_->index_of(k) == 3 && !differential_[k]) x_new_[k] -= numerical_->shift()[k] / h;
    return attempt;
}

void Multistep::shift_velocities(std::vector<double>& x) const {
    for (std::size_t k = 0; k < n_; ++k)
        if (numerical_->index_of(k) == 2) x[k] += numerical_->shift()[k];
}

/// w = -h^k p^(k+1) / (k+1) from the divided difference of order k + 1 over the k points, the oldest two of them
/// double.
bool Multistep::shift_past() {
    const int k = method_.steps();
    const std::size_t count = static_cast<std::size_t>(k) + 2;
    const auto owner = [k](std::size_t i) { // steps back: k, k, k - 1, k - 1, k - 2, …, 1
        const int node = static_cast<int>(i);
        return i < 2 ? k : i < 4 ? k - 1 : k + 2 - node;
    };
    double factor = -1.0 / (k + 1);
    for (int i = 1; i <= k; ++i) factor *= h_;
    for (int i = 1; i <= k + 1; ++i) factor *= i;
    std::vector<double>&w = base_, &d = divided_;
    for (std::size_t m = 0; m < n_; ++m) {
        w[m] = 0.0;
        if (numerical_->index_of(m) != 1) continue;
        for (std::size_t i = 0; i < count; ++i) d[i] = x_back(owner(i))[m];
        for (std::size_t level = 1; level < count; ++level)
            for (std::size_t i = count - 1; i >= level; --i)
                d[i] = owner(i) == owner(i - level) ? dx_back(owner(i))[m]
                                                    : (d[i] - d[i - 1]) / (t_back(owner(i)) - t_back(owner(i - level)));
        w[m] = factor * d[count - 1];
    }
    for (int i = 1; i <= k; ++i) {
        if (!numerical_->linearize(t_back(i), x_back(i).data(), dx_back(i).data(), counters_) ||
            !numerical_->solve_for(w.data(), counters_))
            return false;
        shift_velocities(i == 1 ? x_ : past_[static_cast<std::size_t>(i - 2)].x);
    }
    return true;
}

StepStatus Multistep::factor(double h) {
    return method_.implicit() ? factored(matrix_, alpha_[0] / (h * beta_[0]), shift_) : StepStatus::ok;
}

/// x' at the end where no formula gives it: from differences of the last points. Recursions for x' of algebraic
/// unknowns, in which F has no part, may be unstable.
void Multistep::slopes_of_algebraic(bool all) {
    const int k = std::min(known_ + 1, std::max(method_.steps(), 2));
    const auto points = static_cast<std::size_t>(k) + 1;
    const std::span<long double> t = std::span(slope_times_).first(points);
    const std::span<long double> alpha = std::span(slope_alpha_).first(points);
    t[0] = t_new_;
    for (int i = 1; i <= k; ++i) t[static_cast<std::size_t>(i)] = t_back(i);
    tableau::bdf_alpha(t, alpha);
    for (std::size_t m = 0; m < n_; ++m) {
        if (differential_[m] && !all) continue;
        double slope = static_cast<double>(alpha[0]) * x_new_[m];
        for (int i = 1; i <= k; ++i) slope += static_cast<double>(alpha[static_cast<std::size_t>(i)]) * x_back(i)[m];
        dx_new_[m] = slope;
    }
}

StepStatus Multistep::solve_explicit() {
    for (std::size_t m = 0; m < n_; ++m) {
        double sum = 0.0;
        for (int i = 1; i <= method_.steps(); ++i) {
            const auto ii = static_cast<std::size_t>(i);
            sum += h_ * beta_[ii] * dx_back(i)[m] - alpha_[ii] * x_back(i)[m];
        }
        base_[m] = sum / alpha_[0];
    }
    if (!local_->learn(t_, x_.data(), dx_.data(), counters_)) return StepStatus::not_finite;
    const LocalSystem& system = local_->system();
    constexpr double eps = std::numeric_limits<double>::epsilon();
    local_->begin(norm_.weights(), h_, 4 * eps * norm_(x_.data()));
    for (std::size_t m = 0; m < n_; ++m) {
        x_new_[m] = system.differential()[m] != 0 ? base_[m] : x_[m] + h_ * dx_[m];
        other_[m] = system.differential()[m] != 0 ? dx_[m] : x_new_[m];
    }
    system.follow_links(x_new_.data(), other_.data());
    const StepStatus status = local_->solve(t_new_, x_new_.data(), other_.data(), false, counters_);
    slopes_of_algebraic(true);
    for (std::size_t m = 0; m < n_; ++m)
        if (system.differential()[m] != 0) dx_new_[m] = other_[m];
    system.follow_links(x_new_.data(), dx_new_.data());
    return status;
}

StepStatus Multistep::solve_stages() {
    if (!method_.implicit()) return solve_explicit();
    const int k = method_.steps();
    const double shift = alpha_[0] / (h_ * beta_[0]);
    // The argument of F is X, its slope shift (X - base).
    double time = t_new_;
    for (std::size_t m = 0; m < n_; ++m) {
        double past_alpha = 0.0, past_beta = 0.0;
        for (int i = 1; i <= k; ++i) {
            const auto ii = static_cast<std::size_t>(i);
            past_alpha += alpha_[ii] * x_back(i)[m];
            past_beta += beta_[ii] * (method_.one_leg ? x_back(i) : dx_back(i))[m];
        }
        if (method_.one_leg) {
            other_[m] = past_beta;                                    // X = β_0 x_n + this
            base_[m] = past_beta - past_alpha * beta_[0] / alpha_[0]; // X' = (α_0 x_n + past) / h
        } else {
            base_[m] = (h_ * past_beta - past_alpha) / alpha_[0];
        }
    }
    if (method_.one_leg) {
        time = beta_[0] * t_new_;
        for (int i = 1; i <= k; ++i) time += beta_[static_cast<std::size_t>(i)] * t_back(i);
    }
    double* X = x_new_.data();
    if (smooth_steps_ > 0)
        interpolate(t_new_, X, dx_new_.data());
    else
        for (std::size_t m = 0; m < n_; ++m) X[m] = x_[m] + h_ * dx_[m];
    for (std::size_t m = 0; m < n_; ++m) {
        if (method_.one_leg) X[m] = beta_[0] * X[m] + other_[m];
        dx_new_[m] = shift * (X[m] - base_[m]);
    }
    constexpr double eps = std::numeric_limits<double>::epsilon();
    DirkStage stage{problem_, matrix_, norm_, counters_, time, shift, X, dx_new_.data(), delta_};
    const nonlinear::NewtonResult newton =
        nonlinear::newton(stage, monitor_, newton_options_, 4 * eps * norm_(x_.data()));
    rate_ = newton.rate;
    if (method_.one_leg)
        for (std::size_t m = 0; m < n_; ++m) X[m] = (X[m] - other_[m]) / beta_[0];
    if (const StepStatus status = outcome(newton); status != StepStatus::ok) return status;
    if (!method_.bdf) slopes_of_algebraic(method_.one_leg);
    return StepStatus::ok;
}

void Multistep::accept() {
    const int kept = method_.steps();
    if (kept > 0) {
        std::rotate(past_.begin(), past_.end() - 1, past_.end());
        past_[0].t = t_;
        std::copy(x_.begin(), x_.end(), past_[0].x.begin());
        std::copy(dx_.begin(), dx_.end(), past_[0].dx.begin());
        known_ = std::min(known_ + 1, kept);
    }
    if (by_starter_) {
        starter_->accept();
        advance();
        return;
    }
    starting_ = false;
    DirkStepper::accept();
}

} // namespace

std::unique_ptr<Stepper> make_multistep(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                                        const tableau::MultistepMethod& method) {
    return std::make_unique<Multistep>(problem, options, method);
}

int steps_of(const Stepper& stepper) {
    const auto* multistep = dynamic_cast<const Multistep*>(&stepper);
    return multistep == nullptr ? 1 : multistep->steps();
}

void give_past(Stepper& multistep, std::span<const double> times, const std::vector<std::vector<double>>& x,
               const std::vector<std::vector<double>>& dx) {
    auto* stepper = dynamic_cast<Multistep*>(&multistep);
    assert(stepper != nullptr);
    stepper->give(times, x, dx);
}

} // namespace daedalus::integrate
