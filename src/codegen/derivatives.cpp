#include "codegen/derivatives.hpp"

#include "expr/differentiate.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace daedalus::codegen {

namespace {

using expr::NodeId;
using expr::Op;
using Nodes = std::span<const NodeId>;

/// Names of directions and weights among variables: no model has negative ones, and other passes use those near zero.
constexpr int direction_variable = -101;
constexpr int weight_variable = -102;

/// A call costs about ten additions, a division or root four.
double cost(Op op) {
    if (expr::is_leaf(op)) return 0;
    if (op == Op::div || op == Op::sqrt) return 4;
    if (op == Op::pow || (expr::is_function(op) && op != Op::abs && op != Op::min && op != Op::max)) return 10;
    return 1;
}

/// Nodes below some outputs with their place in the ascending list, and which of them depend on the leaves.
struct Nodelist {
    Nodelist(const expr::Graph& graph, Nodes outputs, Nodes leaves) : g(graph), order(graph.reachable(outputs)) {
        place.assign(order.empty() ? 0 : expr::index(order.back()) + std::size_t{1}, none);
        for (std::size_t i = 0; i < order.size(); ++i) place[expr::index(order[i])] = static_cast<std::uint32_t>(i);
        leaf.assign(order.size(), -1);
        active.assign(order.size(), 0);
        for (std::size_t j = 0; j < leaves.size(); ++j)
            if (expr::index(leaves[j]) < place.size() && place[expr::index(leaves[j])] != none) {
                leaf[at(leaves[j])] = static_cast<int>(j);
                active[at(leaves[j])] = 1;
            }
        for (std::size_t i = 0; i < order.size(); ++i)
            for (int k = 0; k < g.arity(order[i]); ++k) active[i] |= active[at(g.operand(order[i], k))];
    }
    [[nodiscard]] std::size_t at(NodeId node) const { return place[expr::index(node)]; }

    static constexpr std::uint32_t none = 0xFFFFFFFFU;
    const expr::Graph& g;
    std::vector<NodeId> order;
    std::vector<std::uint32_t> place;
    std::vector<int> leaf; ///< which of the leaves, or -1
    std::vector<char> active;
};

using Row = std::vector<std::pair<int, NodeId>>; ///< derivatives by leaves, ascending

/// row += chain(node, k, each entry of inner)
void accumulate(expr::Graph& g, NodeId node, int k, const Row& inner, Row& row) {
    Row merged;
    merged.reserve(row.size() + inner.size());
    auto old = row.begin();
    for (const auto& [j, value] : inner) {
        while (old != row.end() && old->first < j) merged.push_back(*old++);
        const NodeId term = expr::chain(g, node, k, value);
        if (old != row.end() && old->first == j)
            merged.emplace_back(j, g.add((old++)->second, term));
        else
            merged.emplace_back(j, term);
    }
    merged.insert(merged.end(), old, row.end());
    row = std::move(merged);
}

std::vector<Row> forward_rows(expr::Graph& g, Nodes outputs, Nodes leaves) {
    const Nodelist nodes(g, outputs, leaves);
    std::vector<std::uint32_t> uses(nodes.order.size(), 0); // rows are dropped after their last use
    for (const NodeId node : nodes.order)
        for (int k = 0; k < g.arity(node); ++k) ++uses[nodes.at(g.operand(node, k))];
    for (const NodeId output : outputs) ++uses[nodes.at(output)];
    std::vector<Row> rows(nodes.order.size());
    for (std::size_t i = 0; i < nodes.order.size(); ++i) {
        const NodeId node = nodes.order[i];
        if (nodes.leaf[i] >= 0) rows[i] = {{nodes.leaf[i], g.constant(1.0)}};
        for (int k = 0; k < g.arity(node); ++k) {
            const std::size_t operand = nodes.at(g.operand(node, k));
            if (nodes.active[operand]) accumulate(g, node, k, rows[operand], rows[i]);
            if (--uses[operand] == 0) rows[operand] = {};
        }
    }
    std::vector<Row> result;
    for (const NodeId output : outputs) result.push_back(rows[nodes.at(output)]);
    return result;
}

std::vector<Row> reverse_rows(expr::Graph& g, Nodes outputs, Nodes leaves) {
    std::vector<Row> result;
    const NodeId one = g.constant(1.0);
    std::vector<std::pair<NodeId, int>> number; // leaves by node
    for (std::size_t j = 0; j < leaves.size(); ++j) number.emplace_back(leaves[j], static_cast<int>(j));
    std::sort(number.begin(), number.end());
    for (const NodeId output : outputs) {
        std::vector<NodeId> mine; // the leaves that occur: a row must not cost what all leaves cost
        std::vector<int> index;
        for (const NodeId node : g.reachable(std::span(&output, 1))) {
            const auto found = std::lower_bound(number.begin(), number.end(), std::pair(node, 0));
            if (found == number.end() || found->first != node) continue;
            mine.push_back(node);
            index.push_back(found->second);
        }
        const std::vector<NodeId> values = adjoint(g, std::span(&output, 1), mine, std::span(&one, 1));
        Row row;
        for (std::size_t k = 0; k < mine.size(); ++k) row.emplace_back(index[k], values[k]);
        std::sort(row.begin(), row.end());
        result.push_back(std::move(row));
    }
    return result;
}

std::vector<NodeId> fresh(expr::Graph& g, int variable, std::size_t count) {
    std::vector<NodeId> list;
    for (std::size_t k = 0; k < count; ++k) list.push_back(g.variable(variable, static_cast<int>(k)));
    return list;
}

} // namespace

