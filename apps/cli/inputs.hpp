// Inputs of the model from the command line.
#pragma once

#include "commands.hpp"

namespace cli {

/// What --input and --inputs say, as options; the problems with it.
[[nodiscard]] daedalus::Diagnostics read_inputs(const Request& request, daedalus::SolveOptions& options);

} // namespace cli
