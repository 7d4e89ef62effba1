// Replacing leaves by expressions.
#pragma once

#include "expr/graph.hpp"

#include <functional>
#include <unordered_map>

namespace daedalus::expr {

/// Replaces leaves: `replacement(leaf)` returns the new expression or the leaf itself. Linear in the nodes met, each
/// once over the life of the object.
class Substitution {
public:
    Substitution(Graph& graph, std::function<NodeId(NodeId leaf)> replacement)
        : graph_(graph), replacement_(std::move(replacement)) {}
    [[nodiscard]] NodeId operator()(NodeId expression);

private:
    Graph& graph_;
    std::function<NodeId(NodeId)> replacement_;
    std::unordered_map<std::uint32_t, NodeId> memo_;
};

/// An expression of another graph; `leaf` says what becomes of its parameters, variables and time.
[[nodiscard]] NodeId transplant(Graph& to, const Graph& from, NodeId expression,
                                const std::function<NodeId(NodeId leaf)>& leaf);

/// For whoever puts other expressions in the place of those of a model: derivatives that an author wrote, as they read
/// from now on.
void rewrite_derivatives(Graph& graph, const std::function<NodeId(NodeId expression)>& rewritten);

/// The same value by relations that make no events: a > b as sign(a - b) == 1, which is exact since differences of
/// distinct numbers do not vanish, and floor(a) as -ceil(-a): of the integer parts only floor makes events. abs, min
/// and max, whose kinks are events, become a*sign(a) and a choice by such a relation.
[[nodiscard]] NodeId without_events(Graph& graph, NodeId expression);
/// Of such relations the ones that make events, whatever stands around them.
[[nodiscard]] NodeId with_events(Graph& graph, NodeId condition);

} // namespace daedalus::expr
