#include "expr/round_off.hpp"

#include "expr/evaluate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace daedalus::expr {

namespace {

constexpr double unit = std::numeric_limits<double>::epsilon();

// What errors of the operands make of the result; functions are asked beside their argument.
RoundedValue rounded(Op op, int arity, const std::array<RoundedValue, 3>& a) {
    RoundedValue r;
    r.value = apply(op, a[0].value, a[1].value, a[2].value);
    r.size = std::abs(r.value);
    if (is_boolean(op)) return r;
    switch (op) {
    case Op::neg: return {r.value, a[0].error, a[0].size};
    case Op::select: return a[0].value != 0.0 ? a[1] : a[2];
    case Op::add:
    case Op::sub:
        r.error = a[0].error + a[1].error;
        r.size = a[0].size + a[1].size;
        break;
    case Op::mul:
        r.error = std::abs(a[0].value) * a[1].error + std::abs(a[1].value) * a[0].error;
        r.size = a[0].size * a[1].size;
        break;
    case Op::div: r.size = std::max(r.size, a[0].size / std::abs(a[1].value)); [[fallthrough]];
    default:
        for (int k = 0; k < arity; ++k) {
            const double e = a[static_cast<std::size_t>(k)].error;
            if (e == 0.0) continue;
            double moved = 0.0;
            for (const double sign : {-1.0, 1.0}) {
                std::array<RoundedValue, 3> beside = a;
                beside[static_cast<std::size_t>(k)].value += sign * e;
                const double other = apply(op, beside[0].value, beside[1].value, beside[2].value);
                if (std::isfinite(other)) moved = std::max(moved, std::abs(other - r.value));
            }
            r.error += moved;
        }
    }
    r.error += unit * std::abs(r.value);
    return r;
}

// Of a routine: as for functions, one input after the other.
RoundedValue rounded_call(const Graph& g, NodeId node, const std::function<const RoundedValue&(NodeId)>& of) {
    std::vector<double> in(static_cast<std::size_t>(g.arity(node)));
    for (std::size_t k = 0; k < in.size(); ++k) in[k] = of(g.operand(node, static_cast<int>(k))).value;
    RoundedValue r;
    r.value = apply(g, node, in);
    r.size = std::abs(r.value);
    for (std::size_t k = 0; k < in.size(); ++k) {
        const double error = of(g.operand(node, static_cast<int>(k))).error;
        if (error == 0.0) continue;
        double moved = 0.0;
        for (const double sign : {-1.0, 1.0}) {
            std::vector<double> beside = in;
            beside[k] += sign * error;
            if (const double other = apply(g, node, beside); std::isfinite(other))
                moved = std::max(moved, std::abs(other - r.value));
        }
        r.error += moved;
    }
    constexpr double operations = 64.0; // roundings inside, which are not followed
    r.error += operations * unit * std::abs(r.value);
    return r;
}

} // namespace

std::vector<RoundedValue> evaluate_rounded(const Graph& graph, std::span<const NodeId> expressions,
                                           const std::function<RoundedValue(NodeId leaf)>& leaf,
                                           const std::function<bool(NodeId relation)>& reversed) {
    const std::vector<NodeId> nodes = graph.reachable(expressions); // ascending; usually few of a large graph
    std::vector<RoundedValue> values(nodes.size());
    const auto of = [&](NodeId node) -> const RoundedValue& {
        return values[static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin())];
    };
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const NodeId node = nodes[i];
        const Op op = graph.op(node);
        RoundedValue& value = values[i];
        if (is_leaf(op)) {
            value = graph.is_constant(node) ? RoundedValue{graph.constant_value(node)} : leaf(node);
            value.size = std::abs(value.value);
            continue;
        }
        if (op == Op::call) {
            value = rounded_call(graph, node, of);
            continue;
        }
        std::array<RoundedValue, 3> operands{};
        for (int k = 0; k < arity(op); ++k) operands[static_cast<std::size_t>(k)] = of(graph.operand(node, k));
        value = rounded(op, arity(op), operands);
        if (reversed && is_relation(op) && reversed(node)) value.value = 1.0 - value.value;
    }
    std::vector<RoundedValue> result;
    result.reserve(expressions.size());
    for (const NodeId e : expressions) result.push_back(of(e));
    return result;
}

} // namespace daedalus::expr
