#include "linalg/largest.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
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

std::array<double, 3> largest_of_few(const double* v, const double* s, const std::array<std::size_t, 3>& sizes) {
    std::array<double, 3> result{};
    for (std::size_t part = 0; part < 3; ++part) {
        double largest[2] = {0.0, 0.0}, sum[2] = {0.0, 0.0};
        for (const double* const end = v + sizes[part]; v != end; v += 2, s += 2)
            for (std::size_t h = 0; h < 2; ++h) {
                const double x = std::abs(v[h] * s[h]);
                largest[h] = x > largest[h] ? x : largest[h];
                sum[h] += x;
            }
        constexpr double infinity = std::numeric_limits<double>::infinity();
        result[part] = sum[0] + sum[1] < infinity ? std::max(largest[0], largest[1]) : infinity;
    }
    return result;
}

} // namespace

DAEDALUS_WIDE std::array<double, 3> largest_scaled(const double* v, const double* s,
                                                   const std::array<std::size_t, 3>& sizes) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    // What was written number by number a moment ago cannot be read four at a time without waiting for the writes: a
    // few are read one by one.
    constexpr std::size_t few = 64;
    if (sizes[0] + sizes[1] + sizes[2] <= few) return largest_of_few(v, s, sizes);
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
DAEDALUS_WIDE Seen copy_watched(std::span<const double> v, std::span<const double> least,
                                std::span<const std::uint64_t> forbidden, double* to) {
    const double* const from = v.data();
    const Bits mask = {magnitude, magnitude, magnitude, magnitude};
    const Bits finite = {largest_finite, largest_finite, largest_finite, largest_finite};
    Bits bad = {}, small = {};
    std::size_t k = 0;
    for (; k + lanes <= v.size(); k += lanes) {
        const Pack x = DAEDALUS_LOAD(from + k);
        *reinterpret_cast<PackInMemory*>(to + k) = x;
        const Bits size = Bits(x) & mask;
        bad |= size > finite;
        small |= Bits(DAEDALUS_LOAD(least.data() + k)) > size;
    }
    std::int64_t bad_rest = 0;
    bool small_rest = false;
    for (; k < v.size(); ++k) {
        to[k] = from[k];
        const std::int64_t size = std::bit_cast<std::int64_t>(from[k]) & magnitude;
        bad_rest |= static_cast<std::int64_t>(size > largest_finite);
        small_rest |= std::bit_cast<std::int64_t>(least[k]) > size;
    }
    for (std::size_t f = 0; f + lanes <= forbidden.size(); f += lanes)
        bad |= Bits(DAEDALUS_LOAD(from + f)) & Bits(*reinterpret_cast<const BitsInMemory*>(forbidden.data() + f));
    for (std::size_t f = forbidden.size() / lanes * lanes; f < forbidden.size(); ++f)
        bad_rest |= std::bit_cast<std::int64_t>(from[f]) & static_cast<std::int64_t>(forbidden[f]);
    return {(bad[0] | bad[1] | bad[2] | bad[3] | bad_rest) == 0,
            (small[0] | small[1] | small[2] | small[3]) == 0 && !small_rest};
}

// Numbers are compared as numbers: NaN is never the same, -0 is 0.
DAEDALUS_WIDE bool shift_matrix(std::span<const double> a, std::span<const double> b, double shift, double* to) {
    const Pack s = {shift, shift, shift, shift};
    Bits differ = {};
    std::size_t k = 0;
    for (; k + lanes <= a.size(); k += lanes) {
        const Pack v = DAEDALUS_LOAD(a.data() + k) + s * DAEDALUS_LOAD(b.data() + k);
        PackInMemory* const there = reinterpret_cast<PackInMemory*>(to + k);
        differ |= Bits(Pack(*there) != v);
        *there = v;
    }
    bool same = (differ[0] | differ[1] | differ[2] | differ[3]) == 0;
    for (; k < a.size(); ++k) {
        const double v = a[k] + shift * b[k];
        same &= to[k] == v;
        to[k] = v;
    }
    return same;
}

DAEDALUS_WIDE bool shift_matrix(std::span<const double> a, std::span<const double> b, std::complex<double> shift,
                                std::complex<double>* to) {
    const double sr = shift.real(), si = shift.imag();
    const Pack re = {sr, sr, sr, sr}, im = {si, si, si, si};
    double* const out = reinterpret_cast<double*>(to);
    Bits differ = {};
    std::size_t k = 0;
    for (; k + lanes <= a.size(); k += lanes) {
        const Pack m = DAEDALUS_LOAD(b.data() + k);
        const Pack x = DAEDALUS_LOAD(a.data() + k) + re * m, y = im * m;
        const Pack v[2] = {__builtin_shufflevector(x, y, 0, 4, 1, 5), __builtin_shufflevector(x, y, 2, 6, 3, 7)};
        for (std::size_t h = 0; h < 2; ++h) {
            PackInMemory* const there = reinterpret_cast<PackInMemory*>(out + 2 * k + h * lanes);
            differ |= Bits(Pack(*there) != v[h]);
            *there = v[h];
        }
    }
    bool same = (differ[0] | differ[1] | differ[2] | differ[3]) == 0;
    for (; k < a.size(); ++k) {
        const double x = a[k] + sr * b[k], y = si * b[k];
        same &= out[2 * k] == x && out[2 * k + 1] == y;
        out[2 * k] = x;
        out[2 * k + 1] = y;
    }
    return same;
}

} // namespace daedalus::linalg
