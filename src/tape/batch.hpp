// One tape evaluated for several instances at once, for ensembles and parameter sweeps: vector instructions where the
// processor has them. Arithmetic gives the bits of the scalar back ends; elementary functions come from libmvec and may
// differ by up to 4 ulp.
//
// Memory is slot-major: w[slot·width + lane], out[k·width + lane]. Both may lie anywhere, but aligned to cache lines
// (AlignedMemory) they run faster.
#pragma once

#include "tape/aligned_memory.hpp"
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
    void run_main(double* w, double* out) const {
        if (whole_ != nullptr) // as in Program
            whole_(w, out, nullptr, nullptr, nullptr);
        else
            run_main_part(w, out);
    }
    /// "interpreter", or the instruction set of the machine code.
    [[nodiscard]] virtual std::string_view name() const = 0;
    [[nodiscard]] int width() const { return width_; }
    /// Memory with the constants in every lane.
    [[nodiscard]] AlignedMemory memory() const;

protected:
    BatchProgram(const Tape& tape, int width);
    virtual void run_main_part(double* w, double* out) const = 0;
    /// The main part, where it is one function.
    void (*whole_)(double* w, double* out, const double*, const double*, const double*) = nullptr;

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
