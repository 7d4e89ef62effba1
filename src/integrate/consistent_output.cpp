#include "integrate/consistent_output.hpp"

#include "nonlinear/newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daedalus::integrate {

ConsistentOutput::ConsistentOutput(const problem::ImplicitProblem& problem, const IntegrationOptions& options)
    : problem_(problem), projection_(problem, options.tolerance, options.norm),
      onto_rows_(problem, options.tolerance, options.norm, constraints_among_rows(problem)), jacobian_(problem),
      local_(options.linear_solver), matrix_(problem, options.linear_solver),
      short_matrix_(problem, options.linear_solver) {
    applicable_ = problem.highest_index() <= 1 && problem.has_entries();
    noise_.tolerance = options.tolerance.relative;
    const auto n = static_cast<std::size_t>(problem.size());
    r_.resize(n);
    taken_.resize(n);
    scale_.resize(n);
    x_start_.resize(n);
    dx_start_.resize(n);
    has_derivative_.resize(n);
}

void ConsistentOutput::links_changed() {
    jacobian_.resize();
    local_.reset();
    matrix_.resize(problem_);
    short_matrix_.resize(problem_);
    onto_rows_.links_changed();
    factored_ = false;
}

bool ConsistentOutput::prepare(double t, double time_scale, const double* x, const double* dx) {
    factored_ = false;
    linear_ = {};
    if (jacobian_.evaluate(t, x, dx, counters_) != problem::EvalStatus::ok) return false;
    jacobian_.mark_differential(has_derivative_);
    shift_ = factored_for_ = wanted_shift_;
    if (shift_ != 0.0) {
        factored_ = matrix_.factor(jacobian_, shift_, counters_) == linalg::FactorStatus::ok;
        return factored_;
    }
    if (local_.factor(jacobian_, has_derivative_, counters_) != linalg::FactorStatus::ok) {
        // 1e7: states move by 1e-7 of residual times step, the corrections keep nine digits.
        shift_ = 1e7 / time_scale;
        if (matrix_.factor(jacobian_, shift_, counters_) != linalg::FactorStatus::ok) return false;
    }
    factored_ = true;
    return true;
}

bool ConsistentOutput::refine(double t, double time_scale, double* x, double* dx, bool keep_matrix, double accuracy) {
    if (!applicable_) return false;
    // Where states are chosen, the coordinates that depend on them follow first: constraints would share an error of
    // theirs among all.
    if (projects() && !problem_.state_choice().blocks.empty() && !follow(t, time_scale, x, dx, keep_matrix, accuracy))
        return false;
    if (!project(t, x) || !follow(t, time_scale, x, dx, keep_matrix, accuracy)) return false;
    if (higher_index_) follow_short_steps(t, time_scale, x, dx);
    return true;
}

/// The states are kept, or what is nearest to them and satisfies the constraints.
bool ConsistentOutput::refine_kept(double t, double time_scale, double* x, double* dx, bool keep_matrix,
                                   double accuracy) {
    if (!keep_matrix) onto_rows_.forget_matrix();
    if (!onto_rows_.empty() && !onto_rows_.project(t, x)) return false;
    return refine(t, time_scale, x, dx, keep_matrix, accuracy);
}

bool ConsistentOutput::refine_interpolated(double t, double step, int degree, double* x, double* dx, bool keep_matrix,
                                           double accuracy) {
    if (!applicable_) return false;
    if (degree == 0) return refine_kept(t, step, x, dx, keep_matrix, accuracy);
    return refine_shifted(t, step, 2.0 * degree * degree / std::abs(step), x, dx, keep_matrix, accuracy);
}

bool ConsistentOutput::refine_sample(double t, double step, int degree, double* x, double* dx, bool any_matrix) {
    if (!applicable_) return false;
    if (degree == 0) return refine_kept(t, step, x, dx, any_matrix, 0.0);
    constexpr double near = 2.0;
    double shift = 2.0 * degree * degree / std::abs(step);
    if (any_matrix && factored_ && factored_for_ <= near * shift && shift <= near * factored_for_)
        shift = factored_for_;
    return refine_shifted(t, step, shift, x, dx, any_matrix, 0.0);
}

bool ConsistentOutput::refine_shifted(double t, double step, double shift, double* x, double* dx, bool keep_matrix,
                                      double accuracy) {
    wanted_shift_ = shift;
    const bool reached = iterate(t, step, x, dx, keep_matrix, accuracy);
    wanted_shift_ = 0.0;
    // The states that move have left what they were projected onto, and ideal switches have rules of their own.
    if (reached && projection_.empty() && !higher_index_) return true;
    return refine(t, step, x, dx, keep_matrix, accuracy);
}

