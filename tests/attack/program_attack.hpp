// Attacks on the program from outside: mutated models, matrices and checkpoints, random command lines, kills, and many
// threads on one compiled model. Whatever happens, the program ends by itself with a documented exit code, says why it
// failed, and does not lose or change a result.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace attack {

struct ProgramCounts {
    std::string kind;
    long runs = 0;
    long successes = 0;
    long refusals = 0;     ///< with a documented exit code and a message
    long signals = 0;      ///< ended by a signal that nobody sent
    long hangs = 0;        ///< did not end within the limit
    long wrong = 0;        ///< a result that is not that of the undisturbed run
    long undocumented = 0; ///< exit codes, failures without a message, internal errors
    [[nodiscard]] long unacceptable() const { return signals + hangs + wrong + undocumented; }
};

/// models, commands, matrices, checkpoints, kills, threads
[[nodiscard]] const std::vector<std::string>& program_kinds();

/// `runs` attacks of one kind; `program` is the path of the command line tool, `examples` a folder of models. Prints
/// each command that was not taken well. The same seed gives the same attacks.
[[nodiscard]] ProgramCounts attack_program(const std::string& kind, std::uint64_t seed, long runs, int seconds,
                                           const std::string& program, const std::string& examples);

} // namespace attack
