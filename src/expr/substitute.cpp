#include "expr/substitute.hpp"

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
        memo_.emplace(index(node), g.rebuilt(node, [&](NodeId old) { return memo_.at(index(old)); }));
    }
    return memo_.at(index(expression));
}

NodeId transplant(Graph& to, const Graph& from, NodeId expression, const std::function<NodeId(NodeId)>& leaf) {
    std::unordered_map<std::uint32_t, NodeId> made;
    for (const NodeId node : from.reachable(std::span(&expression, 1))) {
        const Op op = from.op(node);
        std::vector<NodeId> operands;
        for (int k = 0; k < from.arity(node); ++k) operands.push_back(made.at(index(from.operand(node, k))));
        NodeId& here = made[index(node)];
        if (op == Op::constant)
            here = to.constant(from.constant_value(node));
        else if (is_leaf(op))
            here = leaf(node);
        else if (op == Op::call)
            here = to.call(from.call_of(node).routine, from.call_of(node).output, std::move(operands));
        else
            here = to.rebuild(op, operands);
    }
    return made.at(index(expression));
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
        const auto operand = [&](int k) { return of(graph.operand(node, k)); };
        if (op == Op::lt || op == Op::le || op == Op::gt || op == Op::ge) {
            const NodeId sign = graph.unary(Op::sign, graph.sub(operand(0), operand(1)));
            const bool strict = op == Op::lt || op == Op::gt;
            const bool above = op == Op::gt || op == Op::le; // true at +1, or false there
            changed.emplace(index(node),
                            graph.binary(strict ? Op::eq : Op::ne, sign, graph.constant(above ? 1.0 : -1.0)));
        } else if (op == Op::floor) { // which makes events, other than ceil
            changed.emplace(index(node), graph.neg(graph.unary(Op::ceil, graph.neg(operand(0)))));
        } else if (op == Op::abs) {
            changed.emplace(index(node), graph.mul(operand(0), graph.unary(Op::sign, operand(0))));
        } else if (op == Op::min || op == Op::max) {
            const NodeId sign = graph.unary(Op::sign, graph.sub(operand(1), operand(0)));
            changed.emplace(index(node),
                            graph.select(graph.binary(Op::eq, sign, graph.constant(op == Op::max ? 1.0 : -1.0)),
                                         operand(1), operand(0)));
        } else if (const NodeId made = graph.rebuilt(node, of); made != node) {
            changed.emplace(index(node), made);
        }
    }
    return of(expression);
}

NodeId with_events(Graph& graph, NodeId condition) {
    const NodeId roots[] = {condition};
    std::unordered_map<std::uint32_t, NodeId> changed;
    const auto of = [&](NodeId node) {
        const auto it = changed.find(index(node));
        return it == changed.end() ? node : it->second;
    };
    for (const NodeId node : graph.reachable(roots)) {
        if (is_leaf(graph.op(node))) continue;
        const bool equal = graph.op(node) == Op::eq;
        if (equal || graph.op(node) == Op::ne) { // sign(d) == ±1, sign(d) <> ±1
            const bool sign_first = graph.op(graph.operand(node, 0)) == Op::sign;
            const NodeId sign = graph.operand(node, sign_first ? 0 : 1), side = graph.operand(node, sign_first ? 1 : 0);
            if (graph.op(sign) == Op::sign && (graph.is_constant(side, 1.0) || graph.is_constant(side, -1.0))) {
                const bool above = graph.is_constant(side, 1.0);
                const Op relation = equal ? (above ? Op::gt : Op::lt) : above ? Op::le : Op::ge;
                changed.emplace(index(node), graph.binary(relation, of(graph.operand(sign, 0)), graph.constant(0.0)));
                continue;
            }
        }
        if (const NodeId made = graph.rebuilt(node, of); made != node) changed.emplace(index(node), made);
    }
    return of(condition);
}

} // namespace daedalus::expr