bool ConsistentOutput::refine_beside(double t, double step, const double* y, const double* dy, double* x, double* dx) {
    for (std::size_t k = 0; k < r_.size(); ++k) {
        if (!problem_.unknowns()[k].differential) x[k] = y[k];
        dx[k] = dy[k];
    }
    return refine(t, step, x, dx, false);
}

void ConsistentOutput::judge_branches(double t, double time_scale, double* x, double* dx) {
    higher_index_ = false;
    if (!applicable_ || (problem_.hybrid().modes.size == 0 && problem_.hybrid().discrete.empty())) return;
    if (!factored_ && !prepare(t, std::abs(time_scale), x, dx)) return;
    if (shift_ == 0.0) return; // the states determine everything
    higher_index_ = grows_with_shift(std::abs(time_scale), x);
    factored_ = false;
    if (higher_index_) follow_short_steps(t, time_scale, x, dx);
}

/// Compares solutions for the present shift and a smaller one.
bool ConsistentOutput::grows_with_shift(double time_scale, const double* x) {
    constexpr double part = 0.01;
    const SparsityPattern& pattern = problem_.pattern();
    std::fill(r_.begin(), r_.end(), 0.0);
    for (std::size_t j = 0; j < r_.size(); ++j) {
        // What is no state may be anything here.
        const double size = (has_derivative_[j] ? std::abs(x[j]) : 0.0) + std::abs(problem_.unknowns()[j].nominal);
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
            r_[static_cast<std::size_t>(pattern.row_index[k])] +=
                (std::abs(jacobian_.jx[k]) + std::abs(jacobian_.jdx[k]) / time_scale) * size;
    }
    for (std::size_t k = 1; k < r_.size(); k += 2) r_[k] *= -0.7; // not all alike: they could cancel
    taken_ = r_;
    matrix_.solve(r_, counters_);
    if (short_matrix_.factor(jacobian_, part * shift_, counters_) != linalg::FactorStatus::ok) return false;
    short_matrix_.solve(taken_, counters_);
    double largest = 0.0;
    for (std::size_t k = 0; k < r_.size(); ++k)
        largest = std::max(largest, std::abs(r_[k]) / std::abs(problem_.unknowns()[k].nominal));
    // A correction that grows as 1/step does so by 1/part; a tenth of that tells it from one that does not, and what is
    // a thousandth of the largest is not worth asking.
    constexpr double visible = 1e-3, grown = 0.1 / part;
    for (std::size_t k = 0; k < r_.size(); ++k)
        if (std::abs(r_[k]) >= visible * largest * std::abs(problem_.unknowns()[k].nominal) &&
            std::abs(r_[k]) > grown * std::abs(taken_[k]))
            return true;
    return false;
}

/// F(t + τ, y, y') = 0 with y' = (y - x)/τ.
class ConsistentOutput::ShortStep {
public:
    ShortStep(ConsistentOutput& of, double t, double step, const double* x, std::vector<double>& y,
              std::vector<double>& dy)
        : of_(of), t_(t + step), step_(step), x_(x), y_(y), dy_(dy) {}

    [[nodiscard]] bool linearise() {
        ++of_.counters_.residuals;
        return of_.jacobian_.evaluate(t_, y_.data(), dy_.data(), of_.counters_) == problem::EvalStatus::ok &&
               of_.short_matrix_.factor(of_.jacobian_, 1.0 / step_, of_.counters_) == linalg::FactorStatus::ok &&
               of_.problem_.residual(t_, y_.data(), dy_.data(), of_.r_.data()) == problem::EvalStatus::ok;
    }
    void solve() { of_.short_matrix_.solve(of_.r_, of_.counters_); }
    [[nodiscard]] double update(double part) {
        double change = 0.0;
        for (std::size_t k = 0; k < y_.size(); ++k) {
            const double moved = part * of_.r_[k];
            y_[k] -= moved;
            if (of_.has_derivative_[k]) dy_[k] = (y_[k] - x_[k]) / step_;
            const double relative = std::abs(moved) / (std::abs(y_[k]) + std::abs(of_.problem_.unknowns()[k].nominal));
            if (!(relative <= change)) change = relative;
        }
        return change;
    }

private:
    ConsistentOutput& of_;
    double t_, step_;
    const double* x_;
    std::vector<double>&y_, &dy_;
};

