#include "integrate/local_system.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daedalus::integrate {

LocalSystem::LocalSystem(const problem::ImplicitProblem& problem, linalg::SolverKind kind, Given given)
    : problem_(problem), given_(given), jacobian_(problem), solver_(kind),
      differential_(static_cast<std::size_t>(problem.size())), residual_(differential_.size()) {}

void LocalSystem::links_changed() {
    jacobian_.resize();
    if (given_ == Given::chains && built_)
        move_entries();
    else
        built_ = false;
}

/// Rows of links stand below all others in each column, so that entries keep their order at its head.
void LocalSystem::move_entries() {
    const std::vector<int>& now = problem_.pattern().column_start;
    const int before = column_start_.back();
    const auto moved = [&](int column) {
        return now[static_cast<std::size_t>(column)] - column_start_[static_cast<std::size_t>(column)];
    };
    std::size_t entry = 0;
    for (std::size_t c = 0; c < unknown_.size(); ++c)
        for (; entry < own_start_[c + 1]; ++entry)
            from_[entry] += moved(unknown_[c]) + (from_[entry] < before ? 0 : now.back() - before);
    for (Entry& e : by_states_) e.at += moved(e.column);
    column_start_ = now;
}

void LocalSystem::choose_rows() {
    own_row_.assign(static_cast<std::size_t>(problem_.kernel_rows()), 0);
    links_ = problem_.links();
    if (given_ == Given::chains && !problem_.state_choice().blocks.empty()) {
        links_ = problem_.state_choice().permanent_links;
        for (const problem::ChoiceBlock& block : problem_.state_choice().blocks) {
            for (const std::vector<int>& chain : block.chain)
                for (std::size_t k = 0; k + 1 < chain.size(); ++k) links_.push_back({chain[k], chain[k + 1]});
            for (std::size_t i = 0; i < block.top_row.size(); ++i)
                for (int k = 1; k <= block.differentiations[i]; ++k)
                    own_row_[static_cast<std::size_t>(block.top_row[i] - k)] = -1;
        }
    }
    row_.clear();
    for (std::size_t i = 0; i < own_row_.size(); ++i)
        if (own_row_[i] == 0) {
            own_row_[i] = static_cast<int>(row_.size());
            row_.push_back(static_cast<int>(i));
        }
}

/// Which entries can differ from zero, and which of them can change.
LocalSystem::Occurrence LocalSystem::find_occurrence() const {
    const SparsityPattern& all = problem_.pattern();
    const auto nonzeros = static_cast<std::size_t>(all.nonzeros());
    Occurrence o;
    o.known = problem_.mark_varying(o.in_x, o.in_dx);
    o.varies_x = o.in_x;
    o.varies_dx = o.in_dx;
    if (!o.known) {
        o.in_x.assign(nonzeros, 1);
        o.in_dx.assign(nonzeros, 0);
    }
    for (std::size_t k = 0; k < nonzeros; ++k) {
        o.in_x[k] = o.in_x[k] != 0 || jacobian_.jx[k] != 0.0;
        o.in_dx[k] = o.in_dx[k] != 0 || jacobian_.jdx[k] != 0.0;
        if (all.row_index[k] >= problem_.kernel_rows()) o.in_x[k] = o.in_dx[k] = 0; // links
    }
    if (o.known) return o;
    // A black box shows which unknowns are differential; where their derivatives occur may vary.
    for (int j = 0; j < all.cols; ++j) {
        const auto begin = o.in_dx.begin() + all.column_start[j], end = o.in_dx.begin() + all.column_start[j + 1];
        if (std::find(begin, end, 1) == end) continue;
        for (int k = all.column_start[j]; k < all.column_start[j + 1]; ++k)
            o.in_dx[static_cast<std::size_t>(k)] = all.row_index[static_cast<std::size_t>(k)] < problem_.kernel_rows();
    }
    return o;
}

/// Own row of a row of the problem; -1: not asked for.
int LocalSystem::own_row(int row) const {
    return row < problem_.kernel_rows() ? own_row_[static_cast<std::size_t>(row)] : -1;
}

