#include "integrate/methods/automatic.hpp"

#include "integrate/methods/registry.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::integrate {

namespace {

// Above this size the three stages of Radau cost more memory and fill than they save in steps.
constexpr int largest_for_radau = 2000;

int highest_index(const problem::ImplicitProblem& problem) {
    int index = 1;
    for (const problem::UnknownInfo& info : problem.unknowns()) index = std::max(index, info.index);
    return index;
}

} // namespace

MethodChoice choose_method(const problem::ImplicitProblem& problem, const IntegrationOptions& options) {
    const int index = highest_index(problem);
    if (problem.size() > largest_for_radau) {
        std::string reason = std::to_string(problem.size()) + " unknowns: one real factorisation per step is cheaper";
        if (problem.roots.size > 0) reason += "; if events are dense, a one-step method takes over";
        return {find_method("bdf"), std::move(reason)};
    }
    std::string reason = options.tolerance.relative > 3e-5
                             ? "L-stable, order 5 at this tolerance and higher where it pays: few steps"
                             : "orders 5 to 13 and L-stable: few steps at any tolerance";
    reason += problem.roots.size > 0 ? ", and no start-up phase after events" : ", no start-up phase";
    if (index > 1) reason += "; unknowns of index " + std::to_string(index) + " are integrated directly";
    return {find_method("radau"), std::move(reason)};
}

Reconsider reconsider_at_restarts(const problem::ImplicitProblem& problem, const Method& chosen) {
    if (chosen.name != "bdf" || problem.roots.size == 0) return {};
    // An order k is kept for k + 1 steps at least, and the step doubles at most then: from order 1 and a small step it
    // takes tens of steps until both have settled.
    constexpr long start_up = 60;
    constexpr long enough = 4; // restarts before it is judged
    const Method* other = find_method(highest_index(problem) > 1 ? "radau5" : "esdirk4");
    return [other](const RunSoFar& run) -> const Method* {
        if (run.restarts < enough || run.steps_of_method >= start_up * run.restarts) return nullptr;
        return other;
    };
}

} // namespace daedalus::integrate
