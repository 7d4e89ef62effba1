#include "linalg/largest.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

// Wider registers where the processor has them; the result is the same bit for bit.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define DAEDALUS_WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define DAEDALUS_WIDE
#endif

namespace daedalus::linalg {

namespace {

// Magnitudes of IEEE numbers are ordered as their bits are, read as integers, and infinity and NaN come last.
constexpr std::int64_t magnitude_bits = 0x7fffffffffffffff;
constexpr std::size_t lanes = 8;

inline std::int64_t bits_of(double v) { return std::bit_cast<std::int64_t>(v) & magnitude_bits; }

} // namespace

DAEDALUS_WIDE double largest_magnitude(std::span<const double> v) {
    std::int64_t largest[lanes] = {};
    std::size_t k = 0;
    for (; k + lanes <= v.size(); k += lanes)
        for (std::size_t l = 0; l < lanes; ++l) {
            const std::int64_t b = bits_of(v[k + l]);
            largest[l] = b > largest[l] ? b : largest[l];
        }
    for (; k < v.size(); ++k) largest[0] = std::max(largest[0], bits_of(v[k]));
    return std::bit_cast<double>(*std::max_element(largest, largest + lanes));
}

DAEDALUS_WIDE double scale_into(std::span<const double> values, std::span<const double> scale, double* scaled) {
    const double* __restrict v = values.data();
    const double* __restrict s = scale.data();
    double* __restrict to = scaled;
    std::int64_t largest[lanes] = {};
    std::size_t k = 0;
    for (; k + lanes <= values.size(); k += lanes)
        for (std::size_t l = 0; l < lanes; ++l) {
            const double x = v[k + l] * s[k + l];
            to[k + l] = x;
            const std::int64_t b = bits_of(x);
            largest[l] = b > largest[l] ? b : largest[l];
        }
    for (; k < values.size(); ++k) {
        to[k] = v[k] * s[k];
        largest[0] = std::max(largest[0], bits_of(to[k]));
    }
    return std::bit_cast<double>(*std::max_element(largest, largest + lanes));
}

DAEDALUS_WIDE void multiply(std::span<const double> v, std::span<const double> s, double* product) {
    const double* __restrict a = v.data();
    const double* __restrict b = s.data();
    double* __restrict to = product;
    for (std::size_t k = 0; k < v.size(); ++k) to[k] = a[k] * b[k];
}

DAEDALUS_WIDE void multiply_in_place(std::span<double> v, std::span<const double> s) {
    double* __restrict a = v.data();
    const double* __restrict b = s.data();
    for (std::size_t k = 0; k < v.size(); ++k) a[k] *= b[k];
}

DAEDALUS_WIDE bool any_bit(std::span<const double> v, std::span<const std::uint64_t> mask) {
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < v.size(); ++k) bits |= std::bit_cast<std::uint64_t>(v[k]) & mask[k];
    return bits != 0;
}

} // namespace daedalus::linalg
