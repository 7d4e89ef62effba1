#include "nonlinear/saddle_point.hpp"

#include <algorithm>
#include <cassert>

namespace daedalus::nonlinear {

SaddlePoint::SaddlePoint(const SparsityPattern& jacobian)
    : unknowns_(static_cast<std::size_t>(jacobian.cols)), equations_(static_cast<std::size_t>(jacobian.rows)),
      jacobian_(jacobian) {
    const int n = jacobian.cols, m = jacobian.rows;
    std::vector<std::pair<int, int>> entries;
    entries.reserve(2 * jacobian.row_index.size() + unknowns_ + equations_);
    for (int j = 0; j < n + m; ++j) entries.emplace_back(j, j);
    for (int j = 0; j < n; ++j)
        for (int k = jacobian.column_start[static_cast<std::size_t>(j)];
             k < jacobian.column_start[static_cast<std::size_t>(j) + 1]; ++k) {
            const int row = n + jacobian.row_index[static_cast<std::size_t>(k)];
            entries.emplace_back(row, j);
            entries.emplace_back(j, row);
        }
    pattern_ = SparsityPattern::from_entries(n + m, n + m, std::move(entries));
    for (int j = 0; j < n; ++j)
        for (int k = jacobian.column_start[static_cast<std::size_t>(j)];
             k < jacobian.column_start[static_cast<std::size_t>(j) + 1]; ++k) {
            const int row = n + jacobian.row_index[static_cast<std::size_t>(k)];
            lower_.push_back(pattern_.find(row, j));
            upper_.push_back(pattern_.find(j, row));
        }
    for (int j = 0; j < n + m; ++j) diagonal_.push_back(pattern_.find(j, j));
    values_.resize(pattern_.row_index.size());
    work_.resize(unknowns_ + equations_);
    solver_ = linalg::make_linear_solver<double>(pattern_);
}

linalg::FactorStatus SaddlePoint::factor(std::span<const double> values, std::span<const double> row_scale,
                                         std::span<const double> unknown_scale, double mu) {
    ++factorisations_;
    for (std::size_t j = 0; j < unknowns_; ++j) {
        values_[static_cast<std::size_t>(diagonal_[j])] = 1.0;
        for (int k = jacobian_.column_start[j]; k < jacobian_.column_start[j + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            // A dropped row or held unknown must not let an infinite value through as 0 · ∞.
            const double scale = row_scale[static_cast<std::size_t>(jacobian_.row_index[e])];
            const double entry = scale == 0.0 || unknown_scale[j] == 0.0 ? 0.0 : scale * values[e] * unknown_scale[j];
            values_[static_cast<std::size_t>(lower_[e])] = entry;
            values_[static_cast<std::size_t>(upper_[e])] = entry;
        }
    }
    for (std::size_t i = 0; i < equations_; ++i) values_[static_cast<std::size_t>(diagonal_[unknowns_ + i])] = -mu;
    return solver_->factor(values_);
}

void SaddlePoint::solve(std::span<const double> a, std::span<const double> b, std::span<double> v) {
    assert(a.size() == unknowns_ && b.size() == equations_ && v.size() == unknowns_);
    std::copy(a.begin(), a.end(), work_.begin());
    std::copy(b.begin(), b.end(), work_.begin() + static_cast<std::ptrdiff_t>(unknowns_));
    solver_->solve(work_);
    std::copy_n(work_.begin(), unknowns_, v.begin());
}

std::span<const double> SaddlePoint::multipliers() const { return std::span(work_).subspan(unknowns_); }

} // namespace daedalus::nonlinear
