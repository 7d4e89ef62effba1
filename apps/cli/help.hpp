// The texts of --help beyond the list of flags: purpose, examples that can be pasted, exit codes.
#pragma once

#include "commands.hpp"

#include <string>

namespace cli {

[[nodiscard]] const char* purpose(Command command);
/// Examples with the program called as the user calls it, and the exit codes.
[[nodiscard]] std::string footer(Command command, const std::string& program);

} // namespace cli
