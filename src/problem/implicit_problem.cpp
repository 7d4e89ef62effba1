#include "problem/implicit_problem.hpp"

#include "problem/beside.hpp"

#include <algorithm>
#include <cassert>

namespace daedalus::problem {

[[gnu::always_inline]] inline void ImplicitProblem::link_residual(const double* x, const double* dx, double* r) const {
    double* link_row = r + system_->pattern.rows;
    for (const Link& link : links_) *link_row++ = dx[link.state] - x[link.derivative];
}

ImplicitProblem::ImplicitProblem() : ImplicitProblem(System{}) {}

ImplicitProblem::ImplicitProblem(std::shared_ptr<const System> system)
    : system_(std::move(system)), others_(system_->facets.find<Collective>()),
      binding_(system_->code, system_->make_workspace, system_->environment), links_(system_->links),
      unknowns_(system_->unknowns) {
    const SparsityPattern& kernel = system_->pattern;
    assert(kernel.rows + static_cast<int>(links_.size()) == kernel.cols);
    assert(static_cast<int>(system_->unknowns.size()) == kernel.cols);
    assert(std::is_sorted(system_->kernels.varying.begin(), system_->kernels.varying.end()));
    scratch_.resize(static_cast<std::size_t>(kernel.rows) + 2 * static_cast<std::size_t>(kernel.nonzeros()));
    if (kernel.cols > 0) build_pattern();
}

// Link rows come after kernel rows in each column, so kernel entries keep their order at the column's head.
void ImplicitProblem::build_pattern() {
    const auto own = std::make_shared<SparsityPattern>(); // others may have kept that of other links
    SparsityPattern& made = *own;
    pattern_ = own;
    const auto at = [](int k) { return static_cast<std::size_t>(k); };
    const int n = system_->pattern.cols, m = system_->pattern.rows;
    const std::vector<int>& kernel_start = system_->pattern.column_start;
    std::vector<int>& start = made.column_start;
    made.rows = made.cols = n;
    start.assign(at(n) + 1, 0);
    for (const Link& link : links_) {
        ++start[at(link.state) + 1];
        if (link.derivative != link.state) ++start[at(link.derivative) + 1];
    }
    for (int j = 0; j < n; ++j) start[at(j) + 1] += start[at(j)] + kernel_start[at(j) + 1] - kernel_start[at(j)];
    made.row_index.resize(at(start[at(n)]));
    scatter_.resize(system_->pattern.row_index.size());
    next_.resize(at(n)); // behind the entries of a column that are in their places
    for (int j = 0; j < n; ++j) {
        int to = start[at(j)];
        for (int k = kernel_start[at(j)]; k < kernel_start[at(j) + 1]; ++k, ++to) {
            made.row_index[at(to)] = system_->pattern.row_index[at(k)];
            scatter_[at(k)] = to;
        }
        next_[at(j)] = to;
    }
    link_state_entry_.resize(links_.size());
    link_derivative_entry_.resize(links_.size());
    for (std::size_t k = 0; k < links_.size(); ++k) {
        const int row = m + static_cast<int>(k);
        const auto enter = [&](int column) {
            const int to = next_[at(column)]++;
            made.row_index[at(to)] = row;
            return to;
        };
        link_state_entry_[k] = enter(links_[k].state);
        link_derivative_entry_[k] =
            links_[k].derivative == links_[k].state ? link_state_entry_[k] : enter(links_[k].derivative);
    }
    const int nnz = system_->pattern.nonzeros();
    varying_place_.resize(system_->kernels.varying.size());
    varying_of_x_ = static_cast<std::size_t>(
        std::lower_bound(system_->kernels.varying.begin(), system_->kernels.varying.end(), nnz) -
        system_->kernels.varying.begin());
    for (std::size_t k = 0; k < varying_place_.size(); ++k)
        varying_place_[k] = scatter_[at(system_->kernels.varying[k] - (k < varying_of_x_ ? 0 : nnz))];
}

EvalStatus ImplicitProblem::residual(double t, const double* x, const double* dx, double* r) const {
    const EvalStatus status = system_->kernels.residual(binding_.call(), t, x, dx, r);
    link_residual(x, dx, r);
    if (others_ != nullptr) return others_->any(status != EvalStatus::ok) ? EvalStatus::not_finite : EvalStatus::ok;
    return status;
}

EvalStatus ImplicitProblem::jacobian(double t, const double* x, const double* dx, double* jx, double* jdx) const {
    if (!has_entries()) return EvalStatus::not_finite;
    const std::size_t nnz = scatter_.size();
    double* kernel_jx = scratch_.data();
    double* kernel_jdx = scratch_.data() + nnz;
    EvalStatus status = system_->kernels.jacobian(binding_.call(), t, x, dx, kernel_jx, kernel_jdx);
    if (status != EvalStatus::ok) {
        std::vector<double> r(static_cast<std::size_t>(system_->pattern.rows));
        if (system_->kernels.residual(binding_.call(), t, x, dx, r.data()) == EvalStatus::ok &&
            evaluate_beside(
                x, unknowns().size(), [&](std::size_t k) { return unknowns()[k].nominal; },
                [&](const double* beside) {
                    return system_->kernels.jacobian(binding_.call(), t, beside, dx, kernel_jx, kernel_jdx) ==
                           EvalStatus::ok;
                }))
            status = EvalStatus::ok;
    }
    scatter_jacobian(jx, jdx);
    return status;
}

/// From the kernel's entries in scratch_ to pattern(), with the links.
void ImplicitProblem::scatter_jacobian(double* jx, double* jdx) const {
    const std::size_t nnz = scatter_.size();
    const double* kernel_jx = scratch_.data();
    const double* kernel_jdx = scratch_.data() + nnz;
    std::fill_n(jx, pattern_->nonzeros(), 0.0);
    std::fill_n(jdx, pattern_->nonzeros(), 0.0);
    for (std::size_t k = 0; k < nnz; ++k) {
        jx[scatter_[k]] = kernel_jx[k];
        jdx[scatter_[k]] = kernel_jdx[k];
    }
    for (std::size_t k = 0; k < links_.size(); ++k) {
        jdx[link_state_entry_[k]] = 1.0;
        jx[link_derivative_entry_[k]] = -1.0;
    }
}

EvalStatus ImplicitProblem::stated_residual(double t, const double* x, const double* dx, const double* dq,
                                            double* r) const {
    const EvalStatus status = quantity().residual(binding_.call(), t, x, dx, dq, r);
    link_residual(x, dx, r);
    return status;
}

EvalStatus ImplicitProblem::stated_jacobian(double t, const double* x, const double* dx, const double* dq, double* jx,
                                            double* jdx) const {
    double* const entries = scratch_.data();
    const EvalStatus status = quantity().jacobian(binding_.call(), t, x, dx, dq, entries, entries + scatter_.size());
    scatter_jacobian(jx, jdx);
    return status;
}

EvalStatus ImplicitProblem::linearize(double t, const double* x, const double* dx, double* r, double* jx,
                                      double* jdx) const {
    if (system_->kernels.linearize == nullptr) {
        const EvalStatus status = jacobian(t, x, dx, jx, jdx);
        return status == EvalStatus::ok ? residual(t, x, dx, r) : status;
    }
    if (const EvalStatus status = system_->kernels.linearize(binding_.call(), t, x, dx, scratch_.data());
        status != EvalStatus::ok)
        return residual(t, x, dx, r) == EvalStatus::ok ? jacobian(t, x, dx, jx, jdx) : status;
    const double* value = scratch_.data() + system_->pattern.rows;
    const int* const place = varying_place_.data();
    const std::size_t of_x = varying_of_x_, all = varying_place_.size();
    for (std::size_t k = 0; k < of_x; ++k) jx[place[k]] = value[k];
    for (std::size_t k = of_x; k < all; ++k) jdx[place[k]] = value[k];
    std::copy_n(scratch_.data(), system_->pattern.rows, r);
    link_residual(x, dx, r);
    return EvalStatus::ok;
}

int ImplicitProblem::highest_index() const {
    int index = 1;
    for (const UnknownInfo& info : unknowns()) index = std::max(index, info.index);
    return static_cast<int>(collective().largest_of(index));
}

bool ImplicitProblem::has_differential() const {
    return collective().any(
        std::any_of(unknowns().begin(), unknowns().end(), [](const UnknownInfo& info) { return info.differential; }));
}

bool ImplicitProblem::mark_varying(std::vector<char>& jx, std::vector<char>& jdx) const {
    if (!lists_varying()) return false;
    const auto nonzeros = static_cast<std::size_t>(pattern_->nonzeros());
    jx.assign(nonzeros, 0);
    jdx.assign(nonzeros, 0);
    const int nnz = static_cast<int>(scatter_.size());
    for (const int k : system_->kernels.varying)
        (k < nnz ? jx : jdx)[static_cast<std::size_t>(scatter_[static_cast<std::size_t>(k < nnz ? k : k - nnz)])] = 1;
    return true;
}

std::vector<int> ImplicitProblem::leading_entries() const {
    std::vector<int> list;
    list.reserve(system_->kernels.leading_entries.size());
    const int nnz = static_cast<int>(scatter_.size());
    for (const int k : system_->kernels.leading_entries)
        list.push_back(scatter_[static_cast<std::size_t>(k < nnz ? k : k - nnz)] +
                       (k < nnz ? 0 : pattern_->nonzeros()));
    return list;
}

void ImplicitProblem::set_modes_at(double t, const double* x, const double* dx, bool forward,
                                   std::vector<signed char>& side) {
    const Modes& modes = hybrid().modes;
    const Discrete& discrete = hybrid().discrete;
    const VectorFunction& roots = hybrid().roots;
    side.assign(static_cast<std::size_t>(modes.size), -1);
    if (modes.size == 0) return;
    const auto follow = [&] {
        if (discrete.follow != nullptr) discrete.follow(code(), environment(), t, x, dx, forward);
    };
    std::vector<double> g(side.size()), behind(side.size());
    follow();
    for (int pass = 0; pass <= modes.size; ++pass) {
        (void)evaluate(roots, t, x, dx, g.data());
        (void)evaluate(roots, just_after(t, forward), x, dx, behind.data());
        bool changed = pass == 0;
        for (std::size_t k = 0; k < side.size(); ++k) {
            const double value = modes.known_instant[k] ? behind[k] : g[k];
            const signed char now = modes.side_of(k, value);
            changed = changed || now != side[k];
            side[k] = now;
        }
        if (!changed) return;
        set_modes(side.data());
        follow();
    }
}

void ImplicitProblem::set_links(std::vector<Link> links) {
    assert(links.size() == links_.size());
    for (const Link& link : links_) unknowns_[static_cast<std::size_t>(link.state)].differential = false;
    links_ = std::move(links);
    for (const Link& link : links_) unknowns_[static_cast<std::size_t>(link.state)].differential = true;
    build_pattern();
    ++revision_;
}

} // namespace daedalus::problem