bool ConsistentOutput::short_step(double t, double step, const double* x, std::vector<double>& y,
                                  std::vector<double>& dy) {
    y.assign(x, x + r_.size());
    dy.assign(r_.size(), 0.0);
    // To round-off, which differences of two such steps magnify: corrections below 1e-6 end as soon as they stop
    // shrinking by a quarter.
    ShortStep equation(*this, t, step, x, y, dy);
    return nonlinear::damped_newton(
               equation, {.max_iterations = 20, .negligible = 1e-12, .round_off_level = 1e-6, .shrinks = 0.25})
        .usable();
}

/// For states on the constraints: x' and all that is no state from two short steps, extrapolated to none.
void ConsistentOutput::follow_short_steps(double t, double time_scale, double* x, double* dx) {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    constexpr double part = 1e-4; // leaves errors of 1e-8, and as much of round-off
    const double step = std::copysign(std::max(part * std::abs(time_scale), 1e4 * eps * std::abs(t)), time_scale);
    factored_ = false;
    if (!short_step(t, step, x, short_step_.x, short_step_.dx) ||
        !short_step(t, 0.5 * step, x, half_step_.x, half_step_.dx))
        return;
    for (std::size_t k = 0; k < r_.size(); ++k) {
        if (has_derivative_[k]) {
            dx[k] = 2.0 * half_step_.dx[k] - short_step_.dx[k];
        } else {
            x[k] = 2.0 * half_step_.x[k] - short_step_.x[k];
            dx[k] = 0.0; // a difference of differences would be noise
        }
    }
    // What is left of F goes, with as little change.
    ++counters_.residuals;
    if (problem_.residual(t, x, dx, r_.data()) != problem::EvalStatus::ok) return;
    short_matrix_.solve(r_, counters_);
    if (!std::all_of(r_.begin(), r_.end(), [](double v) { return std::isfinite(v); })) return;
    for (std::size_t k = 0; k < r_.size(); ++k) {
        x[k] -= r_[k];
        if (has_derivative_[k]) dx[k] -= 2.0 / step * r_[k];
    }
}

void ConsistentOutput::solve_correction() {
    for (double& r : r_) r = -r;
    shift_ == 0.0 ? local_.solve(r_, counters_) : matrix_.solve(r_, counters_);
}

/// Goes on by `part` of r_; its size, relative to the unknowns.
double ConsistentOutput::apply_correction(double part, double* x, double* dx) const {
    double change = 0.0;
    for (std::size_t k = 0; k < r_.size(); ++k) {
        const double step = part * r_[k];
        if (shift_ == 0.0 && has_derivative_[k]) {
            dx[k] += step;
            if (watched_over_ == 0.0) continue;
            const double size =
                std::abs(x[k]) + std::abs(problem_.unknowns()[k].nominal) + watched_over_ * std::abs(dx[k]);
            const double relative = watched_over_ * std::abs(r_[k]) / size;
            if (!(relative <= change)) change = relative;
            continue;
        }
        x[k] += step;
        if (has_derivative_[k]) dx[k] += shift_ * step;
        const double relative = std::abs(r_[k]) / (std::abs(x[k]) + std::abs(problem_.unknowns()[k].nominal));
        if (!(relative <= change)) change = relative;
    }
    return change;
}

/// The size of the last correction in what users see, relative to it.
double ConsistentOutput::correction_of_variables(const double* x) const {
    double change = 0.0;
    for (std::size_t k = 0; k < r_.size(); ++k) {
        const problem::UnknownInfo& u = problem_.unknowns()[k];
        if (u.auxiliary || (shift_ == 0.0 && has_derivative_[k])) continue;
        change = std::max(change, std::abs(r_[k]) / (std::abs(x[k]) + std::abs(u.nominal)));
    }
    return change;
}

