// One run of a random model through the public interface, in a process of its own: crashes and endless loops are
// results like others.
#pragma once

#include "random_model.hpp"

#include <string>

namespace attack {

enum class Verdict {
    right,         ///< within 10 tolerances of the exact solution, with success
    wrong,         ///< farther away, with success: must not happen
    refused_right, ///< not certified although it is right
    refused_wrong, ///< not certified, and indeed wrong
    failed,        ///< an error, or an end before the end time, with a message
    crashed        ///< by a signal, or still running at the limit
};
inline constexpr int verdicts = 6;

struct Setting {
    double rtol = 1e-6;
    std::string method = "auto";
    std::string reduction = "automatic";
};

struct Attempt {
    Verdict verdict = Verdict::failed;
    double error = 0.0;    ///< in tolerances; largest over output points, root mean square over variables
    double residual = 0.0; ///< that its certificate names, in what a tolerance explains
    double seconds = 0.0;
    char message[400] = {};
    char said[80] = {}; ///< codes of warnings that the result may be off
};

/// The setting number `k` for a seed; number 0 leaves everything but the tolerance to the program.
[[nodiscard]] Setting setting(std::uint64_t seed, int k);
[[nodiscard]] std::string command_line(const Setting& setting);
[[nodiscard]] Attempt attempt(const RandomModel& model, const Setting& setting, int seconds);

} // namespace attack
