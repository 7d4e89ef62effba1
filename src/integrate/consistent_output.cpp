#include "integrate/consistent_output.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daedalus::integrate {

ConsistentOutput::ConsistentOutput(const problem::ImplicitProblem& problem, const IntegrationOptions& options)
    : problem_(problem), projection_(problem, options.tolerance, options.norm), jacobian_(problem),
      local_(options.linear_solver), matrix_(problem, options.linear_solver),
      short_matrix_(problem, options.linear_solver) {
    applicable_ = problem.highest_index() <= 1;
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
    factored_ = false;
}

bool ConsistentOutput::prepare(double t, double time_scale, const double* x, const double* dx) {
    factored_ = false;
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
    if (!applicable_ || !project(t, x) || !follow(t, time_scale, x, dx, keep_matrix, accuracy)) return false;
    if (higher_index_) follow_short_steps(t, time_scale, x, dx);
    return true;
}

bool ConsistentOutput::refine_interpolated(double t, double step, int degree, double* x, double* dx, bool keep_matrix,
                                           double accuracy) {
    if (!applicable_) return false;
    if (degree == 0) return refine(t, step, x, dx, keep_matrix, accuracy);
    wanted_shift_ = 2.0 * degree * degree / std::abs(step);
    const bool reached = iterate(t, step, x, dx, keep_matrix, accuracy);
    wanted_shift_ = 0.0;
    // The states that move have left what they were projected onto, and ideal switches have rules of their own.
    if (reached && projection_.empty() && !higher_index_) return true;
    return refine(t, step, x, dx, keep_matrix, accuracy);
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
    constexpr double visible = 1e-3, grown = 0.1 / part;
    for (std::size_t k = 0; k < r_.size(); ++k)
        if (std::abs(r_[k]) >= visible * largest * std::abs(problem_.unknowns()[k].nominal) &&
            std::abs(r_[k]) > grown * std::abs(taken_[k]))
            return true;
    return false;
}

/// F(t + τ, y, y') = 0 with y' = (y - x)/τ.
bool ConsistentOutput::short_step(double t, double step, const double* x, std::vector<double>& y,
                                  std::vector<double>& dy) {
    const std::size_t n = r_.size();
    y.assign(x, x + n);
    dy.assign(n, 0.0);
    constexpr int most = 20;
    constexpr double close = 1e-12;
    double previous = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most; ++iteration) {
        ++counters_.residuals;
        if (jacobian_.evaluate(t + step, y.data(), dy.data(), counters_) != problem::EvalStatus::ok ||
            short_matrix_.factor(jacobian_, 1.0 / step, counters_) != linalg::FactorStatus::ok ||
            problem_.residual(t + step, y.data(), dy.data(), r_.data()) != problem::EvalStatus::ok)
            return false;
        short_matrix_.solve(r_, counters_);
        double change = 0.0;
        for (std::size_t k = 0; k < n; ++k) {
            y[k] -= r_[k];
            if (has_derivative_[k]) dy[k] = (y[k] - x[k]) / step;
            const double relative = std::abs(r_[k]) / (std::abs(y[k]) + std::abs(problem_.unknowns()[k].nominal));
            if (!(relative <= change)) change = relative;
        }
        if (!std::isfinite(change)) return false;
        if (change <= close || (change <= 1e-6 && change > 0.25 * previous)) return true;
        previous = change;
    }
    return false;
}

