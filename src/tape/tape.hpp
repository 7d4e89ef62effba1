// A straight-line program on an array of doubles: what expressions and eliminations are lowered to, and what back
// ends start from. The interpreter runs it everywhere and is the oracle; a machine-code back end translates the same
// tape.
//
// Memory w: [ constants | inputs, segment by segment | static values | temporaries ]. Static values depend on
// parameters only; their part of the tape runs when parameters change. Values of time only are held likewise; their
// part runs when time changes, as the static part of a program of its own on the same memory.
//
// After a run, memory holds what the tape reads before it writes (inputs, static values) and the slots named in `kept`.
// Every other slot is a temporary: back ends hold it in a register and need not write it. Outputs leave by `store`;
// they may lie in w where the same run neither reads nor writes. Nothing traps: NaN and infinities are data.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace daedalus::tape {

enum class Code : std::uint8_t {
    copy,  ///< w[d] = w[a]
    store, ///< out[d] = w[a]
    neg,
    add,
    sub,
    mul,
    div,
    sqrt,
    abs,
    min,
    max,
    lt,
    le,
    eq,
    ne,
    logical_and,
    logical_or,
    logical_not,
    select,      ///< w[d] = w[a] != 0 ? w[b] : w[d]
    add_product, ///< w[d] = w[d] + w[a] w[b], rounded once
    sub_product, ///< w[d] = w[d] - w[a] w[b], rounded once
    call1,       ///< w[d] = function[f](w[a])
    call2,       ///< w[d] = function[f](w[a], w[b])
    routine,     ///< w[d], w[d + 1], … = routines[a](w at its operands)
    halt
};

/// Whether the old value of w[d] is an operand.
[[nodiscard]] constexpr bool reads_destination(Code code) {
    return code == Code::select || code == Code::add_product || code == Code::sub_product;
}

struct Instruction {
    Code code = Code::halt;
    std::uint8_t f = 0; ///< the called function: an index into Tape::functions
    std::uint32_t d = 0, a = 0, b = 0;
};

using Quad = __float128;

/// A function of one argument or of two on some scalar.
template <class T>
struct Callable {
    T (*one)(T) = nullptr;
    T (*two)(T, T) = nullptr;
};

/// A function that a tape calls, with its other forms where it has them: in quadruple precision, and of several
/// arguments at once (elementary.hpp).
struct Function {
    std::string_view name; ///< as in libmvec
    double (*one)(double) = nullptr;
    double (*two)(double, double) = nullptr;
    Callable<Quad> quad = {};
    bool in_libmvec = false;
};

/// Several values of several, computed by no straight line. The interpreter runs tapes that have some.
struct Routine {
    std::function<void(const double* in, double* out)> run;
    std::vector<std::uint32_t> operands;
    std::uint32_t results = 0;
};

struct Tape {
    std::vector<double> constants;
    std::vector<Function> functions;
    std::vector<Routine> routines;
    std::vector<std::uint32_t> segment_begin; ///< where each input segment starts in w; one more at the end
    std::uint32_t memory = 0;                 ///< size of w
    std::uint32_t outputs = 0;
    std::vector<Instruction> static_part; ///< ends with halt
    std::vector<Instruction> main_part;   ///< ends with halt
    std::vector<std::uint32_t> kept;      ///< slots that somebody reads from w after a run
    std::vector<Instruction> time_part;   ///< empty (nothing is held for time), or ends with halt
};

} // namespace daedalus::tape
