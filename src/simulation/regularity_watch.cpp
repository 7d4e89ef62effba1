#include "simulation/regularity_watch.hpp"

#include "simulation/hidden_structure.hpp"
#include "simulation/start_check.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::simulation {

namespace {

// A look evaluates the entries of the Jacobian one by one and decomposes its blocks: not more often than that costs
// about as much as the steps between two looks, which take some hundred operations per unknown.
constexpr long seldom = 8;
constexpr double operations_per_unknown = 100.0;

long steps_between(const compile::CompiledModel& compiled, const std::vector<double>& u) {
    double work = 0.0;
    for (const compile::JacobianBlock& b : compile::jacobian_blocks(compiled, compiled.initial.t0, u))
        work += std::pow(static_cast<double>(b.size()), 3);
    const auto n = static_cast<double>(std::max<std::size_t>(1, compiled.initial.unknowns.size()));
    return std::max(seldom, static_cast<long>(work / (operations_per_unknown * n)));
}

} // namespace

RegularityWatch::RegularityWatch(compile::CompiledModel& compiled, std::vector<double> u0, double t1, double rtol,
                                 const integrate::StartOptions& start)
    : compiled_(compiled), u0_(std::move(u0)), t1_(t1), level_(std::clamp(rtol, 1.5e-8, 1e-4)), start_(start),
      gap_(steps_between(compiled, u0_)) {
    // Initial equations hold at the start only: consistent points at other times cannot be asked for with them.
    active_ = compiled.structure.structure_reliable && compiled.model->initial_equations.empty() &&
              !compile::jacobian_blocks(compiled, compiled.initial.t0, u0_).empty();
}

bool RegularityWatch::due() {
    constexpr int every_change = 64; // models that switch all the time have been seen on their branches by then
    ++since_;
    const std::uint64_t stamp = compiled_.problem.environment().stamp();
    const bool changed = stamp != stamp_ && changes_seen_ < every_change;
    if (stamp != stamp_) ++changes_seen_;
    stamp_ = stamp;
    if (postponed_ > 0) {
        --postponed_;
        return false;
    }
    return changed || suspicions_ > 0 || since_ >= gap_;
}

/// What the formulation does not carry is as at the start: it is a guess only.
std::vector<double> RegularityWatch::initial_unknowns(const integrate::AcceptedStep& step) {
    std::vector<double> u = u0_;
    const problem::InitialProblem& p = compiled_.initial;
    for (std::size_t i = 0; i < p.dx_from.size(); ++i)
        if (p.dx_from[i] >= 0) u[static_cast<std::size_t>(p.dx_from[i])] = step.dx[i];
    for (std::size_t i = 0; i < p.x_from.size(); ++i)
        if (p.x_from[i] >= 0) u[static_cast<std::size_t>(p.x_from[i])] = step.x[i];
    return u;
}

std::optional<Diagnostic> RegularityWatch::look(const integrate::AcceptedStep& step) {
    const bool last = step.t == t1_;
    if (!active_ || !(due() || last)) return std::nullopt;
    since_ = 0;
    const std::vector<double> u = initial_unknowns(step);
    if (check_start(compiled_, step.t, u, level_).empty()) {
        suspicions_ = 0;
        return std::nullopt;
    }
    if (++suspicions_ < 2 && !last) return std::nullopt;
    suspicions_ = 0;
    if (auto found = hidden_structure_on_the_way(compiled_, step.t, t1_, u, start_)) return found;
    // Consistent points cost more than a look: after each that was asked for in vain, twice as long.
    ++refuted_;
    postponed_ = gap_ << std::min(refuted_, 20);
    return std::nullopt;
}

} // namespace daedalus::simulation
