// The arithmetic of the studies. An observed order needs errors far above round-off: x_n of a problem of index ν
// carries round-off of size ε h^{1-ν}, which in double hides order 6 at index 3 already. long double (64 bits of
// mantissa on x86) leaves three to four decades more.
//
// Dual numbers a + b δ with δ² = 0 give the Jacobians: problems are written once, as templates on the scalar, and
// derivatives are exact (Griewank & Walther 2008, 3.1).
#pragma once

#include <cmath>
#include <limits>
#include <vector>

namespace daedalus::study {

using Real = long double;
using Vector = std::vector<Real>;

constexpr Real round_off = std::numeric_limits<Real>::epsilon();

struct Dual {
    Real value = 0;
    Real slope = 0;

    Dual() = default;
    Dual(Real v) : value(v) {} // NOLINT: constants mix with duals in formulas
    Dual(Real v, Real s) : value(v), slope(s) {}

    friend Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
    friend Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.slope - b.slope}; }
    friend Dual operator-(Dual a) { return {-a.value, -a.slope}; }
    friend Dual operator*(Dual a, Dual b) { return {a.value * b.value, a.slope * b.value + a.value * b.slope}; }
    friend Dual operator/(Dual a, Dual b) {
        return {a.value / b.value, (a.slope - a.value / b.value * b.slope) / b.value};
    }
};

inline Dual sin(Dual a) { return {std::sin(a.value), std::cos(a.value) * a.slope}; }
inline Dual cos(Dual a) { return {std::cos(a.value), -std::sin(a.value) * a.slope}; }
inline Dual exp(Dual a) { return {std::exp(a.value), std::exp(a.value) * a.slope}; }
inline Dual log(Dual a) { return {std::log(a.value), a.slope / a.value}; }

} // namespace daedalus::study
