#include "expr/substitute.hpp"

#include <array>

namespace daedalus::expr {

NodeId Substitution::operator()(NodeId expression) {
    if (const auto done = memo_.find(index(expression)); done != memo_.end()) return done->second;
    Graph& g = graph_;
    for (const NodeId node : g.reachable(std::span(&expression, 1))) {
        if (memo_.contains(index(node))) continue;
        const Op op = g.op(node);
        if (is_leaf(op)) {
            memo_.emplace(index(node), replacement_(node));
            continue;
        }
        std::array<NodeId, 3> operands{};
        bool changed = false;
        const int count = arity(op);
        for (int k = 0; k < count; ++k) {
            const NodeId old = g.operand(node, k);
            operands[static_cast<std::size_t>(k)] = memo_.at(index(old));
            changed = changed || operands[static_cast<std::size_t>(k)] != old;
        }
        memo_.emplace(index(node),
                      changed ? g.rebuild(op, std::span(operands.data(), static_cast<std::size_t>(count))) : node);
    }
    return memo_.at(index(expression));
}

void rewrite_derivatives(Graph& graph, const std::function<NodeId(NodeId)>& rewritten) {
    const std::span<const Graph::WrittenDerivative> known = graph.written_derivatives();
    for (const auto& [value, slope] : std::vector(known.begin(), known.end()))
        if (const NodeId now = rewritten(slope); now != slope) graph.remember_derivative(rewritten(value), now);
}

NodeId without_events(Graph& graph, NodeId expression) {
    const NodeId roots[] = {expression};
    std::unordered_map<std::uint32_t, NodeId> changed;
    const auto of = [&](NodeId node) {
        const auto it = changed.find(index(node));
        return it == changed.end() ? node : it->second;
    };
    for (const NodeId node : graph.reachable(roots)) {
        const Op op = graph.op(node);
        if (is_leaf(op)) continue;
        std::array<NodeId, 3> operands{};
        const auto count = static_cast<std::size_t>(arity(op));
        bool differs = false;
        for (std::size_t k = 0; k < count; ++k) {
            const NodeId before = graph.operand(node, static_cast<int>(k));
            operands[k] = of(before);
            differs = differs || operands[k] != before;
        }
        if (op == Op::lt || op == Op::le || op == Op::gt || op == Op::ge) {
            const NodeId sign = graph.unary(Op::sign, graph.sub(operands[0], operands[1]));
            const bool strict = op == Op::lt || op == Op::gt;
            const bool above = op == Op::gt || op == Op::le; // true at +1, or false there
            changed.emplace(index(node),
                            graph.binary(strict ? Op::eq : Op::ne, sign, graph.constant(above ? 1.0 : -1.0)));
        } else if (op == Op::floor) { // which makes events, other than ceil
            changed.emplace(index(node), graph.neg(graph.unary(Op::ceil, graph.neg(operands[0]))));
        } else if (op == Op::abs) {
            changed.emplace(index(node), graph.mul(operands[0], graph.unary(Op::sign, operands[0])));
        } else if (op == Op::min || op == Op::max) {
            const NodeId sign = graph.unary(Op::sign, graph.sub(operands[1], operands[0]));
            changed.emplace(index(node),
                            graph.select(graph.binary(Op::eq, sign, graph.constant(op == Op::max ? 1.0 : -1.0)),
                                         operands[1], operands[0]));
        } else if (differs) {
            changed.emplace(index(node), graph.rebuild(op, std::span<const NodeId>(operands.data(), count)));
        }
    }
    return of(expression);
}

} // namespace daedalus::expr
