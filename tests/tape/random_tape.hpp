// Random tapes for comparing back ends: all operations, reused slots under heavy pressure, values that are special to
// floating-point arithmetic, slots that persist from run to run.
#pragma once

#include "tape/tape.hpp"

#include <random>
#include <vector>

namespace daedalus::tests {

using Random = std::mt19937_64;

struct TapeShape {
    int length = 50;       ///< instructions of the main part
    int temporaries = 20;  ///< slots that results go to: how many values live at once
    double calls = 0.1;    ///< share of function calls
    double strange = 0.02; ///< share of operands that may be a slot not yet written in this part
    bool fused = false;    ///< products on top of sums
};

[[nodiscard]] TapeShape random_shape(Random& random);
[[nodiscard]] tape::Tape random_tape(Random& random, const TapeShape& shape);
/// Every elementary function that tapes call.
[[nodiscard]] const std::vector<tape::Function>& called_functions();
/// Its place among them.
[[nodiscard]] std::uint8_t called_function(std::string_view name);

/// Ordinary numbers, zeros of both signs, denormals, huge ones, infinities, NaN.
[[nodiscard]] double random_value(Random& random);
/// Memory for one run: constants in place, everything else random.
[[nodiscard]] std::vector<double> random_memory(Random& random, const tape::Tape& tape);

} // namespace daedalus::tests
