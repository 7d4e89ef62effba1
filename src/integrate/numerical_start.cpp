#include "integrate/numerical_start.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

NumericalStart::NumericalStart(const problem::ImplicitProblem& problem, linalg::SolverKind kind)
    : problem_(problem), n_(static_cast<std::size_t>(problem.size())), jacobian_(problem), split_(problem),
      matrix_(problem, kind), row_(n_), shift_(n_) {}

void NumericalStart::links_changed() {
    jacobian_.resize();
    split_.resize();
    matrix_.resize(problem_);
}

std::string NumericalStart::refusal(const problem::ImplicitProblem& problem) {
    const int index = problem.highest_index();
    return index == 3 ? std::string()
                      : "the equations have unknowns of index up to " + std::to_string(index) +
                            ", and only multipliers of index 3 suffer from exact starting values";
}

bool NumericalStart::linearize(double t, const double* x, const double* dx, Counters& counters) {
    if (jacobian_.evaluate(t, x, dx, counters) != problem::EvalStatus::ok) return false;
    const SparsityPattern& pattern = problem_.pattern();
    std::vector<int> highest(n_, 0); // index among the unknowns of a row without derivatives
    std::fill(row_.begin(), row_.end(), Row::constraint);
    for (int j = 0; j < pattern.cols; ++j) {
        const int index = index_of(static_cast<std::size_t>(j));
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
            const auto row = static_cast<std::size_t>(pattern.row_index[k]);
            if (jacobian_.jdx[static_cast<std::size_t>(k)] != 0.0) {
                if (index >= 2) row_[row] = Row::dynamic;
                if (index == 1 && row_[row] == Row::constraint) row_[row] = Row::kinematic;
            }
            if (jacobian_.jx[static_cast<std::size_t>(k)] != 0.0) highest[row] = std::max(highest[row], index);
        }
    }
    split_.jx.assign(jacobian_.jx.size(), 0.0);
    split_.jdx.assign(jacobian_.jdx.size(), 0.0);
    for (int j = 0; j < pattern.cols; ++j) {
        const int index = index_of(static_cast<std::size_t>(j));
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
            const auto row = static_cast<std::size_t>(pattern.row_index[k]), at = static_cast<std::size_t>(k);
            // Rows without derivatives say something about their unknowns of highest index.
            const int by_value = row_[row] == Row::kinematic ? 2 : row_[row] == Row::dynamic ? 3 : highest[row];
            const int by_slope = row_[row] == Row::kinematic ? 1 : row_[row] == Row::dynamic ? 2 : 0;
            if (index == by_value) split_.jx[at] = jacobian_.jx[at];
            if (index == by_slope) split_.jdx[at] = jacobian_.jdx[at];
        }
    }
    return matrix_.factor(split_, 1.0, counters) == linalg::FactorStatus::ok;
}

bool NumericalStart::finish(Counters& counters) {
    matrix_.solve(shift_, counters);
    return std::all_of(shift_.begin(), shift_.end(), [](double v) { return std::isfinite(v); });
}

bool NumericalStart::solve_for(const double* w, Counters& counters) {
    std::fill(shift_.begin(), shift_.end(), 0.0);
    const SparsityPattern& pattern = problem_.pattern();
    for (int j = 0; j < pattern.cols; ++j) {
        if (index_of(static_cast<std::size_t>(j)) != 1) continue;
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
            if (const auto row = static_cast<std::size_t>(pattern.row_index[k]); row_[row] == Row::kinematic)
                shift_[row] -= jacobian_.jdx[static_cast<std::size_t>(k)] * w[j];
    }
    return finish(counters);
}

bool NumericalStart::solve_for_step(const double* change, const double* by_time, double h, Counters& counters) {
    std::fill(shift_.begin(), shift_.end(), 0.0);
    const SparsityPattern& pattern = problem_.pattern();
    for (std::size_t row = 0; row < n_; ++row)
        if (row_[row] == Row::kinematic) shift_[row] = -h * by_time[row];
    for (int j = 0; j < pattern.cols; ++j) {
        if (index_of(static_cast<std::size_t>(j)) != 2) continue;
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
            if (const auto row = static_cast<std::size_t>(pattern.row_index[k]); row_[row] == Row::kinematic)
                shift_[row] += jacobian_.jx[static_cast<std::size_t>(k)] * change[j];
    }
    return finish(counters);
}

} // namespace daedalus::integrate
