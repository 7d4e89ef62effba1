#include "integrate/methods/bdf.hpp"

#include "integrate/error_norm.hpp"
#include "integrate/iteration_matrix.hpp"
#include "integrate/methods/bdf_equation.hpp"
#include "integrate/methods/bdf_history.hpp"
#include "integrate/methods/bdf_stability.hpp"
#include "integrate/methods/bdf_starter.hpp"
#include "integrate/methods/growth_guard.hpp"
#include "integrate/methods/index_limits.hpp"
#include "integrate/methods/tightening.hpp"
#include "integrate/noise_floors.hpp"
#include "integrate/round_off.hpp"
#include "nonlinear/newton.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace daedalus::integrate {

namespace {

/// Weights stop at the fortieth part of the round-off: differences of order 6 amplify it thirtyfold (the root of the
/// sum of squares of binomials), of which the error test sees a sixth, an eighth of the tolerance. In direct
/// integration of higher index, where round-off grows with 1/h or 1/h² and what velocities are off adds up, at the
/// tenth part.
double above_round_off(int index) { return index > 1 ? 3.0 : 40.0; }

/// Whether (2 e + 10⁻⁴)^(-1/(k+1)) ≥ 2, the step that the estimate allows twice the present one.
bool doubles(double estimate, int k) { return std::ldexp(2.0 * estimate + 1e-4, k + 1) <= 1.0; }

class Bdf final : public MultistepStepper {
public:
    Bdf(const problem::ImplicitProblem& problem, const IntegrationOptions& options)
        : problem_(problem), n_(static_cast<std::size_t>(problem.size())), fixed_(options.method.fixed_step),
          max_order_(std::clamp(options.method.max_order, 1, BdfHistory::max_order)), index_(problem.highest_index()),
          min_order_(fixed_ ? 1 : std::min(max_order_, least_order_of_bdf(index_))),
          above_noise_(above_round_off(index_)),
          norm_(problem,
                tightened(options.tolerance, tightening_of_bdf(index_, fixed_ ? BdfHistory::max_order : max_order_),
                          problem),
                options.norm),
          error_norm_(norm_), history_(n_), jacobian_(problem), matrix_(problem, options.linear_solver), round_off_(n_),
          wanted_(problem, options.tolerance, options.norm), noise_(problem) {
        tightening_ =
            tightening_of_bdf(index_, fixed_ ? BdfHistory::max_order : max_order_).factor(options.tolerance.relative);
        newton_options_.max_iterations =
            options.method.max_newton_iterations > 0 ? options.method.max_newton_iterations : (fixed_ ? 10 : 4);
        // What Newton leaves is amplified by the differences of the history (five times at order 5) and must stay far
        // below the error test; DASSL's 0.33 lets it dominate in algebraic components. One iteration is enough where
        // the matrix is good: the matrix belongs to the present step size nearly always, see solve_step().
        // Velocities of an index-3 problem are iterated to κ/h only and what they are off adds up: there κ is smaller.
        const bool higher_index = index_ > 1;
        newton_options_.kappa = fixed_ ? 1e-6 : higher_index ? 0.003 : 0.02;
        newton_options_.divergence_rate = 0.9;
        newton_options_.rate_at_round_off = true;
        newton_options_.smallest_eta = fixed_ || higher_index ? 0.3 : 0.02;
        for (auto* v : {&x_, &dx_, &x_new_, &dx_new_, &e_, &delta_, &work_}) v->resize(n_);
    }

