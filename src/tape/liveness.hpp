// When each value of a straight-line part is read next: what register allocation goes by.
//
// A value is a slot between two writes of it, so that reused slots need no renaming: a value's home in memory is its
// own slot, and no other value can want that home while it lives. Instructions whose results nobody reads are dead.
#pragma once

#include "tape/tape.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace daedalus::tape {

/// The value is not read again.
inline constexpr std::uint32_t never = 0xffffffffU;

/// Per instruction: the position of the next read of its result and of its operands' values after it. The length of
/// the part stands for "read after this part".
struct NextReads {
    std::uint32_t d = never, a = never, b = never;
    bool dead = true;
};

/// sin and cos of the same value, which one call computes together. Glibc's sincos gives the same bits as its sin and
/// cos.
struct SinCos {
    std::int32_t pair = -1; ///< number of the pair in its chunk; -1: no pair
    bool second = false;    ///< computed by an earlier instruction
    bool cosine = false;
    bool wanted = false; ///< of the first: the second is alive
};

struct PartAnalysis {
    std::uint32_t length = 0; ///< without halt
    std::vector<NextReads> reads;
    std::vector<SinCos> sincos;             ///< empty where the part has no pair
    std::vector<std::uint32_t> chunk_begin; ///< and the end of the last
    std::vector<std::uint32_t> chunk_pairs; ///< pairs of sin and cos in each chunk
};

/// Slots that `tape` reads before it writes them, and those kept: they must be in memory after every part.
[[nodiscard]] std::vector<char> persistent_slots(const Tape& tape);

/// `chunk` instructions are compiled as one function.
[[nodiscard]] PartAnalysis analyze_part(const Tape& tape, std::span<const Instruction> part,
                                        const std::vector<char>& persistent, std::uint32_t chunk, bool pair_sincos);

/// How many slots an instruction reads, and which.
[[nodiscard]] inline int operand_count(Code code) {
    switch (code) {
    case Code::halt: return 0;
    case Code::copy:
    case Code::store:
    case Code::neg:
    case Code::sqrt:
    case Code::abs:
    case Code::logical_not:
    case Code::call1: return 1;
    default: return 2; // some also read their destination
    }
}

} // namespace daedalus::tape
