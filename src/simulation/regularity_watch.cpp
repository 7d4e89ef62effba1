#include "simulation/regularity_watch.hpp"

#include "compile/structural_modes.hpp"
#include "simulation/hidden_structure.hpp"
#include "simulation/private_copy.hpp"
#include "simulation/start_check.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

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
                                 const integrate::StartOptions& start, const compile::CompileOptions& how)
    : compiled_(compiled), u0_(std::move(u0)), t1_(t1), level_(std::clamp(rtol, 1.5e-8, 1e-4)), start_(start),
      how_(how), gap_(steps_between(compiled, u0_)) {
    active_ =
        compiled.structure.structure_reliable && !compile::jacobian_blocks(compiled, compiled.initial.t0, u0_).empty();
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

std::optional<Diagnostic> RegularityWatch::decide(double t, const std::vector<double>& u) {
    if (compiled_.model->initial_equations.empty() && !how_.steady_state)
        return hidden_structure_on_the_way(compiled_, t, t1_, u, start_);
    if (!on_the_way_) {
        how_.steady_state = false;
        auto made = compile::compile(
            compile::model_in_mode(*copy_as_compiled(*compiled_.model), {}, {}, compile::Beginning::continued), how_);
        if (!made) {
            active_ = false;
            return std::nullopt;
        }
        on_the_way_ = std::make_unique<compile::CompiledModel>(*std::move(made));
    }
    compile::CompiledModel& other = *on_the_way_;
    if (other.problem.environment().values().size() != compiled_.problem.environment().values().size()) {
        active_ = false;
        return std::nullopt;
    }
    other.problem.environment() = compiled_.problem.environment(); // branches and held values as they are
    std::unordered_map<std::string, double> named;
    for (std::size_t k = 0; k < u.size(); ++k)
        named.emplace(compiled_.initial.legend->variable(static_cast<int>(k)), u[k]);
    std::vector<double> guess;
    for (std::size_t k = 0; k < other.initial.unknowns.size(); ++k) {
        const auto found = named.find(other.initial.legend->variable(static_cast<int>(k)));
        guess.push_back(found != named.end() ? found->second : other.initial.unknowns[k].start);
    }
    return hidden_structure_on_the_way(other, t, t1_, guess, start_);
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
    if (auto found = decide(step.t, u)) return found;
    // Consistent points cost more than a look: after each that was asked for in vain, twice as long.
    ++refuted_;
    postponed_ = gap_ << std::min(refuted_, 20);
    return std::nullopt;
}

} // namespace daedalus::simulation
