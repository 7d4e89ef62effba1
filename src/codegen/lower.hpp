// Expressions → tape: shared subexpressions once, integer powers as products, slots reused after the last use,
// parts that depend on parameters only (and, if asked, on time only) moved out of the way.
#pragma once

#include "expr/graph.hpp"
#include "tape/tape.hpp"

#include <span>
#include <vector>

namespace daedalus::codegen {

/// Input segments: leaves in the order in which the caller will pass their values. Segment 0 holds the parameters.
using Segments = std::vector<std::vector<expr::NodeId>>;

/// Which values are kept from one run to the next.
enum class Hold {
    parameters,         ///< those of parameters only: in the tape's static part
    parameters_and_time ///< also those of time only: in its time part, to be run when time or parameters change
};

/// The i-th output of the tape is outputs[i]. Every leaf below the outputs must be in a segment. Outputs of one group
/// (a residual and its row of the Jacobian) are computed together, so that what they share stays in registers; without
/// groups, in their order.
[[nodiscard]] tape::Tape lower(const expr::Graph& graph, const Segments& segments,
                               std::span<const expr::NodeId> outputs, Hold hold = Hold::parameters,
                               std::span<const std::uint32_t> groups = {});

} // namespace daedalus::codegen
