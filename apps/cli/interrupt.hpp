// Ctrl-C and SIGTERM: the first asks the solve to end with what it has, the second ends the program.
#pragma once

#include <atomic>

namespace cli {

/// Installs the handlers; the flag is set by the first signal.
[[nodiscard]] const std::atomic<bool>& catch_interrupts();

} // namespace cli
