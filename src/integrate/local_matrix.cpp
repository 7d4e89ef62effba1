#include "integrate/local_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::integrate {

LocalMatrix::LocalMatrix(const problem::ImplicitProblem& problem, linalg::SolverKind kind)
    : problem_(problem), solver_(linalg::make_linear_solver<double>(problem.shared_pattern(), kind)) {
    const auto nonzeros = static_cast<std::size_t>(problem.pattern().nonzeros());
    for (auto* v : {&jx_, &jdx_, &values_}) v->resize(nonzeros);
    row_size_.resize(static_cast<std::size_t>(problem.size()));
    differential_.resize(row_size_.size());
}

/// In the sizes of the unknowns, rows of size 1.
void LocalMatrix::fill(const double* x, double sigma) {
    const SparsityPattern& pattern = problem_.pattern();
    std::fill(row_size_.begin(), row_size_.end(), 0.0);
    for (int j = 0; j < pattern.cols; ++j) {
        const double nominal = std::abs(problem_.unknowns()[j].nominal);
        const double size = std::max(std::abs(x[j]), nominal);
        bool differential = false;
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) differential |= jdx_[k] != 0.0;
        differential_[static_cast<std::size_t>(j)] = differential ? 1 : 0;
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
            const double direct = jx_[k] * size, slope = jdx_[k] * nominal;
            values_[k] = local_entry(direct, slope, differential, sigma);
            double& row = row_size_[pattern.row_index[k]];
            row = std::max({row, std::abs(direct), std::abs(slope)});
        }
    }
    for (int j = 0; j < pattern.cols; ++j)
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
            if (row_size_[pattern.row_index[k]] > 0.0) values_[k] /= row_size_[pattern.row_index[k]];
}

double LocalMatrix::smallest_singular_value(double t, const double* x, const double* dx, double sigma) {
    right_.clear();
    left_.clear();
    if (problem_.jacobian(t, x, dx, jx_.data(), jdx_.data()) != problem::EvalStatus::ok)
        return std::numeric_limits<double>::quiet_NaN();
    fill(x, sigma);
    const linalg::FactorStatus status = solver_->factor(values_);
    if (status == linalg::FactorStatus::not_finite) return std::numeric_limits<double>::quiet_NaN();
    if (status != linalg::FactorStatus::ok) {
        if (solver_->singular_column() >= 0) {
            right_.assign(row_size_.size(), 0.0);
            right_[static_cast<std::size_t>(solver_->singular_column())] = 1.0;
        }
        return 0.0;
    }
    return inverse_iteration();
}

/// v ← A^{-1} A^{-T} v tends to the right singular vector of the smallest singular value, A^{-T} A^{-1} to the left.
double LocalMatrix::inverse_iteration() {
    const std::size_t n = row_size_.size();
    right_.resize(n);
    for (std::size_t i = 0; i < n; ++i) right_[i] = 1.0 + 0.3 * std::sin(1.0 + static_cast<double>(i));
    left_ = right_;
    const auto normalise = [](std::vector<double>& v) {
        double sum = 0.0;
        for (const double c : v) sum += c * c;
        const double length = std::sqrt(sum);
        if (length > 0.0)
            for (double& c : v) c /= length;
        return length;
    };
    normalise(right_);
    normalise(left_);
    double growth = 1.0;
    for (int iteration = 0; iteration < 4; ++iteration) {
        solver_->solve_transposed(right_);
        normalise(right_);
        solver_->solve(right_);
        growth = normalise(right_);
        solver_->solve(left_);
        normalise(left_);
        solver_->solve_transposed(left_);
        normalise(left_);
    }
    return 1.0 / growth;
}

} // namespace daedalus::integrate
