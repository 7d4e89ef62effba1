#include "integrate/local_system.hpp"

#include <algorithm>

namespace daedalus::integrate {

LocalSystem::LocalSystem(const problem::ImplicitProblem& problem, linalg::SolverKind kind)
    : problem_(problem), jacobian_(problem), solver_(kind), differential_(static_cast<std::size_t>(problem.size())) {}

void LocalSystem::links_changed() {
    jacobian_.resize();
    built_ = false;
}

void LocalSystem::build() {
    const SparsityPattern& all = problem_.pattern();
    const auto nonzeros = static_cast<std::size_t>(all.nonzeros());
    std::vector<char> in_x, in_dx;
    const bool known = problem_.mark_varying(in_x, in_dx);
    const std::vector<char> varies_x = in_x, varies_dx = in_dx;
    constant_ = known;
    if (!known) {
        in_x.assign(nonzeros, 1);
        in_dx.assign(nonzeros, 0);
    }
    for (std::size_t k = 0; k < nonzeros; ++k) {
        in_x[k] = in_x[k] != 0 || jacobian_.jx[k] != 0.0;
        in_dx[k] = in_dx[k] != 0 || jacobian_.jdx[k] != 0.0;
    }
    if (!known) // a black box shows which unknowns are differential; where their derivatives occur may vary
        for (int j = 0; j < all.cols; ++j) {
            const auto begin = in_dx.begin() + all.column_start[j], end = in_dx.begin() + all.column_start[j + 1];
            if (std::find(begin, end, 1) != end) std::fill(begin, end, 1);
        }

    SparsityPattern pattern;
    pattern.rows = all.rows;
    pattern.cols = all.cols;
    pattern.column_start.push_back(0);
    from_.clear();
    by_states_.clear();
    for (int j = 0; j < all.cols; ++j) {
        char& differential = differential_[static_cast<std::size_t>(j)];
        differential = 0;
        for (int k = all.column_start[j]; k < all.column_start[j + 1]; ++k)
            if (in_dx[static_cast<std::size_t>(k)] != 0) differential = 1;
        for (int k = all.column_start[j]; k < all.column_start[j + 1]; ++k) {
            const auto at = static_cast<std::size_t>(k);
            if (differential != 0 && in_x[at] != 0) by_states_.push_back({all.row_index[at], j, k});
            if ((differential != 0 ? in_dx : in_x)[at] == 0) continue;
            if (known && (differential != 0 ? varies_dx : varies_x)[at] != 0) constant_ = false;
            pattern.row_index.push_back(all.row_index[at]);
            from_.push_back(differential != 0 ? static_cast<int>(nonzeros) + k : k);
        }
        pattern.column_start.push_back(static_cast<int>(pattern.row_index.size()));
    }
    values_.resize(from_.size());
    solver_.select(std::move(pattern));
    built_ = true;
}

problem::EvalStatus LocalSystem::linearize(double t, const double* x, const double* dx, double* residual,
                                           Counters& counters) {
    const problem::EvalStatus status = jacobian_.linearize(t, x, dx, residual, counters);
    if (status == problem::EvalStatus::ok && !built_) build();
    return status;
}

linalg::FactorStatus LocalSystem::factor(Counters& counters) {
    ++counters.factorizations;
    const int nonzeros = static_cast<int>(jacobian_.jx.size());
    for (std::size_t k = 0; k < from_.size(); ++k)
        values_[k] = from_[k] < nonzeros ? jacobian_.jx[static_cast<std::size_t>(from_[k])]
                                         : jacobian_.jdx[static_cast<std::size_t>(from_[k] - nonzeros)];
    return solver_->factor(values_);
}

void LocalSystem::respond(std::span<double> change, std::span<double> rate, Counters& counters) {
    std::fill(rate.begin(), rate.end(), 0.0);
    for (const Entry& e : by_states_)
        rate[static_cast<std::size_t>(e.row)] -=
            jacobian_.jx[static_cast<std::size_t>(e.at)] * change[static_cast<std::size_t>(e.column)];
    solve(rate, counters);
    for (std::size_t k = 0; k < change.size(); ++k)
        if (differential_[k] == 0) change[k] = rate[k];
}

} // namespace daedalus::integrate
