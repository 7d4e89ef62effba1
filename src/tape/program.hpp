// A tape made ready to run: the seam between those who write tapes (expressions, eliminations) and the back ends.
// A program is immutable and shared; the memory w belongs to the caller, so that threads may run one program.
#pragma once

#include "tape/cpu_features.hpp"
#include "tape/tape.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace daedalus::tape {

enum class Backend {
    automatic,    ///< machine code where the processor and the system allow it, otherwise the interpreter
    interpreter,  ///< portable, nothing to prepare: for what runs a few times
    machine_code, ///< as automatic, whatever the process-wide setting says
};

class Program {
public:
    virtual ~Program() = default;
    /// The part that depends on parameters only.
    virtual void run_static(double* w, double* out) const = 0;
    void run_main(double* w, double* out) const {
        if (whole_ != nullptr) // a short tape takes no longer than a virtual call
            whole_(w, out, nullptr);
        else
            run_main_part(w, out);
    }
    /// "interpreter", or the instruction set of the machine code.
    [[nodiscard]] virtual std::string_view name() const = 0;

protected:
    virtual void run_main_part(double* w, double* out) const = 0;
    void (*whole_)(double* w, double* out, const double* base) = nullptr; ///< the main part, where it is one function
};

/// Never fails: where no machine code can be made, the interpreter runs the tape and machine_code_trouble() says why.
[[nodiscard]] std::shared_ptr<const Program> make_program(Tape tape, Backend backend = Backend::automatic);

[[nodiscard]] std::shared_ptr<const Program> make_interpreter(Tape tape);
/// For one instruction set (scalar code gains nothing beyond AVX but fused products); nullptr with the reason in
/// `trouble`.
[[nodiscard]] std::shared_ptr<const Program> make_machine_code(const Tape& tape, InstructionSet set,
                                                               std::string& trouble);

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
