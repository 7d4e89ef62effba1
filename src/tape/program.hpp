// A tape made ready to run: the seam between those who write tapes (expressions, eliminations) and the back ends.
// A program is immutable and shared; the memory w belongs to the caller, so that threads may run one program.
#pragma once

#include "tape/tape.hpp"

#include <memory>

namespace daedalus::tape {

class Program {
public:
    virtual ~Program() = default;
    /// The part that depends on parameters only.
    virtual void run_static(double* w, double* out) const = 0;
    virtual void run_main(double* w, double* out) const = 0;
};

[[nodiscard]] std::shared_ptr<const Program> make_interpreter(Tape tape);

} // namespace daedalus::tape
