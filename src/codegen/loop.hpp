// A short tape run once per instance over gathered operands: what thousands of equations of equal shape become.
//
// Instances are processed in blocks of `lanes`. Where there is machine code for the body, it computes four or eight
// instances at once; otherwise each instruction is done for a whole block before the next one is looked at, so that
// its decoding costs next to nothing. Where neighbouring instances read neighbouring numbers (stencils), nothing is
// gathered: vectors of operands are read where they lie. Every lane rounds as the scalar interpreter does: results are
// the same, bit for bit, and functions are called one by one for that reason.
#pragma once

#include "tape/batch.hpp"
#include "tape/stream.hpp"
#include "tape/tape.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace daedalus::codegen {

struct Loop {
    static constexpr std::uint32_t lanes = 32;

    /// An operand of the body for instance i: w[first] (uniform), w[first + i] (contiguous) or w[index[i]].
    struct Operand {
        enum class Kind : std::uint8_t { uniform, contiguous, gathered } kind = Kind::gathered;
        std::uint32_t first = 0;
        std::vector<std::uint32_t> index;
        [[nodiscard]] std::uint32_t of(std::uint32_t instance) const {
            return kind == Kind::gathered ? index[instance] : kind == Kind::contiguous ? first + instance : first;
        }
    };
    /// A result of the body for instance i goes to index[i] of w or of the outputs.
    struct Result {
        std::vector<std::uint32_t> index;
        std::uint32_t stride = 0; ///< within a run
    };
    /// Instances whose operands lie side by side, at the same distances from each other as in every other run, and
    /// whose results advance by their strides.
    struct Run {
        std::uint32_t begin = 0, count = 0;
    };

    std::uint32_t count = 0; ///< instances
    bool to_outputs = false; ///< results are outputs of the kernel, else values in w that later stages read
    tape::Tape body;         ///< memory: [constants | operands | temporaries]; only its main part is used
    std::vector<Operand> operands;
    std::vector<Result> results;
    std::shared_ptr<const tape::BatchProgram> code;    ///< of the body; missing: interpreted
    std::shared_ptr<const tape::StreamProgram> stream; ///< of the body, for runs; may be missing
    std::vector<Run> runs;
    std::size_t reference = 0; ///< the operand from which a stream counts

    /// Doubles that run_loop needs as scratch: the body's memory and results for a block.
    [[nodiscard]] std::size_t scratch() const { return (std::size_t{body.memory} + results.size()) * lanes; }
};

/// Machine code for the body, where it can be had.
void compile_loop(Loop& loop, tape::Backend backend);

void run_loop(const Loop& loop, double* w, double* out, double* scratch);

} // namespace daedalus::codegen
