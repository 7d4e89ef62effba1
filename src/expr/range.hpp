// All values that an operation takes for operands in given ranges, by interval arithmetic (Moore 1966): the range that
// is found contains them, and may be larger. Arithmetic on ranges is that of numbers, so that a formula written once as
// a template serves for both.
#pragma once

#include "expr/op.hpp"

namespace daedalus::expr {

struct Range {
    Range() = default;
    Range(double value) : low(value), high(value) {} // NOLINT: numbers in formulas convert as they do for double
    Range(double from, double to, bool is_continuous = true, bool is_nowhere = false, double its_scale = 0.0)
        : low(from), high(to), continuous(is_continuous), nowhere(is_nowhere), scale(its_scale) {}

    double low = 0.0, high = 0.0;
    bool continuous = true; ///< no jump, pole or border of a domain in between
    bool nowhere = false;   ///< not defined anywhere on the interval
    double scale = 0.0;     ///< size of what a sum was made of: the measure of round-off

    [[nodiscard]] bool contains_zero() const { return low <= 0.0 && high >= 0.0; }
};

[[nodiscard]] Range anything();
[[nodiscard]] Range undefined();
[[nodiscard]] Range hull(double a, double b);

/// All values of an operation for operands in these ranges (of one operand: the first).
[[nodiscard]] Range range_of(Op op, const Range& a, const Range& b);
/// … and of a whole power.
[[nodiscard]] Range range_of_power(const Range& base, int exponent);
/// … of a relation.
[[nodiscard]] Range range_of_relation(Op op, const Range& a, const Range& b);

// Formulas on ranges; what has no bounds is anything.
[[nodiscard]] Range apply_to(Op op, const Range& a, const Range& b = {});
[[nodiscard]] inline Range operator+(const Range& a, const Range& b) { return apply_to(Op::add, a, b); }
[[nodiscard]] inline Range operator-(const Range& a, const Range& b) { return apply_to(Op::sub, a, b); }
[[nodiscard]] inline Range operator*(const Range& a, const Range& b) { return apply_to(Op::mul, a, b); }
[[nodiscard]] inline Range operator/(const Range& a, const Range& b) { return apply_to(Op::div, a, b); }
[[nodiscard]] inline Range operator-(const Range& a) { return {-a.high, -a.low, a.continuous, a.nowhere}; }
[[nodiscard]] inline Range square(const Range& a) { return range_of_power(a, 2); }

// What functions say of theirs.
/// A rising function that is defined on [from, to] …
[[nodiscard]] Range increasing(const Range& a, double (*f)(double));
[[nodiscard]] Range increasing(const Range& a, double (*f)(double), double from, double to);
/// … or a falling one.
[[nodiscard]] Range decreasing(const Range& a, double (*f)(double), double from, double to);
/// sin or cos, with its highest values at `highest` + 2πk and its lowest ones half a turn later.
[[nodiscard]] Range wave(const Range& a, double (*f)(double), double highest);
/// A step function that took these values.
[[nodiscard]] inline Range steps(double low, double high) { return {low, high, low == high}; }

} // namespace daedalus::expr