    void start(double t, std::span<const double> x, std::span<const double> dx, double h) override {
        t_ = t;
        std::copy(x.begin(), x.end(), x_.begin());
        std::copy(dx.begin(), dx.end(), dx_.begin());
        history_.start(x, dx, h);
        k_ = 1;
        k_old_ = 0;
        h_old_ = 0.0;
        equal_steps_ = 0;
        raising_ = true;
        recovering_ = false;
        error_failures_ = 0;
        hold_ = 0;
        doubtful_ = false;
        matrix_cj_ = 0.0;
        jacobian_age_ = -1;
        round_off_.reset();
        jacobians_ = 0;
        monitor_.forget_rate();
        stability_.restart();
        growth_.reset();
    }
    void start_with_history(std::span<const double> times, std::span<const double> values,
                            std::span<const double> dx) override {
        start(times[0], values.first(n_), dx, times[0] - times[1]);
        history_.start(times, values);
        k_ = static_cast<int>(times.size()) - 1;
        k_old_ = k_;
        raising_ = false;
    }

    /// The polynomial of the last step, as its values at equal distances back from t.
    [[nodiscard]] MethodMemory remember(double t) const override {
        MethodMemory memory{k_old_, {}, {}};
        if (k_old_ == 0 || h_old_ == 0.0) return {};
        memory.values.resize(static_cast<std::size_t>(k_old_ + 1) * n_);
        std::vector<double> slope(n_);
        for (int i = 0; i <= k_old_; ++i) {
            memory.times.push_back(t - i * h_old_);
            interpolate(memory.times.back(), memory.values.data() + static_cast<std::size_t>(i) * n_, slope.data());
        }
        return memory;
    }
    void go_on(double t, std::span<const double> x, std::span<const double> dx, double h,
               const MethodMemory& memory) override {
        if (memory.times.size() < 2) return start(t, x, dx, h);
        std::vector<double> values = memory.values;
        std::copy(x.begin(), x.end(), values.begin());
        start_with_history(memory.times, values, dx);
        k_ = std::min(k_, max_order_);
        doubtful_ = true;
    }

    [[nodiscard]] Attempt attempt(double h, double t_new) override;
    bool proposal(double* x) const override {
        std::copy(x_new_.begin(), x_new_.end(), x);
        return true;
    }
    void accept() override;
    bool project_with(const Projector& projector) override {
        projector_ = projector;
        error_norm_.states_only(problem_);
        return true;
    }
    void correct(std::span<const double> x, std::span<const double> dx) override {
        for (std::size_t k = 0; k < n_; ++k) work_[k] = x[k] - x_[k];
        history_.correct(work_.data());
        std::copy(x.begin(), x.end(), x_.begin());
        std::copy(dx.begin(), dx.end(), dx_.begin());
    }

    double t() const override { return t_; }
    std::span<const double> x() const override { return x_; }
    std::span<const double> dx() const override { return dx_; }
    int order() const override { return std::max(1, k_old_); }
    void interpolate(double time, double* x, double* dx) const override {
        if (time == t_) {
            std::copy(x_.begin(), x_.end(), x);
            std::copy(dx_.begin(), dx_.end(), dx);
            return;
        }
        history_.interpolate(time - t_, x, dx);
    }
    void links_changed() override {
        jacobian_.resize();
        matrix_.resize(problem_);
        matrix_cj_ = 0.0;
        jacobian_age_ = -1;
        growth_.reset();
    }
    const double* latest_jacobian() const override { return jacobian_.jx.data(); }
    std::string linear_solver() const override { return matrix_.description(); }
    int degree() const override { return order(); }
    std::span<const NoiseFloor> noise() const override { return noise_.list(); }
    Trial trial() const override {
        return {t_new_, history_.leading_coefficient(), x_new_, dx_new_, e_, norm_.weights()};
    }

private:
    [[nodiscard]] StepStatus solve_step(double t_new);
    [[nodiscard]] StepStatus renew_jacobian(double t_new);
    [[nodiscard]] StepStatus factor(double cj);
    void set_weights(double h);
    void note_noise();
    void shift_start(double h);
    [[nodiscard]] bool project(double t_new, double h);
    [[nodiscard]] Attempt judge(double h);
    [[nodiscard]] Attempt plan_after_success(double h);
    [[nodiscard]] Attempt plan_after_error(double h, double error);
    void note_trouble();
    /// Without a projection the two norms are one.
    [[nodiscard]] const ErrorNorm& test_norm() const { return projector_ ? error_norm_ : norm_; }

