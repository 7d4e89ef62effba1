// The operations an expression node can be. Elementary functions are described one per file in expr/functions; which
// there are says the list that this header reads.
#pragma once

#include <cstdint>

namespace daedalus::expr {

enum class Op : std::uint8_t {
    // leaves
    constant,  ///< a double
    time,      ///< the independent variable
    parameter, ///< changeable without rebuilding anything
    variable,  ///< x_j or its k-th time derivative
    // arithmetic
    neg,
    add,
    sub,
    mul,
    div,
    pow,
// elementary functions, in the order of their list
#define DAEDALUS_FUNCTION(name, arguments) name,
#include "daedalus/elementary_functions.inc"
#undef DAEDALUS_FUNCTION
    // relations and logic; the value is 1 or 0
    lt,
    le,
    gt,
    ge,
    eq,
    ne,
    logical_and,
    logical_or,
    logical_not,
    // if a then b else c
    select,
    // an output of a routine, of as many operands as the routine has inputs (routine.hpp)
    call,
    count_
};

inline constexpr int op_count = static_cast<int>(Op::count_);

/// Number of operands; of a call the graph knows it (Graph::arity).
[[nodiscard]] constexpr int arity(Op op) {
    if (op <= Op::variable) return 0;
    switch (op) {
    case Op::neg:
    case Op::logical_not: return 1;
    case Op::select: return 3;
    case Op::call: return 0;
#define DAEDALUS_FUNCTION(name, arguments)                                                                             \
    case Op::name:                                                                                                     \
        return arguments;
#include "daedalus/elementary_functions.inc"
#undef DAEDALUS_FUNCTION
    default: return 2;
    }
}
[[nodiscard]] constexpr bool is_leaf(Op op) { return op <= Op::variable; }
[[nodiscard]] constexpr bool is_relation(Op op) { return op >= Op::lt && op <= Op::ne; }
[[nodiscard]] constexpr bool is_boolean(Op op) { return op >= Op::lt && op <= Op::logical_not; }
[[nodiscard]] constexpr bool is_function(Op op) { return op > Op::pow && op < Op::lt; }
[[nodiscard]] constexpr bool is_commutative(Op op) {
    return op == Op::add || op == Op::mul || op == Op::min || op == Op::max || op == Op::eq || op == Op::ne ||
           op == Op::logical_and || op == Op::logical_or;
}

} // namespace daedalus::expr
