// Runs a tape: the portable back end, and the oracle for every other.
#pragma once

#include "tape/tape.hpp"

#include <span>

namespace daedalus::tape {

/// Runs instructions until `halt`. `w` is the tape's memory, `out` its outputs.
void interpret(std::span<const Instruction> instructions, std::span<const Function> functions, double* w, double* out);

} // namespace daedalus::tape
