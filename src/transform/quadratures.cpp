#include "transform/quadratures.hpp"

#include <algorithm>
#include <unordered_map>

namespace daedalus::transform {

using expr::Op;

namespace {

/// A rate may mention derivatives that no equation has but its own: nothing else would determine them. Such rows stay.
void keep_undetermined(const System& system, std::vector<Quadrature>& found, const std::unordered_map<int, int>& row_of,
                       std::vector<char>& used) {
    const expr::Graph& g = system.graph();
    std::unordered_map<int, int> order; // the highest derivative of each variable in the rows that stay
    const auto note = [&](const SystemEquation& e) {
        const NodeId roots[] = {e.left, e.right};
        for (const NodeId leaf : g.reachable(roots)) {
            if (g.op(leaf) != Op::variable) continue;
            int& highest = order.try_emplace(g.variable_id(leaf), 0).first->second;
            highest = std::max(highest, g.derivative_order(leaf));
        }
    };
    for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i] == 0) note(system.equations[i]);
    const auto determined = [&](const Quadrature& q) {
        const NodeId roots[] = {q.rate};
        const auto leaves = g.reachable(roots);
        return std::all_of(leaves.begin(), leaves.end(), [&](NodeId leaf) {
            if (g.op(leaf) != Op::variable) return true;
            const auto known = order.find(g.variable_id(leaf));
            return known != order.end() && g.derivative_order(leaf) <= known->second;
        });
    };
    for (bool again = true; again;) {
        again = false;
        for (std::size_t k = 0; k < found.size();) {
            if (determined(found[k])) {
                ++k;
                continue;
            }
            const auto row = static_cast<std::size_t>(row_of.at(found[k].variable));
            used[row] = 0;
            note(system.equations[row]);
            found.erase(found.begin() + static_cast<std::ptrdiff_t>(k));
            again = true;
        }
    }
}

} // namespace

std::vector<Quadrature> extract_quadratures(System& system, const std::unordered_set<int>& kept) {
    expr::Graph& g = system.graph();
    // Where each variable occurs: the row of its first derivative if that is all, -1 if there is more.
    std::unordered_map<int, int> row_of;
    for (std::size_t i = 0; i < system.equations.size(); ++i) {
        const NodeId roots[] = {system.equations[i].left, system.equations[i].right};
        for (const NodeId leaf : g.reachable(roots)) {
            if (g.op(leaf) != Op::variable) continue;
            const auto [it, is_new] = row_of.try_emplace(g.variable_id(leaf), static_cast<int>(i));
            if (!is_new || g.derivative_order(leaf) != 1) it->second = -1;
        }
    }
    for (const Elimination& e : system.eliminations) {
        const NodeId roots[] = {e.value};
        for (const NodeId leaf : g.reachable(roots))
            if (g.op(leaf) == Op::variable) row_of[g.variable_id(leaf)] = -1;
    }
    std::vector<Quadrature> found;
    std::vector<char> used(system.equations.size(), 0);
    for (const int v : system.variables) {
        const auto it = row_of.find(v);
        if (it == row_of.end() || it->second < 0 || kept.contains(v)) continue;
        const auto row = static_cast<std::size_t>(it->second);
        if (used[row]) continue;
        const model::Variable& variable = system.model->variables[static_cast<std::size_t>(v)];
        if (variable.is_parameter || variable.min != expr::no_node || variable.max != expr::no_node) continue;
        // a q' + rest = 0 with a number a
        const NodeId derivative = g.variable(v, 1);
        const NodeId residual = system.residual(static_cast<int>(row));
        const NodeId a = expr::partial(g, residual, derivative);
        if (!g.is_constant(a) || g.constant_value(a) == 0.0) continue;
        // As written where it is written so: rounding is then that of the equation.
        const SystemEquation& e = system.equations[row];
        const NodeId rate = e.left == derivative    ? e.right
                            : e.right == derivative ? e.left
                                                    : g.div(g.sub(g.mul(a, derivative), residual), a);
        const NodeId roots[] = {rate};
        bool explicit_rate = true; // der(q) itself may remain in the second form
        for (const NodeId leaf : g.reachable(roots)) explicit_rate = explicit_rate && leaf != derivative;
        if (!explicit_rate) continue;
        used[row] = 1;
        found.push_back({v, rate});
    }
    keep_undetermined(system, found, row_of, used);
    if (found.empty() || found.size() == system.variables.size()) return {};
    std::unordered_set<int> gone;
    for (const Quadrature& q : found) gone.insert(q.variable);
    std::erase_if(system.variables, [&](int v) { return gone.contains(v); });
    std::vector<SystemEquation> left;
    for (std::size_t i = 0; i < system.equations.size(); ++i)
        if (!used[i]) left.push_back(std::move(system.equations[i]));
    system.equations = std::move(left);
    return found;
}

} // namespace daedalus::transform
