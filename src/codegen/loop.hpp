// A short tape run once per instance over gathered operands: what thousands of equations of equal shape become.
//
// Instances are processed in blocks of `lanes`: each instruction of the body is done for a whole block before the next
// one is looked at, so that its decoding costs next to nothing and the arithmetic runs in vector registers. Every lane
// rounds as the scalar interpreter does: results are the same, bit for bit. (A back end that makes vector code of
// tapes can take the place of run_loop; the data are laid out for it.)
#pragma once

#include "tape/tape.hpp"

#include <cstdint>
#include <vector>

namespace daedalus::codegen {

struct Loop {
    static constexpr std::uint32_t lanes = 32;

    /// An operand of the body for instance i: w[first] (uniform), w[first + i] (contiguous) or w[index[i]].
    struct Operand {
        enum class Kind : std::uint8_t { uniform, contiguous, gathered } kind = Kind::gathered;
        std::uint32_t first = 0;
        std::vector<std::uint32_t> index;
    };
    /// A result of the body for instance i goes to index[i] of w or of the outputs.
    struct Result {
        std::vector<std::uint32_t> index;
    };

    std::uint32_t count = 0; ///< instances
    bool to_outputs = false; ///< results are outputs of the kernel, else values in w that later stages read
    tape::Tape body;         ///< memory: [constants | operands | temporaries]; only its main part is used
    std::vector<Operand> operands;
    std::vector<Result> results;

    /// Doubles that run_loop needs as scratch.
    [[nodiscard]] std::size_t scratch() const { return std::size_t{body.memory} * lanes; }
};

void run_loop(const Loop& loop, double* w, double* out, double* scratch);

} // namespace daedalus::codegen
