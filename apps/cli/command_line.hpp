// From arguments to a request. The only place that knows the argument parser.
#pragma once

#include "commands.hpp"

#include <optional>

namespace cli {

/// Fills `request`, or answers at once (help, version, wrong usage) with an exit code.
[[nodiscard]] std::optional<ExitCode> parse(int argc, const char* const* argv, Request& request);

} // namespace cli