    const problem::ImplicitProblem& problem_;
    std::size_t n_;
    bool fixed_;
    int max_order_;
    int index_;          ///< the highest one of an unknown
    int min_order_;      ///< below it unknowns of that index have no accuracy; a starter gives the first points
    double above_noise_; ///< no component is tested below this many times its round-off
    ErrorNorm norm_;
    /// Of the error test. Where steps end with a projection, which moves all states by up to a tolerance, accelerations
    /// and multipliers follow by that times stiffness over mass; only the states are as smooth as the test assumes.
    ErrorNorm error_norm_;
    BdfHistory history_;
    JacobianValues jacobian_;
    ShiftedMatrix<double> matrix_;
    GrowthGuard growth_{problem_};
    RoundOff round_off_;
    ErrorNorm wanted_; ///< at the tolerance as asked for
    NoiseFloors noise_;
    bool noise_is_new_ = false; ///< estimated anew since the last accepted step
    nonlinear::ConvergenceMonitor monitor_;
    nonlinear::NewtonOptions newton_options_;
    Projector projector_;
    std::vector<double> x_, dx_, x_new_, dx_new_, e_, delta_, work_;

    double t_ = 0, t_new_ = 0, h_ = 0;
    int k_ = 1;           ///< order of the next attempt
    int k_used_ = 1;      ///< order of the last attempt
    int k_next_ = 1;      ///< order after its acceptance
    int k_old_ = 0;       ///< order of the last accepted step
    double h_old_ = 0;    ///< its size
    int equal_steps_ = 0; ///< steps taken with this size and order
    int equal_trial_ = 0;
    bool raising_ = true; ///< starting phase: order and step size go up at every step
    /// After a restart at order 1: low orders show their true error in algebraic components only when the step size
    /// changes (at equal steps the estimate misses a part proportional to h), so the order goes up first, whatever
    /// the estimates at the neighbouring orders say, and the step size only then.
    bool recovering_ = false;
    bool doubtful_ = false; ///< the past may have been smoother than what follows: no step has shown yet
    int error_failures_ = 0;
    long last_trouble_ = -1'000'000; ///< accepted steps at the last one
    int troubles_ = 0;
    double tightening_ = 1;  ///< of the tolerance
    double relaxed_ = 1.0;   ///< how much of the tightening was taken back
    int hold_ = 0;           ///< accepted steps during which the step size must not grow after a failure
    double matrix_cj_ = 0;   ///< cj of the factorised matrix, 0: none
    double rate_ = 0;        ///< of Newton's convergence when last seen
    long jacobians_ = 0;     ///< evaluated since the start
    long jacobian_age_ = -1; ///< accepted steps since it was evaluated, -1: none
    // Error terms of the last attempt at orders k-2 … k+1 (times their constants), see judge().
    double erk_ = 0, erkm1_ = 0, terk_ = 0, terkm1_ = 0, terkm2_ = 0;
    StabilityLimit stability_;
    bool lower_ = false;
};

StepStatus Bdf::renew_jacobian(double t_new) {
    history_.predict(x_new_.data(), dx_new_.data());
    matrix_cj_ = 0.0;
    jacobian_age_ = -1; // what a failure leaves of it is of no use to a smaller step
    // Newton begins at this point: its first residual comes with the Jacobian.
    if (jacobian_.linearize(t_new, x_new_.data(), dx_new_.data(), delta_.data(), counters_) != problem::EvalStatus::ok)
        return StepStatus::not_finite;
    // Where round-off is far below the tolerance, a look now and then is enough.
    constexpr double far_below = 0.05;
    constexpr int now_and_then = 5;
    const bool relevant = round_off_.relevant(norm_.weights(), far_below / above_noise_);
    if (!fixed_ && (relevant || jacobians_ % now_and_then == 0))
        round_off_.measure(t_new, x_new_.data(), dx_new_.data(), delta_.data(), jacobian_,
                           history_.leading_coefficient(), counters_);
    ++jacobians_;
    jacobian_age_ = 0;
    rate_ = 0.0;
    return StepStatus::ok;
}

StepStatus Bdf::factor(double cj) {
    matrix_cj_ = 0.0;
    const linalg::FactorStatus status = matrix_.factor(jacobian_, cj, counters_);
    if (status == linalg::FactorStatus::not_finite) return StepStatus::not_finite;
    if (status != linalg::FactorStatus::ok) return StepStatus::singular_matrix;
    if (!fixed_ && growth_.outruns(jacobian_, matrix_, cj, dx_, norm_.weights(), counters_))
        return StepStatus::singular_matrix;
    matrix_cj_ = cj;
    monitor_.forget_rate();
    round_off_.estimate(jacobian_, cj, x_.data(), matrix_, counters_);
    noise_is_new_ = true;
    set_weights(h_);
    return StepStatus::ok;
}

void Bdf::set_weights(double h) {
    norm_.set_weights(x_.data(), h);
    norm_.bound_weights(round_off_.level(), above_noise_);
    if (!projector_) return;
    error_norm_.set_weights(x_.data(), h);
    error_norm_.bound_weights(round_off_.level(), above_noise_);
}

/// Remembers the unknowns that were granted more than was asked for.
void Bdf::note_noise() {
    if (!std::exchange(noise_is_new_, false) || !round_off_.relevant(norm_.weights(), 0.5 / above_noise_)) return;
    wanted_.set_weights(x_.data(), h_);
    for (std::size_t i = 0; i < n_; ++i) {
        const double level = above_noise_ * round_off_.level()[i];
        if (level * wanted_.weights()[i] <= 1.0) continue;
        noise_.note({t_, static_cast<int>(i), level});
    }
}

StepStatus Bdf::solve_step(double t_new) {
    const double cj = history_.leading_coefficient();
    // J and M outlive many changes of the step size, of which there is one in six steps at most: a factorisation each
    // time saves an iteration in each of these. Within a tenth the correction in BdfEquation makes up for it.
    constexpr double keep = 0.9;
    const bool changed = matrix_cj_ == 0.0 || cj / matrix_cj_ < keep || cj / matrix_cj_ > 1.0 / keep;
    constexpr double slow = 0.1; // two digits per two iterations
    constexpr long old = 20;     // CVODE's limit for a matrix
    bool fresh = jacobian_age_ < 0 || rate_ > slow || jacobian_age_ > old;
    if (fresh)
        if (const StepStatus renewed = renew_jacobian(t_new); renewed != StepStatus::ok) return renewed;
    if (fresh || changed)
        if (const StepStatus factored = factor(cj); factored != StepStatus::ok) return factored;
    for (;;) {
        history_.predict(x_new_.data(), dx_new_.data());
        std::fill(e_.begin(), e_.end(), 0.0);
        BdfEquation equation{
            problem_,      matrix_,        norm_,     counters_, t_new, cj, 2.0 / (1.0 + cj / matrix_cj_),
            x_new_.data(), dx_new_.data(), e_.data(), delta_,    fresh};
        // One iteration solves a linear system with its own matrix, up to round-off, far below a thousandth.
        constexpr double exact = 1e-3, unknown = 20.0;
        newton_options_.first_eta = problem_.linear() && index_ <= 1 && cj == matrix_cj_ ? exact : unknown;
        const double round_off = (fixed_ ? 0.1 : 2.0) * norm_(round_off_.level().data());
        const nonlinear::NewtonResult newton = nonlinear::newton(equation, monitor_, newton_options_, round_off);
        if (newton.iterations > 1) rate_ = newton.rate;
        if (newton.usable()) return StepStatus::ok;
        if (newton.status == nonlinear::NewtonStatus::not_finite && fresh) return StepStatus::not_finite;
        if (fresh) return StepStatus::newton_failed;
        if (const StepStatus renewed = renew_jacobian(t_new); renewed != StepStatus::ok) return renewed;
        if (const StepStatus factored = factor(cj); factored != StepStatus::ok) return factored;
        fresh = true;
    }
}

Attempt Bdf::attempt(double h, double t_new) {
    h_ = h;
    t_new_ = t_new;
    k_used_ = k_;
    // Far from t = 0 equal steps differ by the roundings of t.
    const double roundings = 4 * std::numeric_limits<double>::epsilon() * std::abs(t_new);
    const bool same = k_ == k_old_ && std::abs(h - h_old_) <= std::max(1e-10 * std::abs(h), roundings);
    equal_trial_ = std::min(same ? equal_steps_ + 1 : 1, k_old_ + 2);
    set_weights(h);
    const bool shifts = k_old_ == 0 && k_ == 1 && index_ >= 3;
    if (shifts) history_.start(x_, dx_, h);
    history_.prepare(h, k_);
    StepStatus solved = solve_step(t_new);
    if (shifts && solved == StepStatus::ok) {
        shift_start(h);
        solved = solve_step(t_new);
    }
    if (solved == StepStatus::ok && !project(t_new, h)) solved = StepStatus::newton_failed;
    if (solved == StepStatus::ok) return judge(h);
    raising_ = false;
    if (solved == StepStatus::newton_failed) note_trouble();
    return {solved, 0.0, 0.25 * h};
}

/// The first step, of order 1, from exact values leaves multipliers of index 3 with an error O(1): positions on their
/// constraints force the defect -h/2 p'' of the difference quotient onto the velocities at its end, and those at its
/// beginning have none. Numerically consistent ones have it (NC (3.3), (4.2)):
///     v_0 := v(t_0) + B (v(t_0) - v_1) ,   B = M⁻¹Gᵀ (G M⁻¹ Gᵀ)⁻¹ G
/// or, without knowing M and G: A δ = -∂F/∂x w with w = v(t_0) - v_1 in the unknowns of index 2 has δ = -B w in them,
/// up to h w. Only the history changes; v(t_0) has been delivered as it is.
void Bdf::shift_start(double h) {
    const SparsityPattern& pattern = problem_.pattern();
    std::fill(delta_.begin(), delta_.end(), 0.0);
    for (int j = 0; j < pattern.cols; ++j) {
        const auto at = static_cast<std::size_t>(j);
        if (problem_.unknowns()[at].index != 2) continue;
        const double w = x_[at] - x_new_[at];
        for (int k = pattern.column_start[at]; k < pattern.column_start[at + 1]; ++k)
            delta_[static_cast<std::size_t>(pattern.row_index[static_cast<std::size_t>(k)])] -=
                jacobian_.jx[static_cast<std::size_t>(k)] * w;
    }
    matrix_.solve(delta_, counters_);
    std::copy(x_.begin(), x_.end(), work_.begin());
    for (std::size_t i = 0; i < n_; ++i)
        if (problem_.unknowns()[i].index == 2) work_[i] -= delta_[i];
    history_.start(work_, dx_, h);
    history_.prepare(h, 1);
}

/// Onto constraints besides F, before the error test: the differences that estimate errors are then all between
/// points of the constraints, and what the projection takes away, which jumps with step size and order, is no error.
bool Bdf::project(double t_new, double h) {
    if (!projector_) return true;
    std::copy(x_new_.begin(), x_new_.end(), work_.begin());
    if (!projector_(t_new, h, x_new_.data(), dx_new_.data())) return false;
    for (std::size_t k = 0; k < n_; ++k) e_[k] += x_new_[k] - work_[k];
    return true;
}

/// Error test, and the error terms at the neighbouring orders, TERK = ‖h^{k+1} x^{(k+1)}‖ and so on.
Attempt Bdf::judge(double h) {
    const int k = k_used_;
    const double enorm = test_norm()(e_.data());
    if (fixed_) {
        k_next_ = k;
        return {StepStatus::ok, 0.0, h};
    }
    erk_ = history_.sigma(k) * enorm;
    terk_ = (k + 1) * erk_;
    lower_ = false;
    if (k > 1) {
        history_.add_difference(k, e_.data(), work_.data());
        erkm1_ = history_.sigma(k - 1) * test_norm()(work_.data());
        terkm1_ = k * erkm1_;
        if (k == 2) {
            lower_ = terkm1_ <= 0.5 * terk_;
        } else {
            history_.add_difference(k - 1, work_.data(), work_.data());
            terkm2_ = (k - 1) * history_.sigma(k - 2) * test_norm()(work_.data());
            lower_ = std::max(terkm1_, terkm2_) <= terk_;
        }
    }
    if (k <= min_order_) lower_ = false;
    const double error = history_.error_constant() * enorm;
    if (!std::isfinite(error)) return {StepStatus::not_finite, 0.0, 0.25 * h};
    if (error > 1.0) return plan_after_error(h, error);
    Attempt attempt = plan_after_success(h);
    attempt.error = error;
    return attempt;
}

/// Restarts and Newton failures in quick succession mean that the tightened tolerance is below the round-off of the
/// problem: the tightening is taken back, down to what was asked for.
void Bdf::note_trouble() {
    constexpr long quick = 40; // accepted steps
    if (counters_.steps - last_trouble_ < quick && ++troubles_ >= 4 && relaxed_ * tightening_ < 1.0) {
        const double factor = std::min(2.0, 1.0 / (relaxed_ * tightening_));
        relaxed_ *= factor;
        norm_.relax(factor);
        error_norm_.relax(factor);
        troubles_ = 0;
    } else if (counters_.steps - last_trouble_ >= quick) {
        troubles_ = 0;
    }
    last_trouble_ = counters_.steps;
}

Attempt Bdf::plan_after_error(double h, double error) {
    raising_ = false;
    ++error_failures_;
    constexpr double kink = 10.0; // tolerances; less is what a step size that has become too large shows
    if (std::exchange(doubtful_, false) && error > kink && min_order_ == 1) {
        // A kink: only the point and its slope are right. At order 1 the error is that of the second derivative, which
        // is what this attempt has met with.
        const double factor = std::clamp(0.5 / std::sqrt(error), 1e-6, 0.25);
        history_.start(x_, dx_, factor * h);
        k_ = 1;
        k_old_ = 0;
        h_old_ = 0.0;
        raising_ = true;
        error_failures_ = 0;
        return {StepStatus::ok, error, factor * h};
    }
    const bool lower = lower_ && !recovering_;
    const int k = lower ? k_used_ - 1 : k_used_;
    const double estimate = lower ? erkm1_ : erk_;
    double factor = 0.25;
    if (error_failures_ == 1) {
        k_ = k;
        factor = std::clamp(0.9 * std::pow(2.0 * estimate + 1e-4, -1.0 / (k + 1)), 0.25, 0.9);
    } else if (error_failures_ == 2 || min_order_ > 1) { // whoever gave the first points does so again
        k_ = k;
    } else {
        // The history is misleading: begin again at order 1 from the last accepted point.
        k_ = 1;
        history_.start(x_, dx_, factor * h);
        k_old_ = 0;
        h_old_ = 0.0;
        recovering_ = true;
        hold_ = max_order_;
        note_trouble();
    }
    if (k_used_ == 1) recovering_ = true; // stuck at order 1: see there
    // Equal steps until the order may rise: low orders are content with a step size and refuse twice that for ever.
    hold_ = std::max(hold_, k + 2);
    return {StepStatus::ok, error, factor * h};
}

Attempt Bdf::plan_after_success(double h) {
    const int k = k_used_;
    // Steps far below what the tolerance allows show round-off, which always speaks for the lowest order.
    constexpr double noise = 1e-3;
    const bool noisy = raising_ && erk_ < noise;
    const int max_order = stability_.highest_order(max_order_);
    const bool raise_always = k < max_order && (recovering_ || (raising_ && (!lower_ || noisy)));
    if (raise_always) {
        k_next_ = k + 1;
        return {StepStatus::ok, 0.0, hold_ == 0 && doubles(erk_, k) ? 2.0 * h : h};
    }
    k_next_ = k;
    double estimate = erk_;
    // Where an unknown behaves like a derivative of others (multipliers of stiff constraints, nearly index 2), each
    // change of step size or order makes its error jump: before the next change the differences must have forgotten the
    // last.
    const bool settled = equal_trial_ > k;
    if ((lower_ && settled) || k > max_order) {
        k_next_ = k - 1;
        estimate = erkm1_;
    } else if (k < max_order && k + 1 < equal_trial_ && k == k_old_) {
        history_.subtract_top(e_.data(), work_.data());
        const double erkp1 = test_norm()(work_.data()) / (k + 2);
        const double terkp1 = (k + 2) * erkp1;
        if (k > min_order_ && terkm1_ <= std::min(terk_, terkp1)) {
            k_next_ = k - 1;
            estimate = erkm1_;
        } else if (k > 1 ? terkp1 < terk_ : terkp1 < 0.5 * terk_) {
            k_next_ = k + 1;
            estimate = erkp1;
        }
    }
    double factor = 1.0;
    const bool grows = doubles(estimate, k_next_);
    if (index_ <= 1 && k_next_ == k) stability_.watch(k, h, terk_, terkm1_, terkm2_, grows, counters_.steps);
    if (hold_ == 0 && settled && grows)
        factor = 2.0;
    else if (2.0 * estimate + 1e-4 >= 1.0)
        factor = std::clamp(std::pow(2.0 * estimate + 1e-4, -1.0 / (k_next_ + 1)), 0.5, 0.9);
    return {StepStatus::ok, 0.0, factor * h};
}

void Bdf::accept() {
    ++counters_.steps;
    ++jacobian_age_;
    history_.commit(e_.data());
    std::swap(x_, x_new_);
    std::swap(dx_, dx_new_);
    t_ = t_new_;
    note_noise();
    if (k_next_ < k_used_ || k_used_ == max_order_) raising_ = false;
    if (k_used_ == max_order_) recovering_ = false;
    k_old_ = k_used_;
    h_old_ = h_;
    equal_steps_ = equal_trial_;
    k_ = k_next_;
    error_failures_ = 0;
    doubtful_ = false;
    if (hold_ > 0) --hold_;
}

} // namespace

std::unique_ptr<MultistepStepper> make_self_starting_bdf(const problem::ImplicitProblem& problem,
                                                         const IntegrationOptions& options) {
    return std::make_unique<Bdf>(problem, options);
}

std::unique_ptr<Stepper> make_bdf(const problem::ImplicitProblem& problem, const IntegrationOptions& options) {
    const int least = least_order_of_bdf(problem.highest_index());
    const bool needs_starter = !options.method.fixed_step && least > 1 && options.method.max_order >= least;
    if (needs_starter) return std::make_unique<BdfStarter>(problem, options);
    return make_self_starting_bdf(problem, options);
}

std::unique_ptr<Stepper> make_bdf_with_history(const problem::ImplicitProblem& problem,
                                               const IntegrationOptions& options, std::span<const double> times,
                                               std::span<const double> values, std::span<const double> dx) {
    assert(times.size() >= 2 && times.size() <= BdfHistory::max_order + 1);
    auto stepper = std::make_unique<Bdf>(problem, options);
    stepper->start_with_history(times, values, dx);
    return stepper;
}

} // namespace daedalus::integrate