void LocalSystem::build() {
    choose_rows();
    const SparsityPattern& all = problem_.pattern();
    const int nonzeros = all.nonzeros();
    const Occurrence o = find_occurrence();
    std::vector<char> linked(differential_.size(), 0);
    for (const problem::Link& link : links_) linked[static_cast<std::size_t>(link.state)] = 1;
    by_states_.clear();
    for (int j = 0; j < all.cols; ++j) {
        const auto begin = o.in_dx.begin() + all.column_start[j], end = o.in_dx.begin() + all.column_start[j + 1];
        const bool differential = linked[static_cast<std::size_t>(j)] != 0 || std::find(begin, end, 1) != end;
        differential_[static_cast<std::size_t>(j)] = differential ? 1 : 0;
        for (int k = all.column_start[j]; differential && k < all.column_start[j + 1]; ++k)
            if (const int row = own_row(all.row_index[static_cast<std::size_t>(k)]);
                row >= 0 && o.in_x[static_cast<std::size_t>(k)] != 0)
                by_states_.push_back({row, j, k});
    }
    constant_ = o.known;
    from_.clear();
    ChosenEntries own = choose_entries(
        all, static_cast<int>(row_.size()), [&](int j) { return linked[static_cast<std::size_t>(j)] == 0; },
        [&](int row) { return own_row(row); },
        [&](int j, int k) {
            const bool differential = differential_[static_cast<std::size_t>(j)] != 0;
            const auto at = static_cast<std::size_t>(k);
            if ((differential ? o.in_dx : o.in_x)[at] == 0) return false;
            if (o.known && (differential ? o.varies_dx : o.varies_x)[at] != 0) constant_ = false;
            from_.push_back(differential ? nonzeros + k : k);
            return true;
        });
    unknown_ = std::move(own.column);
    column_start_ = all.column_start;
    values_.resize(from_.size());
    delta_.resize(row_.size());
    own_start_.assign(own.pattern.column_start.begin(), own.pattern.column_start.end());
    solver_.select(std::make_shared<const SparsityPattern>(std::move(own.pattern)));
    find_leading(nonzeros);
    built_ = true;
}

/// Where the entries of a leading part that is evaluated alone have their places.
void LocalSystem::find_leading(int nonzeros) {
    leading_.clear();
    if (!problem_.linear_leading() || (given_ != Given::chains && !problem_.state_choice().blocks.empty())) return;
    std::vector<int> place(2 * static_cast<std::size_t>(nonzeros), -1);
    for (std::size_t k = 0; k < from_.size(); ++k) place[static_cast<std::size_t>(from_[k])] = static_cast<int>(k);
    for (const int at : problem_.leading_entries()) leading_.push_back(place[static_cast<std::size_t>(at)]);
    entries_.resize(leading_.size());
}

void LocalSystem::gather() {
    for (std::size_t i = 0; i < row_.size(); ++i) delta_[i] = residual_[static_cast<std::size_t>(row_[i])];
}

problem::EvalStatus LocalSystem::residual(double t, const double* x, const double* z, Counters& counters) {
    ++counters.residuals;
    const problem::EvalStatus status = problem_.residual(t, x, z, residual_.data());
    gather();
    return status;
}

problem::EvalStatus LocalSystem::linearize(double t, const double* x, const double* z, Counters& counters) {
    const problem::EvalStatus status = jacobian_.linearize(t, x, z, residual_.data(), counters);
    if (status == problem::EvalStatus::ok && !built_) build();
    values_ready_ = false;
    gather();
    return status;
}

problem::EvalStatus LocalSystem::evaluate_leading(double t, const double* x, const double* z, Counters& counters) {
    ++counters.residuals;
    ++counters.jacobians;
    const problem::EvalStatus status = problem_.leading(t, x, z, delta_.data(), entries_.data());
    for (std::size_t k = 0; k < leading_.size(); ++k) values_[static_cast<std::size_t>(leading_[k])] = entries_[k];
    values_ready_ = true;
    return status;
}

linalg::FactorStatus LocalSystem::factor(Counters& counters) {
    ++counters.factorizations;
    const int nonzeros = static_cast<int>(jacobian_.jx.size());
    const bool ready = std::exchange(values_ready_, false);
    for (std::size_t k = 0; !ready && k < from_.size(); ++k)
        values_[k] = from_[k] < nonzeros ? jacobian_.jx[static_cast<std::size_t>(from_[k])]
                                         : jacobian_.jdx[static_cast<std::size_t>(from_[k] - nonzeros)];
    return solver_->factor(values_);
}

void LocalSystem::correct(double* x, double* z) const {
    for (std::size_t c = 0; c < unknown_.size(); ++c) {
        const auto k = static_cast<std::size_t>(unknown_[c]);
        z[k] -= delta_[c];
        if (differential_[k] == 0) x[k] = z[k];
    }
    follow_links(x, z);
}

void LocalSystem::respond(std::span<double> change, std::span<double> rate, Counters& counters) {
    std::fill(delta_.begin(), delta_.end(), 0.0);
    for (const Entry& e : by_states_)
        delta_[static_cast<std::size_t>(e.row)] -=
            jacobian_.jx[static_cast<std::size_t>(e.at)] * change[static_cast<std::size_t>(e.column)];
    solve(counters);
    for (std::size_t c = 0; c < unknown_.size(); ++c) {
        const auto k = static_cast<std::size_t>(unknown_[c]);
        (differential_[k] != 0 ? rate : change)[k] = delta_[c];
    }
    follow_links(change.data(), rate.data());
}

} // namespace daedalus::integrate
