// What the program tells the shell. Documented in --help and docs/getting_started.md; scripts rely on it.
#pragma once

#include "daedalus/diagnostic.hpp"

#include <string>

namespace cli {

enum class ExitCode {
    success = 0,
    numerical_failure = 1,
    usage = 2,
    model = 3,
    structure = 4,
    initial_values = 5,
    output = 6,
    interrupted = 7,
    internal = 70 ///< EX_SOFTWARE of sysexits.h
};

/// By the code of the first error.
[[nodiscard]] ExitCode exit_code(const daedalus::Diagnostics& diagnostics);

/// The table, one code per line, for --help.
[[nodiscard]] std::string exit_code_help();

} // namespace cli
