#include "simulation/discrete_start.hpp"

#include "compile/compilation.hpp"

#include <algorithm>
#include <unordered_set>

namespace daedalus::simulation {

namespace {

/// Parameters that the equations mention.
std::unordered_set<int> mentioned(const model::Model& m) {
    std::vector<expr::NodeId> roots;
    for (const auto* list : {&m.equations, &m.initial_equations})
        for (const model::Equation& e : *list) roots.insert(roots.end(), {e.left, e.right});
    std::unordered_set<int> set;
    for (const expr::NodeId leaf : m.graph->reachable(roots))
        if (m.graph->op(leaf) == expr::Op::parameter) set.insert(m.graph->parameter_id(leaf));
    return set;
}

} // namespace

Expected<integrate::ConsistentStart> consistent_start(compile::CompiledModel& compiled,
                                                      const integrate::StartOptions& options, bool forward) {
    constexpr int most = 10; // then the event iteration at the start says what goes on for ever
    std::unordered_set<int> used;
    for (int pass = 0;; ++pass) {
        auto start = integrate::consistent_start(compiled.initial, options);
        if (!start || pass == most) return start;
        problem::ImplicitProblem& p = compiled.problem;
        const std::vector<double> x = start->x(compiled.initial), dx = start->dx(compiled.initial);
        const double t0 = compiled.initial.t0;
        start->hold_constants(compiled.initial, p);
        std::vector<signed char> side;
        p.set_modes_at(t0, x.data(), dx.data(), forward, side);
        auto settings = compile::settings_at_start(*compiled.compilation, p.environment(), t0, x.data(), dx.data());
        if (settings.empty()) return start;
        if (used.empty()) used = mentioned(*compiled.model);
        std::erase_if(settings, [&](const auto& s) { return !used.contains(s.first); });
        if (settings.empty()) return start;
        for (const auto& [parameter, value] : settings) {
            p.environment().set(static_cast<std::size_t>(parameter), value);
            compiled.initial.binding.environment().set(static_cast<std::size_t>(parameter), value);
        }
    }
}

} // namespace daedalus::simulation
