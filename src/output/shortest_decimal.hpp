// The shortest decimal that reads back as a given double, and among those the nearest one: d · 10^k with an integer d.
//
// A finite double is v = c · 2^q with integers c and q. All reals between its two neighbours' midpoints round to v:
// (4c - 2, 4c + 2) · 2^(q-2), with 4c - 1 below where c is a power of two; the bounds belong to it where c is even.
// With k such that 10^k ≤ the interval's length < 10^(k+1), the interval holds at least one multiple of 10^k and at
// most one of 10^(k+1): three products with 10^-k, of 128 bits and rounded to odd, decide which (Giulietti, 2020, "The
// Schubfach way to render doubles").
#pragma once

#include <cstdint>

namespace daedalus::output {

struct ShortestDecimal {
    std::uint64_t digits = 0; ///< at most 17 digits
    int exponent = 0;
};

/// Of a positive finite number.
[[nodiscard]] ShortestDecimal shortest_decimal(double value);

/// The room write_shortest() needs, with what it overwrites again.
inline constexpr int longest_number = 48;

/// Writes `value` as append_number() does, from `out` on, and returns the end.
[[nodiscard]] char* write_shortest(char* out, double value);

} // namespace daedalus::output
