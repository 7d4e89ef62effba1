// Derivatives of expressions, as expressions of the same graph: total derivative in time (forward) and gradient
// (reverse). Both are linear in the number of nodes; equal subexpressions are shared by the graph.
#pragma once

#include "expr/graph.hpp"

#include <unordered_map>
#include <utility>
#include <vector>

namespace daedalus::expr {

/// ∂(node)/∂(operand k), an expression in the node's operands; no_node where it is zero.
[[nodiscard]] NodeId local_partial(Graph& graph, NodeId node, int k);

/// ∂(node)/∂(operand k) · inner, in the form that keeps quotients and branches as they are usually written. The same
/// product serves both directions: inner is a derivative of the operand, or the adjoint of the node.
[[nodiscard]] NodeId chain(Graph& graph, NodeId node, int k, NodeId inner);

/// Adjoints of what stands in a branch vanish while the branch is not taken, and then ∂(node)/∂(operand) need not
/// exist there: 0 · NaN must not spread. A reverse sweep keeps for each adjoint how it was masked.
enum class Mask : unsigned char {
    none,
    branch, ///< select(c, a, 0) or select(c, 0, a), where a has no mask
    zeros,  ///< several branches: all that is known is that it may be zero
};
struct Adjoint {
    NodeId value = no_node; ///< no_node: nothing has arrived yet
    Mask mask = Mask::none;
};
/// chain() for an adjoint: the contribution of `node` to the adjoint of its operand k.
[[nodiscard]] Adjoint chain_back(Graph& graph, NodeId node, int k, Adjoint adjoint);
/// a + b, where either may be empty.
[[nodiscard]] Adjoint sum(Graph& graph, Adjoint a, Adjoint b);

/// d/dt with x_j^(k) → x_j^(k+1), time → 1, parameters → 0. Remembers what it has differentiated.
class TimeDerivative {
public:
    explicit TimeDerivative(Graph& graph) : graph_(graph) {}
    [[nodiscard]] NodeId operator()(NodeId expression);

private:
    Graph& graph_;
    std::unordered_map<std::uint32_t, NodeId> memo_; ///< by node; a short-lived object must not cost a whole graph
};

/// One partial derivative of an expression with respect to a leaf.
struct Partial {
    NodeId leaf;
    NodeId value;
};

/// Which leaves count as independent variables.
enum class Leaves { variables, variables_and_time, parameters };

/// All non-zero partial derivatives with respect to the leaves that occur, by one reverse sweep; ascending by leaf.
[[nodiscard]] std::vector<Partial> gradient(Graph& graph, NodeId expression, Leaves leaves = Leaves::variables);

/// ∂(expression)/∂(leaf).
[[nodiscard]] NodeId partial(Graph& graph, NodeId expression, NodeId leaf);

} // namespace daedalus::expr
