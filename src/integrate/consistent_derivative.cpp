#include "integrate/consistent_derivative.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::integrate {

ConsistentDerivative::ConsistentDerivative(const problem::ImplicitProblem& problem, linalg::SolverKind kind)
    : problem_(problem), kind_(kind), jacobian_(problem), local_(kind), revision_(problem.revision()) {
    const auto n = static_cast<std::size_t>(problem.size());
    differential_.resize(n);
    for (auto* v : {&F_t_, &other_, &p_, &fine_, &leading_}) v->resize(n);
}

/// F_t at fixed x, x'; one-sided where F is not defined on one side of t.
bool ConsistentDerivative::differentiate_in_time(double t, double step, const double* x, const double* dx) {
    counters_.residuals += 2;
    double after = t + step, before = t - step;
    if (problem_.residual(after, x, dx, F_t_.data()) != problem::EvalStatus::ok) {
        after = t;
        if (problem_.residual(after, x, dx, F_t_.data()) != problem::EvalStatus::ok) return false;
    }
    if (problem_.residual(before, x, dx, other_.data()) != problem::EvalStatus::ok) {
        before = t;
        if (problem_.residual(before, x, dx, other_.data()) != problem::EvalStatus::ok) return false;
    }
    if (!(after > before)) return false;
    for (std::size_t k = 0; k < F_t_.size(); ++k) F_t_[k] = (F_t_[k] - other_[k]) / (after - before);
    return true;
}

/// Every x' stands in one row, and no other beside it: as in x' = f(t, x), F tells all of them.
bool ConsistentDerivative::tells_all() const {
    const SparsityPattern& pattern = problem_.pattern();
    std::vector<char> taken(static_cast<std::size_t>(pattern.rows), 0);
    for (int j = 0; j < pattern.cols; ++j) {
        int found = 0;
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
            if (jacobian_.jdx[static_cast<std::size_t>(k)] == 0.0) continue;
            char& row = taken[static_cast<std::size_t>(pattern.row_index[static_cast<std::size_t>(k)])];
            if (row != 0 || ++found > 1) return false;
            row = 1;
        }
        if (found == 0) return false;
    }
    return true;
}

bool ConsistentDerivative::find(double t, double time_scale, std::span<const double> x, std::span<double> dx) {
    if (problem_.highest_index() > 1 || !problem_.has_entries()) return false;
    if (revision_ != problem_.revision()) { // the pattern changed
        jacobian_.resize();
        local_.reset();
        matrix_.reset();
        revision_ = problem_.revision();
    }
    if (jacobian_.evaluate(t, x.data(), dx.data(), counters_) != problem::EvalStatus::ok) return false;
    if (tells_all()) return true;
    const double scale = std::abs(time_scale);
    // A Richardson step leaves (step/scale)^4: 1e-8. Never less than differences of t can resolve to three digits.
    const double step = std::max(0.01 * scale, 1e3 * std::numeric_limits<double>::epsilon() * std::abs(t));
    if (!differentiate_in_time(t, step, x.data(), dx.data())) return false;
    jacobian_.mark_differential(differential_);
    if (local_.factor(jacobian_, differential_, counters_) == linalg::FactorStatus::ok) return by_local_matrix(dx);
    constexpr double large = 1e4; // leaves 1e-8 of the scale after the Richardson step, and as much of round-off
    return by_large_shifts(large / scale, x, dx);
}

bool ConsistentDerivative::by_local_matrix(std::span<double> dx) {
    for (std::size_t k = 0; k < p_.size(); ++k) {
        p_[k] = -F_t_[k];
        other_[k] = differential_[k] != 0 ? dx[k] : 0.0;
    }
    jacobian_.apply(-1.0, 0.0, other_.data(), p_.data());
    local_.solve(p_, counters_);
    if (!std::all_of(p_.begin(), p_.end(), [](double v) { return std::isfinite(v); })) return false;
    for (std::size_t k = 0; k < p_.size(); ++k)
        if (differential_[k] == 0) dx[k] = p_[k];
    return true;
}

bool ConsistentDerivative::solve_with(double shift, std::vector<double>& p) {
    if (matrix_->factor(jacobian_, shift, counters_) != linalg::FactorStatus::ok) return false;
    for (std::size_t k = 0; k < p.size(); ++k) p[k] = shift * leading_[k] - F_t_[k];
    matrix_->solve(p, counters_);
    return true;
}

bool ConsistentDerivative::by_large_shifts(double shift, std::span<const double> x, std::span<double> dx) {
    if (!matrix_) matrix_.emplace(problem_, kind_);
    std::fill(leading_.begin(), leading_.end(), 0.0);
    jacobian_.apply(0.0, 1.0, dx.data(), leading_.data());
    if (!solve_with(shift, p_) || !solve_with(2 * shift, fine_)) return false;
    for (std::size_t k = 0; k < fine_.size(); ++k) {
        fine_[k] = 2.0 * fine_[k] - p_[k];
        if (!std::isfinite(fine_[k])) return false;
    }
    std::copy(fine_.begin(), fine_.end(), dx.begin());
    // What links say is exact.
    for (const problem::Link& link : problem_.links()) dx[link.state] = x[link.derivative];
    return true;
}

} // namespace daedalus::integrate