std::vector<NodeId> tangent(expr::Graph& g, Nodes outputs, Nodes leaves, Nodes direction) {
    assert(leaves.size() == direction.size());
    const Nodelist nodes(g, outputs, leaves);
    const NodeId zero = g.constant(0.0);
    std::vector<NodeId> dot(nodes.order.size(), zero);
    for (std::size_t i = 0; i < nodes.order.size(); ++i) {
        const NodeId node = nodes.order[i];
        if (nodes.leaf[i] >= 0) dot[i] = direction[static_cast<std::size_t>(nodes.leaf[i])];
        for (int k = 0; k < g.arity(node); ++k) {
            const std::size_t operand = nodes.at(g.operand(node, k));
            if (nodes.active[operand]) dot[i] = g.add(dot[i], expr::chain(g, node, k, dot[operand]));
        }
    }
    std::vector<NodeId> result;
    for (const NodeId output : outputs) result.push_back(dot[nodes.at(output)]);
    return result;
}

std::vector<NodeId> adjoint(expr::Graph& g, Nodes outputs, Nodes leaves, Nodes weights) {
    assert(outputs.size() == weights.size());
    const Nodelist nodes(g, outputs, leaves);
    const NodeId zero = g.constant(0.0);
    std::vector<expr::Adjoint> bar(nodes.order.size());
    for (std::size_t i = 0; i < outputs.size(); ++i)
        bar[nodes.at(outputs[i])] = expr::sum(g, bar[nodes.at(outputs[i])], {weights[i]});
    for (std::size_t i = nodes.order.size(); i-- > 0;) {
        if (bar[i].value == expr::no_node || g.is_constant(bar[i].value, 0.0)) continue;
        const NodeId node = nodes.order[i];
        for (int k = 0; k < g.arity(node); ++k) {
            const std::size_t operand = nodes.at(g.operand(node, k));
            if (nodes.active[operand]) bar[operand] = expr::sum(g, bar[operand], expr::chain_back(g, node, k, bar[i]));
        }
    }
    std::vector<NodeId> result(leaves.size(), zero);
    for (std::size_t i = 0; i < nodes.order.size(); ++i)
        if (nodes.leaf[i] >= 0 && bar[i].value != expr::no_node)
            result[static_cast<std::size_t>(nodes.leaf[i])] = bar[i].value;
    return result;
}

std::vector<NodeId> second_tangent(expr::Graph& g, Nodes outputs, Nodes leaves, Nodes direction) {
    return tangent(g, tangent(g, outputs, leaves, direction), leaves, direction);
}

std::vector<NodeId> hessian_vector(expr::Graph& g, Nodes outputs, Nodes leaves, Nodes weights, Nodes direction) {
    return tangent(g, adjoint(g, outputs, leaves, weights), leaves, direction);
}

