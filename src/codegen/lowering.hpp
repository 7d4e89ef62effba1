// What lowering to one tape and lowering to loops have in common: nodes in an order in which operands come first, what
// each depends on, where it lives in memory, and straight-line code for any part of them.
#pragma once

#include "codegen/emitter.hpp"
#include "codegen/lower.hpp"

#include <span>
#include <utility>
#include <vector>

namespace daedalus::codegen {

/// What a value depends on, and so when it must be computed again.
enum class Phase : std::uint8_t { parameters, time, main };

class Lowering {
public:
    /// `order`: all nodes below the outputs, operands first. Numbers constants and inputs; every node gets its phase.
    Lowering(const expr::Graph& graph, const Segments& segments, std::vector<expr::NodeId> order, std::size_t outputs,
             Hold hold);

    [[nodiscard]] std::size_t size() const { return order_.size(); }
    [[nodiscard]] expr::NodeId node(std::size_t position) const { return order_[position]; }
    [[nodiscard]] std::uint32_t position(expr::NodeId id) const { return position_of_[expr::index(id)]; }
    [[nodiscard]] Phase phase(std::size_t position) const { return phase_[position]; }
    /// An operation of the main phase: what code is written for.
    [[nodiscard]] bool is_work(std::size_t position) const {
        return phase_[position] == Phase::main && !expr::is_leaf(graph.op(order_[position]));
    }

    /// Static part and time part; their values keep their slots.
    void lower_held();

    /// Result `at` (an index into `nodes`) also goes to out[to].
    struct Store {
        std::uint32_t at;
        std::uint32_t to;
        friend auto operator<=>(const Store&, const Store&) = default;
    };
    /// Straight-line code for the work among `nodes` (operands first), appended to `code` without halt. Stores must be
    /// ascending. Operands that are not among the nodes are read from `slot` and kept.
    void lower_nodes(Emitter& emitter, std::span<const std::uint32_t> nodes, std::span<const Store> stores,
                     std::vector<tape::Instruction>& code);

    const expr::Graph& graph;
    tape::Tape tape;
    Emitter emitter;
    std::vector<std::uint32_t> slot; ///< by position

private:
    void number_inputs(const Segments& segments);
    void find_phases(Hold hold);
    /// Into its slot.
    void lower_node(Emitter& e, std::size_t i);

    std::vector<expr::NodeId> order_;
    std::vector<std::uint32_t> position_of_; ///< by node
    std::vector<Phase> phase_;
    std::vector<std::uint32_t> uses_; ///< remaining uses in the part that is being lowered
    std::vector<std::uint32_t> part_; ///< in which part a node was lowered last
    std::uint32_t parts_ = 0;
};

} // namespace daedalus::codegen
