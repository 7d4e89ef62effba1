// One tape evaluated for several instances at once, for ensembles and parameter sweeps: vector instructions where the
// processor has them. Arithmetic gives the bits of the scalar back ends; elementary functions come from libmvec and may
// differ by up to 4 ulp.
//
// Memory is slot-major: w[slot·width + lane], out[k·width + lane].
#pragma once

#include "tape/program.hpp"
#include "tape/tape.hpp"

#include <memory>
#include <string_view>
#include <vector>

namespace daedalus::tape {

class BatchProgram {
public:
    virtual ~BatchProgram() = default;
    virtual void run_static(double* w, double* out) const = 0;
    virtual void run_main(double* w, double* out) const = 0;
    /// "interpreter", or the instruction set of the machine code.
    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] int width() const { return width_; }
    /// Memory with the constants in every lane.
    [[nodiscard]] std::vector<double> memory() const;

protected:
    BatchProgram(const Tape& tape, int width);

private:
    int width_;
    std::uint32_t slots_;
    std::vector<double> constants_;
};

/// As wide as the processor allows: 8 (AVX-512F), 4 (AVX2, and portable code). `most` limits the instruction set, and
/// with it the width.
[[nodiscard]] std::shared_ptr<const BatchProgram> make_batch_program(Tape tape, Backend backend = Backend::automatic,
                                                                     InstructionSet most = InstructionSet::avx512);

} // namespace daedalus::tape
