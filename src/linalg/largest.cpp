#include "linalg/largest.hpp"

#include "linalg/wide.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

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

// Magnitudes are ordered as their bits are, read as integers; infinity and NaN come last. The last pack overlaps with
// the one before where the numbers do not fill it.
DAEDALUS_WIDE bool copy_watched(std::span<const double> v, const double* least, const double* most, double* to) {
    const double* const from = v.data();
    const std::size_t n = v.size();
    const Bits mask = {magnitude, magnitude, magnitude, magnitude};
    const Bits finite = {largest_finite, largest_finite, largest_finite, largest_finite};
    Bits wrong[2] = {}; // of numbers that are too large (all bits) or too small (the sign)
    const auto pack = [&](std::size_t k, Bits& seen) {
        const Pack x = DAEDALUS_LOAD(from + k);
        *reinterpret_cast<PackInMemory*>(to + k) = x;
        const Bits size = Bits(x) & mask;
        seen |= (size > (most == nullptr ? finite : Bits(DAEDALUS_LOAD(most + k)))) |
                (size - Bits(DAEDALUS_LOAD(least + k)));
    };
    std::int64_t rest = 0;
    if (n >= lanes) {
        std::size_t k = 0;
        for (; k + 2 * lanes <= n; k += 2 * lanes) {
            pack(k, wrong[0]);
            pack(k + lanes, wrong[1]);
        }
        if (k + lanes <= n) pack(k, wrong[0]);
        if (n % lanes != 0) pack(n - lanes, wrong[1]);
    } else {
        for (std::size_t k = 0; k < n; ++k) {
            to[k] = from[k];
            const std::int64_t size = std::bit_cast<std::int64_t>(from[k]) & magnitude;
            const std::int64_t limit = most == nullptr ? largest_finite : std::bit_cast<std::int64_t>(most[k]);
            rest |= (limit - size) | (size - std::bit_cast<std::int64_t>(least[k]));
        }
    }
    const Bits all = wrong[0] | wrong[1];
    return ((all[0] | all[1]) | (all[2] | all[3]) | rest) >= 0;
}

bool none_exceeds(std::span<const double> v, const double* most) {
    for (std::size_t k = 0; k < v.size(); ++k)
        if (!(std::abs(v[k]) <= (most == nullptr ? std::numeric_limits<double>::max() : most[k]))) return false;
    return true;
}

// Numbers are compared as numbers: NaN is never the same, -0 is 0.
DAEDALUS_WIDE bool shift_matrix(std::span<const double> a, std::span<const double> b, double shift, double* to) {
    const Pack s = {shift, shift, shift, shift};
    Bits differ = {};
    const auto pack = [&](std::size_t at) {
        const Pack v = DAEDALUS_LOAD(a.data() + at) + s * DAEDALUS_LOAD(b.data() + at);
        PackInMemory* const there = reinterpret_cast<PackInMemory*>(to + at);
        differ |= Bits(Pack(*there) != v);
        *there = v;
    };
    std::size_t k = 0;
    for (; k + lanes <= a.size(); k += lanes) pack(k);
    if (k > 0 && k < a.size()) { // overlapping: whoever reads in packs finds packs
        pack(a.size() - lanes);
        k = a.size();
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
    const auto pack = [&](std::size_t at) {
        const Pack m = DAEDALUS_LOAD(b.data() + at);
        const Pack x = DAEDALUS_LOAD(a.data() + at) + re * m, y = im * m;
        const Pack v[2] = {__builtin_shufflevector(x, y, 0, 4, 1, 5), __builtin_shufflevector(x, y, 2, 6, 3, 7)};
        for (std::size_t h = 0; h < 2; ++h) {
            PackInMemory* const there = reinterpret_cast<PackInMemory*>(out + 2 * at + h * lanes);
            differ |= Bits(Pack(*there) != v[h]);
            *there = v[h];
        }
    };
    std::size_t k = 0;
    for (; k + lanes <= a.size(); k += lanes) pack(k);
    if (k > 0 && k < a.size()) {
        pack(a.size() - lanes);
        k = a.size();
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
