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

/// to := v, without overlap; whether least_k ≤ |v_k| ≤ most_k for all k. `least` and `most` are as long as v and not
/// negative; without `most`, every number is small enough. NaN and infinity are not.
[[nodiscard]] bool copy_watched(std::span<const double> v, const double* least, const double* most, double* to);
/// Whether |v_k| ≤ most_k for all k: which of the two it was.
[[nodiscard]] bool none_exceeds(std::span<const double> v, const double* most);

/// to := a + shift b, number by number; whether nothing changed by that. The arrays must not overlap.
[[nodiscard]] bool shift_matrix(std::span<const double> a, std::span<const double> b, double shift, double* to);
[[nodiscard]] bool shift_matrix(std::span<const double> a, std::span<const double> b, std::complex<double> shift,
                                std::complex<double>* to);

} // namespace daedalus::linalg
