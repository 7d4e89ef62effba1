// Machine code of a tape for x86-64: scalar, bit for bit the results of the interpreter, or of `width` instances at
// once. Operands keep their order, so that even the payloads of NaNs agree.
#pragma once

#include "tape/cpu_features.hpp"
#include "tape/executable_memory.hpp"
#include "tape/tape.hpp"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::tape {

/// The two parts as chains of functions, run in order.
struct MachineCode {
    using Chunk = void (*)(double* w, double* out);
    ExecutableMemory memory;
    std::vector<Chunk> static_part, main_part;
    std::size_t bytes = 0;
};

/// Instructions per function: borders cost a few saves and loads each, and what is known about a chunk stays in cache.
inline constexpr std::uint32_t default_chunk = 16384;

/// nullopt, with the reason in `trouble`, where it cannot be made. width: 1, or the set's batch_width.
[[nodiscard]] std::optional<MachineCode> compile_tape(const Tape& tape, InstructionSet set, int width,
                                                      std::string& trouble, std::uint32_t chunk = default_chunk);

} // namespace daedalus::tape
