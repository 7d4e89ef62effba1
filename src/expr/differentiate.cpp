#include "expr/differentiate.hpp"

#include "expr/functions/function.hpp"

#include <algorithm>

namespace daedalus::expr {

NodeId local_partial(Graph& g, NodeId node, int k) {
    const Op op = g.op(node);
    if (is_boolean(op)) return no_node;
    if (is_function(op)) return function(op).derivative(g, node, k);
    const NodeId a = g.operand(node, 0);
    const NodeId b = arity(op) > 1 ? g.operand(node, 1) : no_node;
    switch (op) {
    case Op::neg: return g.constant(-1.0);
    case Op::add: return g.constant(1.0);
    case Op::sub: return g.constant(k == 0 ? 1.0 : -1.0);
    case Op::mul: return k == 0 ? b : a;
    case Op::div: return k == 0 ? g.div(g.constant(1.0), b) : g.neg(g.div(node, b));
    case Op::pow:
        if (k == 0) {
            const NodeId less = g.is_constant(b) ? g.constant(g.constant_value(b) - 1.0) : g.sub(b, g.constant(1.0));
            return g.mul(b, g.pow(a, less));
        }
        return g.mul(node, g.unary(Op::log, a));
    case Op::select:
        if (k == 0) return no_node;
        return k == 1 ? g.select(a, g.constant(1.0), g.constant(0.0)) : g.select(a, g.constant(0.0), g.constant(1.0));
    default: return no_node;
    }
}

NodeId chain(Graph& g, NodeId node, int k, NodeId inner) {
    const Op op = g.op(node);
    if (g.is_constant(inner, 0.0)) return inner;
    if (op == Op::neg) return g.neg(inner);
    if (op == Op::add) return inner;
    if (op == Op::sub) return k == 0 ? inner : g.neg(inner);
    if (op == Op::mul) return k == 0 ? g.mul(inner, g.operand(node, 1)) : g.mul(g.operand(node, 0), inner);
    if (op == Op::div && k == 0) return g.div(inner, g.operand(node, 1));
    if (op == Op::select) {
        if (k == 0) return g.constant(0.0);
        const NodeId zero = g.constant(0.0);
        return g.select(g.operand(node, 0), k == 1 ? inner : zero, k == 1 ? zero : inner);
    }
    const NodeId outer = local_partial(g, node, k);
    return outer == no_node ? g.constant(0.0) : g.mul(outer, inner);
}

NodeId TimeDerivative::operator()(NodeId expression) {
    Graph& g = graph_;
    if (const auto done = memo_.find(index(expression)); done != memo_.end()) return done->second;
    const auto known = [&](NodeId node) { return memo_.find(index(node))->second; };
    for (const NodeId node : g.reachable(std::span(&expression, 1))) {
        const auto [at, is_new] = memo_.try_emplace(index(node), no_node);
        if (!is_new) continue;
        NodeId result = g.constant(0.0);
        switch (g.op(node)) {
        case Op::constant:
        case Op::parameter: break;
        case Op::time: result = g.constant(1.0); break;
        case Op::variable: result = g.variable(g.variable_id(node), g.derivative_order(node) + 1); break;
        case Op::select: // both branches at once, so that the condition is evaluated once
            result = g.select(g.operand(node, 0), known(g.operand(node, 1)), known(g.operand(node, 2)));
            break;
        default:
            for (int k = 0; k < arity(g.op(node)); ++k)
                result = g.add(result, chain(g, node, k, known(g.operand(node, k))));
        }
        at->second = result;
    }
    return known(expression);
}

std::vector<Partial> gradient(Graph& g, NodeId expression, Leaves leaves) {
    const std::vector<NodeId> order = g.reachable(std::span(&expression, 1));
    const auto wanted = [&](NodeId leaf) {
        const Op op = g.op(leaf);
        if (leaves == Leaves::parameters) return op == Op::parameter;
        return op == Op::variable || (leaves == Leaves::variables_and_time && op == Op::time);
    };
    // The list is ascending, so that a node is found in it by bisection: faster than hashing for the short lists that
    // equations are.
    const auto position = [&](NodeId node) {
        return static_cast<std::size_t>(std::lower_bound(order.begin(), order.end(), node) - order.begin());
    };
    // Only nodes that depend on a wanted leaf take part.
    std::vector<char> active(order.size(), 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Op op = g.op(order[i]);
        active[i] = is_leaf(op) && wanted(order[i]);
        for (int k = 0; k < arity(op) && !active[i]; ++k) active[i] = active[position(g.operand(order[i], k))];
    }
    std::vector<Partial> result;
    if (!active.back()) return result;
    std::vector<NodeId> adjoint(order.size(), no_node);
    adjoint.back() = g.constant(1.0);
    for (std::size_t i = order.size(); i-- > 0;) {
        const NodeId node = order[i];
        const NodeId weight = adjoint[i];
        if (weight == no_node) continue;
        if (is_leaf(g.op(node))) {
            if (!g.is_constant(weight, 0.0)) result.push_back({node, weight});
            continue;
        }
        for (int k = 0; k < arity(g.op(node)); ++k) {
            const std::size_t operand = position(g.operand(node, k));
            if (!active[operand]) continue;
            const NodeId term = chain(g, node, k, weight);
            adjoint[operand] = adjoint[operand] == no_node ? term : g.add(adjoint[operand], term);
        }
    }
    std::reverse(result.begin(), result.end());
    return result;
}

NodeId partial(Graph& g, NodeId expression, NodeId leaf) {
    const Leaves leaves = g.op(leaf) == Op::parameter ? Leaves::parameters : Leaves::variables_and_time;
    for (const Partial& p : gradient(g, expression, leaves))
        if (p.leaf == leaf) return p.value;
    return g.constant(0.0);
}

} // namespace daedalus::expr
