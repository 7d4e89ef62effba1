// Runs a tape: the portable back end, and the oracle for every other.
#pragma once

#include "codegen/tape.hpp"

#include <span>

namespace daedalus::codegen {

/// Runs instructions until `halt`. `w` is the tape's memory, `out` its outputs.
void interpret(std::span<const Instruction> instructions, double* w, double* out);

} // namespace daedalus::codegen
