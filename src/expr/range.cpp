#include "expr/range.hpp"

#include "expr/functions/function.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace daedalus::expr {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Range decided(bool truth) { return truth ? 1.0 : 0.0; }
Range undecided() { return {0.0, 1.0, false}; }

Range product(const Range& a, const Range& b) {
    Range r{infinity, -infinity};
    for (const double x : {a.low, a.high})
        for (const double y : {b.low, b.high}) {
            const double p = x == 0.0 || y == 0.0 ? 0.0 : x * y; // 0·∞: the bound is not taken
            r.low = std::min(r.low, p);
            r.high = std::max(r.high, p);
        }
    return r;
}

Range reciprocal(const Range& b) {
    if (b.low <= 0.0 && b.high >= 0.0) return b.low == 0.0 && b.high == 0.0 ? undefined() : anything();
    return {1.0 / b.high, 1.0 / b.low};
}

Range whole_power(const Range& base, int n) {
    if (n < 0) return reciprocal(whole_power(base, -n));
    if (n == 0) return 1.0;
    const double low = std::pow(base.low, n), high = std::pow(base.high, n);
    if (n % 2 == 1) return {low, high};
    return {base.contains_zero() ? 0.0 : std::min(low, high), std::max(low, high)};
}

Range power(const Range& base, const Range& exponent) {
    if (base.high < 0.0) return undefined();
    if (base.low < 0.0 || (base.low == 0.0 && exponent.low <= 0.0)) return anything();
    Range r{infinity, -infinity};
    for (const double x : {base.low, base.high})
        for (const double y : {exponent.low, exponent.high}) {
            r.low = std::min(r.low, std::pow(x, y));
            r.high = std::max(r.high, std::pow(x, y));
        }
    if (base.low < 1.0 && base.high > 1.0) { // x^y = 1 at x = 1 for all y lies between the corners
        r.low = std::min(r.low, 1.0);
        r.high = std::max(r.high, 1.0);
    }
    return r;
}

Range operation(Op op, const Range& a, const Range& b) {
    switch (op) {
    case Op::neg: return {-a.high, -a.low};
    case Op::add: return {a.low + b.low, a.high + b.high};
    case Op::sub: return {a.low - b.high, a.high - b.low};
    case Op::mul: return product(a, b);
    case Op::div: {
        const Range inverse = reciprocal(b);
        return inverse.continuous ? product(a, inverse) : inverse;
    }
    case Op::pow: return power(a, b);
    case Op::logical_not: return {1.0 - a.high, 1.0 - a.low, a.continuous};
    case Op::logical_and: return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Op::logical_or: return {std::max(a.low, b.low), std::max(a.high, b.high)};
    default: return is_function(op) ? function(op).range(a, b) : anything();
    }
}

} // namespace

Range anything() { return {-infinity, infinity, false, false, infinity}; }
Range undefined() { return {-infinity, infinity, false, true, 0.0}; }
Range hull(double a, double b) { return {std::min(a, b), std::max(a, b)}; }

Range range_of(Op op, const Range& a, const Range& b) {
    if (a.nowhere || b.nowhere) return undefined();
    Range r = operation(op, a, b);
    r.continuous = r.continuous && a.continuous && b.continuous;
    return r;
}

Range range_of_power(const Range& base, int exponent) {
    Range r = whole_power(base, exponent);
    r.continuous = r.continuous && base.continuous;
    return r;
}

Range range_of_relation(Op op, const Range& a, const Range& b) {
    switch (op) {
    case Op::lt:
    case Op::le: return a.high < b.low ? decided(true) : a.low > b.high ? decided(false) : undecided();
    case Op::gt:
    case Op::ge: return range_of_relation(Op::lt, b, a);
    case Op::eq: return a.high < b.low || a.low > b.high ? decided(false) : undecided();
    default: return a.high < b.low || a.low > b.high ? decided(true) : undecided();
    }
}

Range apply_to(Op op, const Range& a, const Range& b) {
    const Range r = range_of(op, a, b);
    return std::isnan(r.low) || std::isnan(r.high) ? anything() : r;
}

Range increasing(const Range& a, double (*f)(double)) { return {f(a.low), f(a.high)}; }

Range increasing(const Range& a, double (*f)(double), double from, double to) {
    if (a.high < from || a.low > to) return undefined();
    if (a.low < from || a.high > to) return anything();
    return {f(a.low), f(a.high)};
}

Range decreasing(const Range& a, double (*f)(double), double from, double to) {
    const Range r = increasing(a, f, from, to);
    return r.continuous ? Range{r.high, r.low} : r;
}

Range wave(const Range& a, double (*f)(double), double highest) {
    constexpr double turn = 2.0 * std::numbers::pi;
    if (!std::isfinite(a.low) || !std::isfinite(a.high) || a.high - a.low >= turn) return {-1.0, 1.0};
    Range r = hull(f(a.low), f(a.high));
    const auto contains = [&](double phase) {
        return std::floor((a.high - phase) / turn) >= std::ceil((a.low - phase) / turn);
    };
    if (contains(highest)) r.high = 1.0;
    if (contains(highest + std::numbers::pi)) r.low = -1.0;
    return r;
}

} // namespace daedalus::expr
