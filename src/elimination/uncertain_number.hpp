// A number together with the round-off that may be in it. Errors are taken as independent, so their squares add: bad
// scaling (a diode's 1e-7 beside an inductance's 1e-3) is then not taken for singularity, and a difference that is
// nothing but round-off is not taken for a number.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::elimination {

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();
inline constexpr double doubt = 100; // errors add up at random; this many of them make a zero

struct UncertainNumber {
    double value = 0, error = 0;

    [[nodiscard]] bool is_zero() const { return std::abs(value) <= doubt * error; }
};

/// a − f b
[[nodiscard]] inline UncertainNumber minus_product(UncertainNumber a, UncertainNumber f, UncertainNumber b) {
    const double product = f.value * b.value;
    const double size = std::max(std::abs(a.value), std::abs(product));
    const double e1 = f.value * b.error, e2 = f.error * b.value, e3 = epsilon * size;
    return {a.value - product, std::sqrt(a.error * a.error + e1 * e1 + e2 * e2 + e3 * e3)};
}

[[nodiscard]] inline UncertainNumber quotient(UncertainNumber a, UncertainNumber b) {
    const double q = a.value / b.value;
    return {q, epsilon * std::abs(q) + (a.error + std::abs(q) * b.error) / std::abs(b.value)};
}

} // namespace daedalus::elimination
