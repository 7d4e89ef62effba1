// Straight-line tape → steps on registers. Where no register is free, the value that is read furthest in the future
// leaves (Belady 1966), to its own slot in memory if memory does not hold it yet. Pure data: no instruction encoding
// here, so that another processor needs an encoder only.
#pragma once

#include "tape/liveness.hpp"
#include "tape/tape.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace daedalus::tape {

using Register = std::uint8_t;
/// As operand b of a step: the slot in memory.
inline constexpr Register in_memory = 0xff;

enum class Action : std::uint8_t {
    load,       ///< r[d] = w[slot]
    save,       ///< w[slot] = r[a]
    move,       ///< r[d] = r[a]
    store,      ///< out[slot] = r[a]
    store_pair, ///< out[slot] = r[a], out[slot + 1] = r[b], by way of r[scratch]
    operate,    ///< r[d] = code(r[a], r[b] or w[slot]); select: r[a] != 0 ? r[b] : r[c]; products: on top of r[d]
    call,       ///< r[0] = f(r[0]) or f(r[0], r[1]); no register survives
    call_pair,  ///< frame[2·slot] = sin r[0], frame[2·slot + 1] = cos r[0]; no register survives
    frame_load, ///< r[d] = frame[slot]
};

struct Step {
    Action action{};
    Code code = Code::halt;
    Register d = 0, a = 0, b = 0, c = 0;
    Register scratch = 0; ///< for logical operations and select
    std::uint8_t f = 0;
    std::uint32_t slot = 0;
};

struct RegisterFile {
    int registers = 16;
    bool three_operands = true; ///< otherwise the result replaces operand a, and must not be in b's register
};

/// Allocates chunk by chunk; at the borders every value that is still wanted is in its slot.
class RegisterAllocation {
public:
    RegisterAllocation(const Tape& tape, RegisterFile file);
    /// Steps of the chunk of that number; valid until the next call.
    [[nodiscard]] std::vector<Step>& chunk(std::span<const Instruction> part, const PartAnalysis& analysis,
                                           std::size_t number);

private:
    struct Held {
        std::uint32_t slot = 0;
        std::uint32_t next = never; ///< next read
        bool dirty = false;         ///< memory does not hold the value
    };
    using Mask = std::uint32_t;

    void one(const Instruction& i, const NextReads& reads);
    void copy(const Instruction& i, const NextReads& reads);
    void call(const Instruction& i, const NextReads& reads, const SinCos* pair);
    void binary(Code code, std::uint32_t d, std::uint32_t a, std::uint32_t b, const NextReads& reads);
    void accumulate(const Instruction& i, const NextReads& reads);
    void with_registers(const Instruction& i, const NextReads& reads);

    [[nodiscard]] Register take();
    [[nodiscard]] Register furthest() const;
    void save(Register r);
    void release(Register r);
    void hold(Register r, std::uint32_t slot, std::uint32_t next, bool dirty);
    [[nodiscard]] Register in_register(std::uint32_t slot);
    [[nodiscard]] bool worth_loading(std::uint32_t next) const;
    void after_read(std::uint32_t slot, std::uint32_t next);
    void forget(std::uint32_t slot);
    void define(Step step, std::uint32_t d, std::uint32_t next);

    RegisterFile file_;
    std::vector<Register> where_; ///< by slot; in_memory: in none
    std::vector<Held> held_;
    Mask free_ = 0, pinned_ = 0;
    std::uint32_t end_ = 0; ///< of the chunk
    std::vector<Step> steps_;
};

} // namespace daedalus::tape
