// Pivots and programs of straight-line LU, remembered: integrations of one problem, repeated or with other parameters,
// meet the same patterns and mostly the same matrices at the start, and Radau's complex matrices mostly share an order.
//
// A program is determined by pattern, samples and back end alone, so that what is found here is what would have been
// made: results do not depend on what ran before. Small programs only, and only so many; the oldest make room.
#pragma once

#include "linalg/backward_error.hpp"
#include "linalg/elimination_tape.hpp"
#include "tape/aligned_memory.hpp"
#include "tape/program.hpp"

#include <memory>
#include <span>
#include <vector>

namespace daedalus::linalg {

struct EliminationProgram {
    FactorLayout layout;
    std::size_t operations = 0;
    std::shared_ptr<const tape::Program> factor, solve;
    tape::AlignedMemory memory;   ///< of both, as the first run finds it: constants in their places
    BackwardError backward_error; ///< of the pattern
    std::vector<char> real;       ///< per entry of a complex pattern: its imaginary part is absent in all samples
};

struct OrderedProgram {
    OrderStatus status = OrderStatus::no_pivot;
    std::shared_ptr<const EliminationProgram> program; ///< if ok
};

/// `samples`: values of equilibrated matrices on the pattern, at least one. Threads may call it at once.
template <class Scalar>
[[nodiscard]] OrderedProgram elimination_program(const SparsityPattern& pattern,
                                                 std::span<const std::vector<Scalar>> samples,
                                                 double most_multiplications);

extern template OrderedProgram elimination_program(const SparsityPattern&, std::span<const std::vector<double>>,
                                                   double);
extern template OrderedProgram elimination_program(const SparsityPattern&,
                                                   std::span<const std::vector<std::complex<double>>>, double);

} // namespace daedalus::linalg
