#include "integrate/index_two_system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::integrate {

namespace {
constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr int most_iterations = 10; // with a fresh matrix each: quadratic convergence needs five from a far guess
} // namespace

IndexTwoSystem::IndexTwoSystem(const problem::ImplicitProblem& problem, linalg::SolverKind solver)
    : problem_(problem), s_(problem.facet<problem::IndexTwo>()), jacobian_(problem) {
    const auto n = static_cast<std::size_t>(problem.size());
    is_constraint_.assign(n, 0);
    for (const int row : s_.constraints) is_constraint_[static_cast<std::size_t>(row)] = 1;
    values_.resize(static_cast<std::size_t>(problem.pattern().nonzeros()));
    for (auto* v : {&residual_, &right_, &other_}) v->resize(n);
    rates_.resize(s_.constraints.size());
    solver_ = linalg::make_linear_solver<double>(problem.pattern(), solver);
}

/// Corrections that are a few roundings, or that no longer shrink far below the tolerance.
bool IndexTwoSystem::at_round_off(double change, double previous) const {
    constexpr double few = 8 * eps, many = 1e3 * eps; // residuals are sums of some terms, matrices magnify
    return change <= few || (change < std::max(many, accuracy_) && change > 0.25 * previous);
}

bool IndexTwoSystem::linearise(double t, const double* x, const double* dx) {
    if (jacobian_.evaluate(t, x, dx, counters_) != problem::EvalStatus::ok) return false;
    const SparsityPattern& pattern = problem_.pattern();
    for (std::size_t j = 0; j < s_.multipliers.size(); ++j)
        for (auto k = static_cast<std::size_t>(pattern.column_start[j]);
             k < static_cast<std::size_t>(pattern.column_start[j + 1]); ++k) {
            const bool constraint = is_constraint_[static_cast<std::size_t>(pattern.row_index[k])] != 0;
            values_[k] = constraint || !moves(j) ? jacobian_.jx[k] : jacobian_.jdx[k];
        }
    ++counters_.factorizations;
    return solver_->factor(values_) == linalg::FactorStatus::ok;
}

bool IndexTwoSystem::residual(double t, const double* x, const double* dx) {
    ++counters_.residuals;
    return problem_.residual(t, x, dx, residual_.data()) == problem::EvalStatus::ok;
}

void IndexTwoSystem::solve() {
    ++counters_.solves;
    solver_->solve(right_);
}

double IndexTwoSystem::relative(const double* change, double of_slopes, double of_multipliers, const double* x) const {
    double largest = 0.0;
    for (std::size_t k = 0; k < s_.multipliers.size(); ++k) {
        const double size = std::abs(x[k]) + std::abs(problem_.unknowns()[k].nominal);
        const double share = std::abs(change[k] * (moves(k) ? of_slopes : of_multipliers)) / size;
        if (!(share <= largest)) largest = share; // not a number counts
    }
    return largest;
}

// The matrix of the stage before, or of the last step, is right but for O(h): linear convergence at that rate, and a
// matrix of the point itself where it is slower than a digit per iteration. What z still changes shows in the slopes; z
// itself is known to round-off over τ only, as multipliers of index 2 are.
bool IndexTwoSystem::stage(double t, double* x, double* dx, double t_c, const double* base, double tau, double* there) {
    const std::size_t n = s_.multipliers.size();
    double previous = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < 2 * most_iterations; ++iteration) {
        for (std::size_t k = 0; k < n; ++k) there[k] = moves(k) ? base[k] + tau * dx[k] : x[k];
        if (!residual(t_c, there, dx)) return false;
        std::copy(residual_.begin(), residual_.end(), other_.begin());
        if (!residual(t, x, dx)) return false;
        for (std::size_t i = 0; i < n; ++i) right_[i] = is_constraint_[i] != 0 ? -other_[i] / tau : -residual_[i];
        solve();
        for (std::size_t k = 0; k < n; ++k) (moves(k) ? dx[k] : x[k]) += right_[k];
        const double change = relative(right_.data(), tau, 0.0, x);
        if (!std::isfinite(change)) return false;
        const bool converged = change <= accuracy_ && change <= 0.1 * previous && iteration > 0;
        if (converged || at_round_off(change, previous)) {
            for (std::size_t k = 0; k < n; ++k) there[k] = moves(k) ? base[k] + tau * dx[k] : x[k];
            return true;
        }
        if (change > 0.1 * previous && !linearise(t, x, dx)) return false;
        previous = change;
    }
    return false;
}

bool IndexTwoSystem::complete(double t, double* x, double* dx, double step) {
    const std::size_t n = s_.multipliers.size();
    double previous = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        if (!residual(t, x, dx)) return false;
        if (problem_.evaluate(s_.rates, t, x, dx, rates_.data()) != problem::EvalStatus::ok) return false;
        for (std::size_t i = 0; i < n; ++i) right_[i] = -residual_[i];
        for (std::size_t i = 0; i < rates_.size(); ++i)
            right_[static_cast<std::size_t>(s_.constraints[i])] = -rates_[i];
        solve();
        for (std::size_t k = 0; k < n; ++k) (moves(k) ? dx[k] : x[k]) += right_[k];
        const double change = relative(right_.data(), step, 1.0, x);
        if (!std::isfinite(change)) return false;
        if (at_round_off(change, previous)) return true;
        if (change > 0.1 * previous && !linearise(t, x, dx)) return false;
        previous = change;
    }
    return false;
}

bool IndexTwoSystem::return_to_constraints(double t, double* x, const double* dx) {
    const std::size_t n = s_.multipliers.size();
    double previous = std::numeric_limits<double>::infinity();
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        if (!residual(t, x, dx)) return false;
        for (std::size_t i = 0; i < n; ++i) right_[i] = is_constraint_[i] != 0 ? -residual_[i] : 0.0;
        solve();
        for (std::size_t k = 0; k < n; ++k) {
            if (!moves(k)) right_[k] = 0.0;
            x[k] += right_[k];
        }
        const double change = relative(right_.data(), 1.0, 1.0, x);
        if (!std::isfinite(change)) return false;
        if (at_round_off(change, previous)) return true;
        if (change > 0.1 * previous && !linearise(t, x, dx)) return false;
        previous = change;
    }
    return false;
}

void IndexTwoSystem::make_tangential(double* v) {
    const SparsityPattern& pattern = problem_.pattern();
    std::fill(right_.begin(), right_.end(), 0.0);
    for (std::size_t j = 0; j < s_.multipliers.size(); ++j) {
        if (!moves(j)) continue;
        for (auto k = static_cast<std::size_t>(pattern.column_start[j]);
             k < static_cast<std::size_t>(pattern.column_start[j + 1]); ++k)
            if (const auto row = static_cast<std::size_t>(pattern.row_index[k]); is_constraint_[row] != 0)
                right_[row] -= values_[k] * v[j];
    }
    solve();
    for (std::size_t k = 0; k < s_.multipliers.size(); ++k)
        if (moves(k)) v[k] += right_[k];
}

} // namespace daedalus::integrate