/// After a long correction: as much of it is taken back as it takes to make the next one, with the same matrix,
/// shorter (the natural monotonicity test; Deuflhard 2004, 3.3). Exponentials of diodes need that. Both are measured in
/// the same scale, that of the larger values.
bool ConsistentOutput::shorten(double t, double* x, double* dx) {
    constexpr int most = 30;
    taken_ = r_;
    for (std::size_t k = 0; k < r_.size(); ++k)
        scale_[k] = shift_ == 0.0 && has_derivative_[k]
                        ? std::numeric_limits<double>::infinity()
                        : std::max(std::abs(x[k]), std::abs(x[k] - r_[k])) + std::abs(problem_.unknowns()[k].nominal);
    const auto length = [&] {
        double largest = 0.0;
        for (std::size_t k = 0; k < r_.size(); ++k)
            if (!(std::abs(r_[k]) / scale_[k] <= largest)) largest = std::abs(r_[k]) / scale_[k];
        return largest;
    };
    const double change = length();
    for (double part = 1.0, halvings = 0; halvings < most; part *= 0.5, ++halvings) {
        ++counters_.residuals;
        double next = std::numeric_limits<double>::infinity();
        if (problem_.residual(t, x, dx, r_.data()) == problem::EvalStatus::ok) {
            solve_correction();
            next = length();
        }
        r_ = taken_;
        if (next <= (1.0 - 0.25 * part) * change) return true; // natural monotonicity (Deuflhard 2004, 3.3)
        (void)apply_correction(-0.5 * part, x, dx);
    }
    return false;
}

bool ConsistentOutput::follow(double t, double time_scale, double* x, double* dx, bool keep_matrix, double accuracy) {
    return applicable_ && iterate(t, time_scale, x, dx, keep_matrix, accuracy);
}

/// F(t, x, x') = 0 from a point nearby, with the matrix at hand.
class ConsistentOutput::Follow {
public:
    Follow(ConsistentOutput& of, double t, double time_scale, double* x, double* dx)
        : of_(of), t_(t), time_scale_(std::abs(time_scale)), x_(x), dx_(dx) {
        std::copy_n(x, of.r_.size(), of.x_start_.data());
        std::copy_n(dx, of.r_.size(), of.dx_start_.data());
    }
    [[nodiscard]] bool residual() {
        ++of_.counters_.residuals;
        return of_.problem_.residual(t_, x_, dx_, of_.r_.data()) == problem::EvalStatus::ok;
    }
    void solve() { of_.solve_correction(); }
    [[nodiscard]] double update() { return of_.apply_correction(1.0, x_, dx_); }
    [[nodiscard]] bool renew() { return of_.prepare(t_, time_scale_, x_, dx_); }
    [[nodiscard]] bool shorten() { return of_.shorten(t_, x_, dx_); }
    void begin_again() {
        std::copy_n(of_.x_start_.data(), of_.r_.size(), x_);
        std::copy_n(of_.dx_start_.data(), of_.r_.size(), dx_);
    }

private:
    ConsistentOutput& of_;
    double t_, time_scale_;
    double *x_, *dx_;
};

/// Ten times the largest of some, and every eighth point is looked at again.
double ConsistentOutput::LinearRate::expected(const problem::ImplicitProblem& problem) {
    constexpr int enough = 3, seen_again = 8;
    constexpr double margin = 10.0, unknown = 1.0;
    if (!problem.linear() || measured < enough || ++asked % seen_again == 0) return unknown;
    return margin * largest;
}

void ConsistentOutput::LinearRate::note(double rate) {
    if (rate == 0.0) return;
    largest = std::max(largest, rate);
    ++measured;
}

bool ConsistentOutput::iterate(double t, double time_scale, double* x, double* dx, bool keep_matrix, double accuracy) {
    const bool fresh =
        !(keep_matrix && factored_ && factored_for_ == wanted_shift_); // the matrix is made for this point
    // With a leading matrix that is the same everywhere x' follows from x in one correction. With one from another
    // point it does not.
    watched_over_ = problem_.constant_leading_matrix() ? 0.0 : std::abs(time_scale);
    Follow equation(*this, t, time_scale, x, dx);
    if (fresh && !equation.renew()) return false;
    const nonlinear::NewtonResult newton =
        nonlinear::renewing_newton(equation, fresh, {.accuracy = accuracy, .known_rate = linear_.expected(problem_)});
    linear_.note(newton.rate);
    // Corrections this small that no longer shrink, with a matrix made next to the point, are round-off: where
    // stiffness over mass turns that of positions into noise of accelerations it can be as large.
    // Derivatives of variables that are large without saying so can have as much of it as they like.
    if (newton.usable() || newton.last_norm <= noise_.allowed) return true;
    if (std::isfinite(newton.last_norm) && correction_of_variables(x) <= noise_.allowed) return true;
    equation.begin_again();
    factored_ = false;
    return false;
}

} // namespace daedalus::integrate
