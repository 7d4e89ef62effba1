// Passes over arrays of numbers at the speed of memory: the largest magnitude, with NaN and infinity counted as larger
// than any number, copies that are looked at on the way, and sums of two matrices.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>

namespace daedalus::linalg {

/// max |v_k s_k| over each of three parts that lie behind one another; their sizes are multiples of 8.
[[nodiscard]] std::array<double, 3> largest_scaled(const double* v, const double* s,
                                                   const std::array<std::size_t, 3>& sizes);

struct Seen {
    bool finite; ///< all, and none has a bit in common with its forbidden ones
    bool large;  ///< |v_k| ≥ least_k for all k
};
/// to := v, without overlap. `least` is as long as v and not negative; `forbidden` is empty or as long.
[[nodiscard]] Seen copy_watched(std::span<const double> v, std::span<const double> least,
                                std::span<const std::uint64_t> forbidden, double* to);

/// to := a + shift b, number by number; whether nothing changed by that. The arrays must not overlap.
[[nodiscard]] bool shift_matrix(std::span<const double> a, std::span<const double> b, double shift, double* to);
[[nodiscard]] bool shift_matrix(std::span<const double> a, std::span<const double> b, std::complex<double> shift,
                                std::complex<double>* to);

} // namespace daedalus::linalg
