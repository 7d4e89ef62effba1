// Sparse symbolic Jacobian of a list of residuals, row by row in reverse mode.
#pragma once

#include "expr/differentiate.hpp"

#include <span>
#include <vector>

namespace daedalus::transform {

struct JacobianEntry {
    int row = 0;
    expr::NodeId leaf = expr::no_node; ///< the variable (with its order) that is differentiated by
    expr::NodeId value = expr::no_node;
};

/// Non-zero entries, by row, then leaf.
[[nodiscard]] std::vector<JacobianEntry> jacobian(expr::Graph& graph, std::span<const expr::NodeId> residuals);

} // namespace daedalus::transform
