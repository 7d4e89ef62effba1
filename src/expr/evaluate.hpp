// The value of an expression, one node at a time: for parameters, start values and messages. Kernels are for speed.
#pragma once

#include "expr/graph.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace daedalus::expr {

/// What one operation gives for given operand values (relations give 1 or 0).
[[nodiscard]] double apply(Op op, double a, double b = 0.0, double c = 0.0);

/// What an inner node gives, calls too.
[[nodiscard]] double apply(const Graph& graph, NodeId node, std::span<const double> operands);

/// Values of several expressions; `leaf` gives parameters, variables and time.
[[nodiscard]] std::vector<double> evaluate(const Graph& graph, std::span<const NodeId> expressions,
                                           const std::function<double(NodeId leaf)>& leaf);
[[nodiscard]] double evaluate(const Graph& graph, NodeId expression, const std::function<double(NodeId leaf)>& leaf);

/// The first operation whose result is not finite although its operands are: the culprit of a NaN.
struct DomainError {
    NodeId node = no_node;
    std::string reason; ///< "sqrt of a negative number (-0.25)"
};
[[nodiscard]] DomainError find_domain_error(const Graph& graph, NodeId expression,
                                            const std::function<double(NodeId leaf)>& leaf);

} // namespace daedalus::expr
