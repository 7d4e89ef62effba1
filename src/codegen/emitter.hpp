// One expression node → instructions: integer powers as products, relations without their mirrored forms, elementary
// functions as calls. Keeps the pool of constants and the slots that are free again.
#pragma once

#include "expr/graph.hpp"
#include "tape/tape.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace daedalus::codegen {

/// The exponent of a power that becomes a product.
[[nodiscard]] std::optional<int> integer_exponent(const expr::Graph& graph, expr::NodeId exponent);

/// Whether the operation becomes the call of a function.
[[nodiscard]] bool is_called(const expr::Graph& g, expr::NodeId node);

class Emitter {
public:
    /// Writes into `tape`, whose constants it fills.
    Emitter(const expr::Graph& graph, tape::Tape& tape) : g_(graph), tape_(tape) {}

    /// Slot of a constant. All constants must be known before the first slot behind them is handed out.
    std::uint32_t constant(double value);
    /// Where the following instructions go.
    void write_to(std::vector<tape::Instruction>& code) { code_ = &code; }
    void emit(tape::Code c, std::uint32_t d, std::uint32_t a, std::uint32_t b = 0) {
        code_->push_back({c, 0, d, a, b});
    }
    /// w[d] = node, from the slots s of its operands. d must differ from the slots of operands.
    void operation(expr::NodeId node, std::uint32_t d, const std::uint32_t* s);

    /// w[d] = a call; `operand` gives the slot of operand k. Calls of a routine on the same operands run it once.
    void routine(expr::NodeId node, std::uint32_t d, const std::function<std::uint32_t(int k)>& operand);

    /// The next slot that nobody has used.
    std::uint32_t next_slot = 0;
    std::uint32_t take();
    void release(std::uint32_t slot) { free_.push_back(slot); }
    void forget_free_slots() { free_.clear(); }

private:
    void call(expr::Op op, std::uint32_t d, const std::uint32_t* operands);
    void power(std::uint32_t d, std::uint32_t x, int n);

    const expr::Graph& g_;
    tape::Tape& tape_;
    std::vector<tape::Instruction>* code_ = nullptr;
    std::unordered_map<std::uint64_t, std::uint32_t> constant_slot_; ///< by bits
    std::array<int, expr::op_count> called_{};                       ///< one more than the index in tape.functions
    std::vector<std::uint32_t> free_;
    std::map<std::pair<const expr::Routine*, std::vector<expr::NodeId>>, std::uint32_t> results_; ///< first slot
};

} // namespace daedalus::codegen
