// Equations of equal shape, compiled once. Ladders, discretised partial differential equations and arrays are
// thousands of equations that differ only in which variables, parameters and constants they touch. Each shape becomes
// a Loop; what is left becomes straight-line code.
//
// Nodes are divided into clusters. All outputs of one group (say a residual and its row of the Jacobian) form a cluster
// with everything that only they use. A subexpression that several clusters use is a cluster of its own whose value
// is kept in memory, so that no sharing is lost; only where it is cheaper to compute it again than to store and gather
// it is it computed in every cluster. Clusters are levelled (a level reads values of lower levels only), and
// clusters of one level with the same code up to the addresses of operands are the instances of a loop.
#pragma once

#include "codegen/loop.hpp"
#include "codegen/lower.hpp"

#include <optional>
#include <utility>

namespace daedalus::codegen {

struct LoopedTape {
    /// Everything before the stages: constants, inputs, static and time parts, memory. Its main part is empty.
    tape::Tape tape;
    std::uint32_t values_begin = 0; ///< where values that stages hand on begin in w
    struct Stage {
        tape::Tape rest; ///< straight-line; its outputs are w + values_begin. May be empty.
        std::vector<Loop> loops;
    };
    std::vector<Stage> stages;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> copies; ///< at the end out[first] = w[second]

    [[nodiscard]] std::size_t instructions() const; ///< what a run executes, loops counted once per instance
    [[nodiscard]] std::size_t stored() const;       ///< instructions kept in memory
};

/// `group[k]`: the group of output k (empty: each output for itself). Nothing if there is too little to gain.
[[nodiscard]] std::optional<LoopedTape> lower_repeated(const expr::Graph& graph, const Segments& segments,
                                                       std::span<const expr::NodeId> outputs,
                                                       std::span<const std::uint32_t> group, Hold hold);

} // namespace daedalus::codegen
