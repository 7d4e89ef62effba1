#include "transform/expression_substitution.hpp"

#include "expr/substitute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace daedalus::transform {

namespace {

using expr::Graph;
using expr::Op;

// x_k^(p) may occur in a quotient v_j/v_l up to d_k − C, and only below it for k ∈ L.
bool orders_low_enough(const System& system, const ReducedSystem& r, const std::vector<int>& column_of,
                       const std::vector<char>& in_l, int most, NodeId quotient) {
    const Graph& g = system.graph();
    const NodeId roots[] = {quotient};
    const std::vector<NodeId> below = g.reachable(roots);
    return std::all_of(below.begin(), below.end(), [&](NodeId node) {
        if (g.op(node) != Op::variable) return true;
        const auto k = static_cast<std::size_t>(column_of[static_cast<std::size_t>(g.variable_id(node))]);
        return g.derivative_order(node) <= r.analysis.d[k] - most - (in_l[k] ? 1 : 0);
    });
}

} // namespace

std::optional<Repair> substitute_expressions(System& system, const ReducedSystem& r, const std::vector<int>& column_of,
                                             int block, const Vanishing& vanishing) {
    Graph& g = system.graph();
    const auto rows = r.blocks.equations(block);
    std::vector<char> in_l(system.variables.size(), 0);
    std::vector<int> cols; // of L
    for (const std::size_t member : vanishing.members) {
        cols.push_back(r.blocks.variables(block)[member]);
        in_l[static_cast<std::size_t>(cols.back())] = 1;
    }
    const std::vector<NodeId>& v = vanishing.multipliers;
    std::vector<std::size_t> list(cols.size()); // L, as positions in `cols`
    std::iota(list.begin(), list.end(), std::size_t{0});
    if (list.size() < 2) return std::nullopt;
    std::vector<int> touched; // M
    int most = 0;             // C
    for (const int i : rows) {
        const auto tight = r.analysis.system_jacobian.row(i);
        if (std::none_of(tight.begin(), tight.end(), [&](int j) { return in_l[static_cast<std::size_t>(j)] != 0; }))
            continue;
        touched.push_back(i);
        most = std::max(most, r.analysis.c[static_cast<std::size_t>(i)]);
    }
    for (const std::size_t j : list)
        if (r.analysis.d[static_cast<std::size_t>(cols[j])] < most) return std::nullopt;

    // v_l is divided by: a constant is best.
    std::stable_sort(list.begin(), list.end(),
                     [&](std::size_t a, std::size_t b) { return g.is_constant(v[a]) > g.is_constant(v[b]); });
    for (const std::size_t l : list) {
        const bool applies = std::all_of(list.begin(), list.end(), [&](std::size_t j) {
            return orders_low_enough(system, r, column_of, in_l, most, g.div(v[j], v[l]));
        });
        if (!applies) continue;
        const int column_l = cols[l];
        const int id_l = system.variables[static_cast<std::size_t>(column_l)];
        const int d_l = r.analysis.d[static_cast<std::size_t>(column_l)];
        const NodeId x_l = g.variable(id_l, d_l - most);
        Repair repair;
        repair.method = RepairMethod::expression_substitution;
        repair.row = touched.front();
        repair.combined = touched;
        std::unordered_map<int, NodeId> replacement; // by model id: x_j^(d_j − C)
        for (const std::size_t j : list) {
            if (j == l) continue;
            const int id = system.variables[static_cast<std::size_t>(cols[j])];
            const NodeId x_j = g.variable(id, r.analysis.d[static_cast<std::size_t>(cols[j])] - most);
            const NodeId share = g.mul(g.div(v[j], v[l]), x_l);
            const NodeId combination = g.sub(x_j, share);
            const std::string text = expr::to_string(g, combination, system.names(), expr::Notation::plain, 60);
            const int y = system.introduce("(" + text + ")");
            const NodeId y_leaf = g.variable(y);
            replacement.emplace(id, g.add(y_leaf, share));
            system.equations.push_back({y_leaf, combination, -1, "definition of " + text});
            repair.text += (repair.text.empty() ? "" : "; ") + text;
        }
        repair.text = fmt::format("new variable{} {}", list.size() > 2 ? "s" : "", repair.text);
        for (const int i : touched) {
            const auto row = static_cast<std::size_t>(i);
            const int c = r.analysis.c[row];
            std::unordered_map<std::uint32_t, NodeId> by_leaf;
            expr::TimeDerivative ddt(g);
            for (const auto& [id, value] : replacement) {
                NodeId derivative = value;
                for (int k = c; k < most; ++k) derivative = ddt(derivative);
                const auto j = static_cast<std::size_t>(column_of[static_cast<std::size_t>(id)]);
                by_leaf.emplace(expr::index(g.variable(id, r.analysis.d[j] - c)), derivative);
            }
            const NodeId leading_l = g.variable(id_l, d_l - c);
            expr::Substitution substitute(g, [&](NodeId leaf) {
                const auto it = by_leaf.find(expr::index(leaf));
                return it == by_leaf.end() ? leaf : it->second;
            });
            // The result does not depend on x_l^(d_l − c): any value will do.
            expr::Substitution cancel(g, [&](NodeId leaf) { return leaf == leading_l ? g.constant(0.0) : leaf; });
            SystemEquation& e = system.equations[row];
            system.replaced.push_back({i, system.residual(i), false});
            // Only the difference of the sides is free of it: they are kept apart where each of them is.
            e.left = cancel(substitute(e.left));
            e.right = cancel(substitute(e.right));
            e.derived = repair.text;
        }
        return repair;
    }
    return std::nullopt;
}

} // namespace daedalus::transform
