// Machine code for tapes that run routines: straight lines between the routines, each a program of its own on the same
// memory.
#pragma once

#include "tape/program.hpp"

namespace daedalus::tape {

/// nullptr, with the reason in `trouble`, where a straight line cannot be translated.
[[nodiscard]] std::shared_ptr<const Program> make_split_program(Tape tape, InstructionSet set, std::string& trouble);

} // namespace daedalus::tape
