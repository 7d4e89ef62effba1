// Is the system that an explicit method solves at each stage linear?
//
// Leading unknowns are those that nothing integrates: derivatives x_j^(d_j) at the ends of chains, x' of other
// differential unknowns, and unknowns without derivative. The most differentiated rows determine them from everything
// else (the underlying ordinary differential equation), and in mechanics, where accelerations and multipliers enter
// linearly, by one linear system.
#pragma once

#include "base/sparsity_pattern.hpp"
#include "codegen/kernel.hpp"
#include "transform/formulation.hpp"

#include <span>
#include <vector>

namespace daedalus::compile {

struct LeadingPart {
    bool linear = false;
    std::vector<int> rows; ///< the most differentiated ones
    std::vector<int> entries; ///< of their matrix by leading unknowns: k < nonzeros of ∂F/∂x, nonzeros + k of ∂F/∂x'
};

/// `entries`: ∂F/∂x of all rows on the pattern, then ∂F/∂x'; `x` and `dx`: the leaves of unknowns and derivatives.
[[nodiscard]] LeadingPart find_leading_part(const expr::Graph& graph, const transform::Formulation& formulation,
                                            const SparsityPattern& pattern, std::span<const expr::NodeId> entries,
                                            std::span<const expr::NodeId> x, std::span<const expr::NodeId> dx);

} // namespace daedalus::compile
