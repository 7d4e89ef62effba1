// A batch whose inputs are not gathered: neighbouring instances read neighbouring numbers, so that an operand of a
// vector of instances is a vector in memory, at a fixed distance from a base that moves along. What loops over stencils
// written by hand amount to.
#pragma once

#include "tape/machine_code.hpp"
#include "tape/program.hpp"

#include <memory>

namespace daedalus::tape {

class StreamProgram {
public:
    StreamProgram(MachineCode code, int width) : code_(std::move(code)), width_(width) {}
    [[nodiscard]] int width() const { return width_; }
    /// w and out as for batches.
    void run_main(double* w, double* out, const double* base) const {
        code_.main_part.front()(w, out, base, nullptr, nullptr);
    }

private:
    MachineCode code_;
    int width_;
};

/// As wide as the processor allows; nullptr where there is no machine code for vectors.
[[nodiscard]] std::shared_ptr<const StreamProgram> make_stream_program(const Tape& tape, const Outside& outside,
                                                                       Backend backend);

} // namespace daedalus::tape
