// The largest magnitude in an array at the speed of memory, with NaN and infinity counted as larger than any number.
#pragma once

#include <cstdint>
#include <span>

namespace daedalus::linalg {

/// max |v_k|, or a value that is not finite if some v_k is not.
[[nodiscard]] double largest_magnitude(std::span<const double> v);

/// scaled_k = v_k s_k; returns the largest magnitude among them as above. `scaled` does not overlap v or s.
[[nodiscard]] double scale_into(std::span<const double> v, std::span<const double> s, double* scaled);
/// product_k = v_k s_k, without overlap; and in place.
void multiply(std::span<const double> v, std::span<const double> s, double* product);
void multiply_in_place(std::span<double> v, std::span<const double> s);

/// Whether some v_k has a bit in common with mask_k.
[[nodiscard]] bool any_bit(std::span<const double> v, std::span<const std::uint64_t> mask);

} // namespace daedalus::linalg