SweepCost sweep_cost(const expr::Graph& g, Nodes outputs, Nodes leaves) {
    const Nodelist nodes(g, outputs, leaves);
    SweepCost result;
    // Forward: how many leaves each node depends on. The sets are kept as sorted lists.
    std::vector<std::vector<int>> below(nodes.order.size());
    for (std::size_t i = 0; i < nodes.order.size(); ++i) {
        const NodeId node = nodes.order[i];
        result.function += cost(g.op(node));
        if (nodes.leaf[i] >= 0) below[i] = {nodes.leaf[i]};
        for (int k = 0; k < g.arity(node); ++k) {
            const std::vector<int>& other = below[nodes.at(g.operand(node, k))];
            result.forward += 2.0 * static_cast<double>(other.size());
            std::vector<int> both;
            std::set_union(below[i].begin(), below[i].end(), other.begin(), other.end(), std::back_inserter(both));
            below[i] = std::move(both);
        }
    }
    // Reverse: each row sweeps what it depends on.
    for (const NodeId output : outputs)
        for (const NodeId node : g.reachable(std::span(&output, 1)))
            for (int k = 0; k < g.arity(node); ++k)
                if (nodes.active[nodes.at(g.operand(node, k))]) result.reverse += 2.0;
    return result;
}

SparseDerivative sparse_jacobian(expr::Graph& g, Nodes outputs, Nodes leaves, Sweep sweep) {
    SparseDerivative result;
    result.sweep = sweep == Sweep::automatic ? sweep_cost(g, outputs, leaves).cheaper() : sweep;
    const std::vector<Row> rows =
        result.sweep == Sweep::forward ? forward_rows(g, outputs, leaves) : reverse_rows(g, outputs, leaves);
    std::vector<std::pair<int, int>> positions;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const auto& [j, value] : rows[i])
            if (!g.is_constant(value, 0.0)) positions.emplace_back(static_cast<int>(i), j);
    result.pattern =
        SparsityPattern::from_entries(static_cast<int>(outputs.size()), static_cast<int>(leaves.size()), positions);
    result.values.assign(static_cast<std::size_t>(result.pattern.nonzeros()), expr::no_node);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const auto& [j, value] : rows[i])
            if (!g.is_constant(value, 0.0))
                result.values[static_cast<std::size_t>(result.pattern.find(static_cast<int>(i), j))] = value;
    return result;
}

Kernel tangent_kernel(expr::Graph& g, const Segments& segments, Nodes outputs, Nodes leaves) {
    Segments all = segments;
    all.push_back(fresh(g, direction_variable, leaves.size()));
    return {g, all, tangent(g, outputs, leaves, all.back())};
}

Kernel adjoint_kernel(expr::Graph& g, const Segments& segments, Nodes outputs, Nodes leaves) {
    Segments all = segments;
    all.push_back(fresh(g, weight_variable, outputs.size()));
    return {g, all, adjoint(g, outputs, leaves, all.back())};
}

Kernel hessian_vector_kernel(expr::Graph& g, const Segments& segments, Nodes outputs, Nodes leaves) {
    Segments all = segments;
    const std::vector<NodeId> direction = fresh(g, direction_variable, leaves.size());
    const std::vector<NodeId> weights = fresh(g, weight_variable, outputs.size());
    all.push_back(direction);
    all.push_back(weights);
    return {g, all, hessian_vector(g, outputs, leaves, weights, direction)};
}

CompressedJacobian::CompressedJacobian(expr::Graph& g, const Segments& segments, Nodes outputs, Nodes leaves,
                                       SparsityPattern pattern, std::vector<int> color)
    : tangent_(tangent_kernel(g, segments, outputs, leaves)), pattern_(std::move(pattern)), color_(std::move(color)),
      seed_(leaves.size(), 0.0), column_(outputs.size(), 0.0) {
    assert(color_.size() == leaves.size());
    for (const int c : color_) colors_ = std::max(colors_, c + 1);
}

bool CompressedJacobian::operator()(std::span<const double* const> inputs, double* values) {
    inputs_.assign(inputs.begin(), inputs.end());
    inputs_.push_back(seed_.data());
    bool finite = true;
    for (int c = 0; c < colors_; ++c) {
        for (std::size_t j = 0; j < seed_.size(); ++j) seed_[j] = color_[j] == c ? 1.0 : 0.0;
        finite = tangent_(inputs_, column_.data()) && finite;
        for (std::size_t j = 0; j < seed_.size(); ++j)
            if (color_[j] == c)
                for (int k = pattern_.column_start[j]; k < pattern_.column_start[j + 1]; ++k)
                    values[k] = column_[static_cast<std::size_t>(pattern_.row_index[static_cast<std::size_t>(k)])];
    }
    return finite;
}

} // namespace daedalus::codegen