/// For states on the constraints: x' and all that is no state from two short steps, extrapolated to none.
void ConsistentOutput::follow_short_steps(double t, double time_scale, double* x, double* dx) {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    constexpr double part = 1e-4; // leaves errors of 1e-8, and as much of round-off
    const double step = std::copysign(std::max(part * std::abs(time_scale), 1e4 * eps * std::abs(t)), time_scale);
    factored_ = false;
    if (!short_step(t, step, x, y_, dy_) || !short_step(t, 0.5 * step, x, y_half_, dy_half_)) return;
    for (std::size_t k = 0; k < r_.size(); ++k) {
        if (has_derivative_[k]) {
            dx[k] = 2.0 * dy_half_[k] - dy_[k];
        } else {
            x[k] = 2.0 * y_half_[k] - y_[k];
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
        if (next <= (1.0 - 0.25 * part) * change) return true;
        (void)apply_correction(-0.5 * part, x, dx);
    }
    return false;
}

bool ConsistentOutput::follow(double t, double time_scale, double* x, double* dx, bool keep_matrix, double accuracy) {
    return applicable_ && iterate(t, time_scale, x, dx, keep_matrix, accuracy);
}

bool ConsistentOutput::iterate(double t, double time_scale, double* x, double* dx, bool keep_matrix, double accuracy) {
    const std::size_t n = r_.size();
    std::copy_n(x, n, x_start_.data());
    std::copy_n(dx, n, dx_start_.data());
    bool fresh = !(keep_matrix && factored_ && factored_for_ == wanted_shift_); // the matrix is made for this point
    // With a leading matrix that is the same everywhere x' follows from x in one correction. With one from another
    // point it does not.
    watched_over_ = problem_.constant_leading_matrix() ? 0.0 : std::abs(time_scale);
    if (fresh && !prepare(t, std::abs(time_scale), x, dx)) return false;

    constexpr int max_iterations = 10;
    constexpr double eps = std::numeric_limits<double>::epsilon();
    double previous = std::numeric_limits<double>::infinity();
    double last = std::numeric_limits<double>::infinity();
    bool converged = false;
    int renewals = 2, far_renewals = 20;
    for (int iteration = 0; iteration < max_iterations + 20 - far_renewals && !converged; ++iteration) {
        ++counters_.residuals;
        last = std::numeric_limits<double>::infinity();
        if (problem_.residual(t, x, dx, r_.data()) != problem::EvalStatus::ok) break;
        solve_correction();
        double change = apply_correction(1.0, x, dx);
        if (!std::isfinite(change)) break;
        last = change;
        const double slow = renewals == 2 ? 0.1 : 0.5; // with a matrix that may come from elsewhere, and from here
        converged = change <= 8 * eps || (change <= 1e-11 && change > 0.25 * previous) ||
                    (change <= accuracy && std::isfinite(previous) && change <= slow * previous);
        // Far from the solution, as where an event changes what algebraic unknowns follow: Newton's own method.
        constexpr double far = 0.05;
        if (change > far && !std::exchange(fresh, true)) { // a direction from elsewhere is not worth damping
            std::copy_n(x_start_.data(), n, x);
            std::copy_n(dx_start_.data(), n, dx);
            if (!prepare(t, std::abs(time_scale), x, dx)) break;
            continue;
        }
        if (change > far && far_renewals-- > 0) {
            if (!shorten(t, x, dx) || !prepare(t, std::abs(time_scale), x, dx)) break;
            previous = std::numeric_limits<double>::infinity();
            continue;
        }
        if (iteration > 0 && change > slow * previous && !converged) {
            // The matrix is too old for this point: once more with a fresh one.
            if (renewals-- == 0 || !prepare(t, std::abs(time_scale), x, dx)) break;
            change = std::numeric_limits<double>::infinity();
        }
        previous = change;
    }
    // Corrections this small that no longer shrink, with a matrix made next to the point, are round-off: where
    // stiffness over mass turns that of positions into noise of accelerations it can be as large.
    // Derivatives of variables that are large without saying so can have as much of it as they like.
    constexpr double noise = 1e-6;
    if (!converged && !(last <= noise) && !(std::isfinite(last) && correction_of_variables(x) <= noise)) {
        std::copy_n(x_start_.data(), n, x);
        std::copy_n(dx_start_.data(), n, dx);
        factored_ = false;
        return false;
    }
    return true;
}

} // namespace daedalus::integrate
