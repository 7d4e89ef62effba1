// A tape made ready to run: the seam between those who write tapes (expressions, eliminations) and the back ends.
// A program is immutable and shared; the memory w belongs to the caller, so that threads may run one program.
#pragma once

#include "tape/cpu_features.hpp"
#include "tape/tape.hpp"

#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace daedalus::tape {

enum class Backend {
    automatic,    ///< machine code where the processor and the system allow it, otherwise the interpreter
    interpreter,  ///< portable, nothing to prepare: for what runs a few times
    machine_code, ///< as automatic, whatever the process-wide setting says
};

/// Where the segments of inputs behind the first, the parameters, are when the main part runs.
enum class Inputs {
    in_memory, ///< in w
    outside,   ///< wherever they are, by pointers: nothing is copied. At most three segments
};
using InputPointers = std::array<const double*, 3>;

class Program {
public:
    virtual ~Program() = default;
    /// The part that depends on parameters only.
    virtual void run_static(double* w, double* out) const = 0;
    void run_main(double* w, double* out) const { run_main(w, out, {}); }
    /// `inputs` are looked at only if reads_outside(). They must not overlap with `out`, unless the tape stores an
    /// output only after the last read of the input in its place.
    void run_main(double* w, double* out, const InputPointers& inputs) const {
        if (whole_ != nullptr) // a short tape takes no longer than a virtual call
            whole_(w, out, inputs[0], inputs[1], inputs[2]);
        else
            run_main_part(w, out, inputs);
    }
    /// Otherwise inputs must be in w, whatever was asked for.
    [[nodiscard]] bool reads_outside() const { return reads_outside_; }
    /// "interpreter", or the instruction set of the machine code.
    [[nodiscard]] virtual std::string_view name() const = 0;

protected:
    virtual void run_main_part(double* w, double* out, const InputPointers& inputs) const = 0;
    /// The main part, where it is one function.
    void (*whole_)(double* w, double* out, const double*, const double*, const double*) = nullptr;
    bool reads_outside_ = false;
};

/// Never fails: where no machine code can be made, the interpreter runs the tape and machine_code_trouble() says why.
[[nodiscard]] std::shared_ptr<const Program> make_program(Tape tape, Backend backend = Backend::automatic,
                                                          Inputs inputs = Inputs::in_memory);

[[nodiscard]] std::shared_ptr<const Program> make_interpreter(Tape tape);
/// For one instruction set (scalar code gains nothing beyond AVX but fused products); nullptr with the reason in
/// `trouble`.
[[nodiscard]] std::shared_ptr<const Program> make_machine_code(const Tape& tape, InstructionSet set,
                                                               std::string& trouble, Inputs inputs = Inputs::in_memory);

/// Process-wide: whether Backend::automatic may choose machine code. The environment variable DAEDALUS_NO_JIT, set and
/// not "0", denies it from the start.
void allow_machine_code(bool allowed);
[[nodiscard]] bool machine_code_allowed();

/// Why machine code was asked for and could not be had, e.g. because the system forbids executable memory; empty if
/// that has not happened in this process. For the one warning that users see.
[[nodiscard]] std::string machine_code_trouble();
/// For back ends: the first trouble is kept.
void note_machine_code_trouble(const std::string& trouble);

} // namespace daedalus::tape
