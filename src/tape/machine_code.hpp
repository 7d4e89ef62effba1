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

/// Slots that are read elsewhere than in w: slot `first` + k at `displacement` from one of three bases that every run
/// is given (in batches a vector of neighbours), or in w where the displacement is `inside`. Such slots are never
/// written.
struct Outside {
    static constexpr std::size_t bases = 3;
    static constexpr std::int32_t inside = std::numeric_limits<std::int32_t>::min();
    struct Place {
        std::int32_t displacement = inside; ///< in doubles
        std::uint8_t base = 0;
    };
    std::uint32_t first = 0;
    std::vector<Place> places;
};

/// The two parts as chains of functions, run in order.
struct MachineCode {
    using Chunk = void (*)(double* w, double* out, const double* base0, const double* base1, const double* base2);
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
