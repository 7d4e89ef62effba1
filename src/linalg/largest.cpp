#include "linalg/largest.hpp"

#include <algorithm>
#include <bit>
#include <limits>

// Wider registers where the processor has them; the result is the same bit for bit.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define DAEDALUS_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define DAEDALUS_WIDE
#endif

namespace daedalus::linalg {

namespace {

// Four numbers as one value, read and written wherever they lie.
using Pack [[gnu::vector_size(32)]] = double;
using Bits [[gnu::vector_size(32)]] = std::int64_t;
using PackInMemory [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;
using BitsInMemory [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = std::int64_t;
constexpr std::size_t lanes = 4;
constexpr std::int64_t magnitude = 0x7fffffffffffffff, largest_finite = 0x7fefffffffffffff;

#define DAEDALUS_LOAD(p) Pack(*reinterpret_cast<const PackInMemory*>(p))

} // namespace

DAEDALUS_WIDE std::array<double, 3> largest_scaled(const double* v, const double* s,
                                                   const std::array<std::size_t, 3>& sizes) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const Bits mask = {magnitude, magnitude, magnitude, magnitude};
    std::array<double, 3> result{};
    for (std::size_t part = 0; part < 3; ++part) {
        // Sums keep what is not finite, which a maximum may lose. Two of each, so that none waits for the other.
        Pack largest[2] = {}, sum[2] = {};
        const double* const end = v + sizes[part];
        for (; v != end; v += 2 * lanes, s += 2 * lanes)
            for (std::size_t h = 0; h < 2; ++h) {
                const Pack product = DAEDALUS_LOAD(v + h * lanes) * DAEDALUS_LOAD(s + h * lanes);
                const Pack x = Pack(Bits(product) & mask);
                largest[h] = x > largest[h] ? x : largest[h];
                sum[h] += x;
            }
        const Pack m = largest[0] > largest[1] ? largest[0] : largest[1], t = sum[0] + sum[1];
        const bool finite = (t[0] + t[1]) + (t[2] + t[3]) < infinity;
        result[part] = finite ? std::max(std::max(m[0], m[1]), std::max(m[2], m[3])) : infinity;
    }
    return result;
}

// Magnitudes are ordered as their bits are, read as integers; infinity and NaN come last.
DAEDALUS_WIDE bool copy_finite(std::span<const double> v, double* to) {
    const double* const from = v.data();
    const Bits mask = {magnitude, magnitude, magnitude, magnitude};
    const Bits finite = {largest_finite, largest_finite, largest_finite, largest_finite};
    Bits bad = {};
    std::size_t k = 0;
    for (; k + lanes <= v.size(); k += lanes) {
        const Pack x = DAEDALUS_LOAD(from + k);
        *reinterpret_cast<PackInMemory*>(to + k) = x;
        bad |= (Bits(x) & mask) > finite;
    }
    bool rest = false;
    for (; k < v.size(); ++k) {
        to[k] = from[k];
        rest |= (std::bit_cast<std::int64_t>(from[k]) & magnitude) > largest_finite;
    }
    return (bad[0] | bad[1] | bad[2] | bad[3]) == 0 && !rest;
}

DAEDALUS_WIDE bool copy_finite(std::span<const double> v, std::span<const std::uint64_t> forbidden, double* to) {
    const double* const from = v.data();
    const Bits mask = {magnitude, magnitude, magnitude, magnitude};
    const Bits finite = {largest_finite, largest_finite, largest_finite, largest_finite};
    Bits bad = {};
    std::size_t k = 0;
    for (; k + lanes <= v.size(); k += lanes) {
        const Pack x = DAEDALUS_LOAD(from + k);
        *reinterpret_cast<PackInMemory*>(to + k) = x;
        bad |= (Bits(x) & mask) > finite;
        bad |= Bits(x) & Bits(*reinterpret_cast<const BitsInMemory*>(forbidden.data() + k));
    }
    std::int64_t rest = 0;
    for (; k < v.size(); ++k) {
        to[k] = from[k];
        const auto bits = std::bit_cast<std::int64_t>(from[k]);
        rest |= static_cast<std::int64_t>((bits & magnitude) > largest_finite);
        rest |= bits & static_cast<std::int64_t>(forbidden[k]);
    }
    return (bad[0] | bad[1] | bad[2] | bad[3] | rest) == 0;
}

} // namespace daedalus::linalg
