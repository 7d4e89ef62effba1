// Runs a tape: the portable back end, and the oracle for every other. On doubles, and on any scalar that has the four
// operations, comparisons and the functions below (quadruple precision here; a scalar with another notion of them adds
// an instantiation).
#pragma once

#include "tape/elementary.hpp"
#include "tape/tape.hpp"

#include <span>
#include <vector>

namespace daedalus::tape {

/// Runs instructions until `halt`. `w` is the tape's memory, `out` its outputs.
template <class Scalar, class CalledFunction>
void interpret(std::span<const Instruction> instructions, std::span<const CalledFunction> functions, Scalar* w,
               Scalar* out, std::span<const Routine> routines = {});

extern template void interpret(std::span<const Instruction>, std::span<const Function>, double*, double*,
                               std::span<const Routine>);
extern template void interpret(std::span<const Instruction>, std::span<const Callable<Quad>>, Quad*, Quad*,
                               std::span<const Routine>);

/// w[d], … = routine(w at its operands), in memory with `width` values per slot, of which w points at the first slot's.
void run_routine(const Routine& routine, double* w, std::uint32_t d, std::size_t width = 1);

/// A tape on quadruple precision, for references: 33 digits, about a hundred times slower. A function whose name is
/// unknown in elementary.hpp makes it unusable.
class QuadInterpreter {
public:
    explicit QuadInterpreter(Tape tape);
    /// Whether every function of the tape has a quadruple form.
    [[nodiscard]] bool usable() const { return usable_; }
    /// Memory with the constants in place.
    [[nodiscard]] std::vector<Quad> memory() const;
    void run_static(Quad* w, Quad* out) const;
    void run_main(Quad* w, Quad* out) const;

private:
    Tape tape_;
    std::vector<Callable<Quad>> functions_;
    bool usable_ = true;
};

} // namespace daedalus::tape
