#include "expr/evaluate.hpp"

#include "expr/functions/function.hpp"
#include "expr/routine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daedalus::expr {

double apply(Op op, double a, double b, double c) {
    switch (op) {
    case Op::neg: return -a;
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return a / b;
    case Op::pow: return std::pow(a, b);
    case Op::lt: return a < b;
    case Op::le: return a <= b;
    case Op::gt: return a > b;
    case Op::ge: return a >= b;
    case Op::eq: return a == b;
    case Op::ne: return a != b;
    case Op::logical_and: return a != 0 && b != 0;
    case Op::logical_or: return a != 0 || b != 0;
    case Op::logical_not: return a == 0;
    case Op::select: return a != 0 ? b : c;
    default: {
        const Function& f = function(op);
        return f.value1 ? f.value1(a) : f.value2(a, b);
    }
    }
}

double apply(const Graph& g, NodeId node, std::span<const double> operands) {
    if (g.op(node) != Op::call)
        return apply(g.op(node), operands[0], operands.size() > 1 ? operands[1] : 0.0,
                     operands.size() > 2 ? operands[2] : 0.0);
    const Graph::Call& call = g.call_of(node);
    std::vector<double> out(static_cast<std::size_t>(call.routine->outputs()));
    call.routine->run(operands.data(), out.data());
    return out[static_cast<std::size_t>(call.output)];
}

namespace {

/// Nodes by ascending id with their values; a node is found by bisection.
struct Values {
    std::vector<NodeId> nodes;
    std::vector<double> value;
    [[nodiscard]] double of(NodeId node) const {
        return value[static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin())];
    }
};

// Values of all nodes below the roots.
Values sweep(const Graph& g, std::span<const NodeId> roots, const std::function<double(NodeId)>& leaf) {
    Values values{g.reachable(roots), {}};
    values.value.resize(values.nodes.size());
    std::vector<double> operands;
    for (std::size_t i = 0; i < values.nodes.size(); ++i) {
        const NodeId node = values.nodes[i];
        const Op op = g.op(node);
        double& v = values.value[i];
        if (op == Op::constant) {
            v = g.constant_value(node);
        } else if (is_leaf(op)) {
            v = leaf(node);
        } else {
            operands.clear();
            for (int k = 0; k < g.arity(node); ++k) operands.push_back(values.of(g.operand(node, k)));
            v = apply(g, node, operands);
        }
    }
    return values;
}

std::string reason_of(const Graph& g, NodeId node, const double* operand) {
    const Op op = g.op(node);
    if (op == Op::call) return g.call_of(node).routine->name() + " has no result";
    if (op == Op::div && operand[1] == 0) return "division by zero";
    if (op == Op::pow) {
        if (operand[0] == 0 && operand[1] < 0) return "zero raised to a negative power";
        if (operand[0] < 0)
            return fmt::format("a negative number ({:.6g}) raised to the power {:.6g}", operand[0], operand[1]);
    }
    if (is_function(op)) {
        const Function& f = function(op);
        if (f.domain)
            if (const std::string_view why = f.domain(operand[0], operand[1]); !why.empty())
                return fmt::format("{} {} ({:.6g})", f.name, why, operand[0]);
        return fmt::format("{}({:.6g}) is not finite", f.name, operand[0]);
    }
    return "overflow";
}

} // namespace

std::vector<double> evaluate(const Graph& g, std::span<const NodeId> expressions,
                             const std::function<double(NodeId)>& leaf) {
    const Values values = sweep(g, expressions, leaf);
    std::vector<double> result;
    result.reserve(expressions.size());
    for (const NodeId e : expressions) result.push_back(values.of(e));
    return result;
}

double evaluate(const Graph& g, NodeId expression, const std::function<double(NodeId)>& leaf) {
    if (g.is_constant(expression)) return g.constant_value(expression);
    return evaluate(g, std::span(&expression, 1), leaf).front();
}

DomainError find_domain_error(const Graph& g, NodeId expression, const std::function<double(NodeId)>& leaf) {
    const Values values = sweep(g, std::span(&expression, 1), leaf);
    // From the result down to where it began: branches that are not taken do not matter, whatever their values are.
    NodeId node = expression;
    while (!std::isfinite(values.of(node))) {
        const Op op = g.op(node);
        if (is_leaf(op)) return {};
        NodeId culprit = no_node;
        std::vector<double> operand(static_cast<std::size_t>(g.arity(node)));
        for (int k = 0; k < g.arity(node); ++k) {
            operand[static_cast<std::size_t>(k)] = values.of(g.operand(node, k));
            const bool matters = op != Op::select || k == 0 || (k == 1) == (operand[0] != 0);
            if (matters && culprit == no_node && !std::isfinite(operand[static_cast<std::size_t>(k)]))
                culprit = g.operand(node, k);
        }
        if (culprit == no_node) return {node, reason_of(g, node, operand.data())};
        node = culprit;
    }
    return {};
}

} // namespace daedalus::expr
