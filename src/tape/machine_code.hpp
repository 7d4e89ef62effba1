// Machine code of a tape for x86-64: scalar, bit for bit the results of the interpreter, or of `width` instances at
// once. Operands keep their order, so that even the payloads of NaNs agree.
#pragma once

#include "tape/cpu_features.hpp"
#include "tape/executable_memory.hpp"
#include "tape/tape.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace daedalus::tape {

/// Slots that a stream reads elsewhere: slot `first` + k is read from base[displacement[k]], a vector of neighbours, or
/// from w where the displacement is `inside`. Such slots are never written.
struct Outside {
    static constexpr std::int32_t inside = std::numeric_limits<std::int32_t>::min();
    std::uint32_t first = 0;
    std::vector<std::int32_t> displacement; ///< in doubles
};

/// The two parts as chains of functions, run in order. `base` is read by streams only.
struct MachineCode {
    using Chunk = void (*)(double* w, double* out, const double* base);
    ExecutableMemory memory;
    std::vector<Chunk> static_part, main_part;
    std::size_t bytes = 0;
};

/// Instructions per function: borders cost a few saves and loads each, and what is known about a chunk stays in cache.
inline constexpr std::uint32_t default_chunk = 16384;

/// nullopt, with the reason in `trouble`, where it cannot be made. width: 1, or the set's batch_width.
[[nodiscard]] std::optional<MachineCode> compile_tape(const Tape& tape, InstructionSet set, int width,
                                                      std::string& trouble, std::uint32_t chunk = default_chunk,
                                                      const Outside& outside = {});

} // namespace daedalus::tape
