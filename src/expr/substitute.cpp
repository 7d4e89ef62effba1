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

} // namespace daedalus::expr
