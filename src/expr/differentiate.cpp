#include "expr/differentiate.hpp"

#include "expr/functions/function.hpp"
#include "expr/routine.hpp"

#include <algorithm>

namespace daedalus::expr {

NodeId local_partial(Graph& g, NodeId node, int k) {
    const Op op = g.op(node);
    if (is_boolean(op)) return no_node;
    if (is_function(op)) return function(op).derivative(g, node, k);
    if (op == Op::call) return std::shared_ptr(g.call_of(node).routine)->partial(g, node, k);
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

namespace {
/// One of two operands as it is.
bool chooses(Op op) { return op == Op::min || op == Op::max; }
} // namespace

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
    if (outer == no_node) return g.constant(0.0);
    if (!chooses(op) || g.op(outer) != Op::select) return g.mul(outer, inner);
    // 0 times the infinite slope of √ is nothing, not undefined: what is not taken is not multiplied.
    return g.select(g.operand(outer, 0), g.mul(g.operand(outer, 1), inner), g.mul(g.operand(outer, 2), inner));
}

Adjoint chain_back(Graph& g, NodeId node, int k, Adjoint adjoint) {
    const NodeId inner = adjoint.value;
    const NodeId zero = g.constant(0.0);
    if (g.op(node) == Op::select || chooses(g.op(node))) {
        const NodeId value = chain(g, node, k, inner);
        if (g.is_constant(value)) return {value, Mask::none};
        return {value, adjoint.mask == Mask::none && g.op(value) == Op::select ? Mask::branch : Mask::zeros};
    }
    if (adjoint.mask == Mask::branch && g.op(inner) == Op::select) { // what is not taken is not multiplied
        const bool first = g.is_constant(g.operand(inner, 2), 0.0);
        const NodeId value = chain(g, node, k, g.operand(inner, first ? 1 : 2));
        const NodeId masked = g.select(g.operand(inner, 0), first ? value : zero, first ? zero : value);
        return {masked, g.op(masked) == Op::select ? Mask::branch : Mask::none};
    }
    const NodeId value = chain(g, node, k, inner);
    const Op op = g.op(node);
    const bool sign_only = op == Op::neg || op == Op::add || op == Op::sub;
    if (adjoint.mask == Mask::none || sign_only || g.is_constant(value)) return {value, adjoint.mask};
    return {g.select(g.binary(Op::ne, inner, zero), value, zero), Mask::zeros};
}

Adjoint sum(Graph& g, Adjoint a, Adjoint b) {
    if (a.value == no_node || g.is_constant(a.value, 0.0)) return b;
    if (b.value == no_node || g.is_constant(b.value, 0.0)) return a;
    const bool masked = a.mask != Mask::none || b.mask != Mask::none;
    return {g.add(a.value, b.value), masked ? Mask::zeros : Mask::none};
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
            for (int k = 0; k < g.arity(node); ++k)
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
        for (int k = 0; k < g.arity(order[i]) && !active[i]; ++k) active[i] = active[position(g.operand(order[i], k))];
    }
    std::vector<Partial> result;
    if (!active.back()) return result;
    std::vector<Adjoint> adjoint(order.size());
    adjoint.back().value = g.constant(1.0);
    for (std::size_t i = order.size(); i-- > 0;) {
        const NodeId node = order[i];
        const Adjoint weight = adjoint[i];
        if (weight.value == no_node) continue;
        if (is_leaf(g.op(node))) {
            if (!g.is_constant(weight.value, 0.0)) result.push_back({node, weight.value});
            continue;
        }
        for (int k = 0; k < g.arity(node); ++k) {
            const std::size_t operand = position(g.operand(node, k));
            if (!active[operand]) continue;
            adjoint[operand] = sum(g, adjoint[operand], chain_back(g, node, k, weight));
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
