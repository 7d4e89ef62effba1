#include "linalg/dense_pieces.hpp"

#include "linalg/wide.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::linalg {

namespace {

using Pack [[gnu::vector_size(32)]] = double;
using PackInMemory [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;
constexpr int lanes = 4;
static_assert(padding == lanes);

#define DAEDALUS_LOAD(p) Pack(*reinterpret_cast<const PackInMemory*>(p))
#define DAEDALUS_STORE(p) *reinterpret_cast<PackInMemory*>(p)

/// A tile of C, `packs` times four rows by `columns`, stays in registers while k products are subtracted from it: eight
/// sums at once, so that none waits for the one before. Loops are unrolled by order: arrays are registers only then.
template <int packs, int columns>
[[gnu::always_inline]] inline void subtract_tile(int k, const double* a, int lda, Elements b, double* c, int ldc) {
    Pack sum[columns][packs];
#pragma GCC unroll 4
    for (int q = 0; q < columns; ++q)
#pragma GCC unroll 4
        for (int p = 0; p < packs; ++p) sum[q][p] = DAEDALUS_LOAD(c + static_cast<std::ptrdiff_t>(q) * ldc + p * lanes);
    const double* row = b.data;
    for (int i = 0; i < k; ++i, a += lda, row += b.down) {
        Pack factor[packs];
#pragma GCC unroll 4
        for (int p = 0; p < packs; ++p) factor[p] = DAEDALUS_LOAD(a + p * lanes);
#pragma GCC unroll 4
        for (int q = 0; q < columns; ++q) {
            const double e = row[q * b.across];
            const Pack other = {e, e, e, e};
#pragma GCC unroll 4
            for (int p = 0; p < packs; ++p) sum[q][p] -= factor[p] * other;
        }
    }
#pragma GCC unroll 4
    for (int q = 0; q < columns; ++q)
#pragma GCC unroll 4
        for (int p = 0; p < packs; ++p)
            DAEDALUS_STORE(c + static_cast<std::ptrdiff_t>(q) * ldc + p * lanes) = sum[q][p];
}

template <int columns>
[[gnu::always_inline]] inline void subtract_strip(int m, int k, const double* a, int lda, Elements b, double* c,
                                                  int ldc) {
    int i = 0;
    for (; i + 2 * lanes <= m; i += 2 * lanes) subtract_tile<2, columns>(k, a + i, lda, b, c + i, ldc);
    if (i < m) subtract_tile<1, columns>(k, a + i, lda, b, c + i, ldc);
}

} // namespace

DAEDALUS_WIDE void subtract_product(int m, int n, int k, const double* a, int lda, Elements b, double* c, int ldc) {
    constexpr int depth = 64, height = 64; // of a part of A: 32 kB, which the nearest cache holds
    constexpr int columns = 4;
    for (int p = 0; p < k; p += depth) {
        const int deep = std::min(depth, k - p);
        for (int i = 0; i < m; i += height) {
            const int high = std::min(height, m - i);
            const double* const part = a + static_cast<std::ptrdiff_t>(p) * lda + i;
            int q = 0;
            for (; q + columns <= n; q += columns)
                subtract_strip<columns>(high, deep, part, lda, b.from(p, q),
                                        c + static_cast<std::ptrdiff_t>(q) * ldc + i, ldc);
            for (; q < n; ++q)
                subtract_strip<1>(high, deep, part, lda, b.from(p, q), c + static_cast<std::ptrdiff_t>(q) * ldc + i,
                                  ldc);
        }
    }
}

namespace {

constexpr int block = 8; // columns that are eliminated one by one before their product with the others is subtracted

/// y[i] -= e a[i] for begin ≤ i < end, where end is a multiple of `padding`.
[[gnu::always_inline]] inline void subtract_multiple(int begin, int end, double e, const double* a, double* y) {
    int i = begin;
    for (; i % lanes != 0; ++i) y[i] -= a[i] * e;
    const Pack other = {e, e, e, e};
    for (; i < end; i += lanes) DAEDALUS_STORE(y + i) = DAEDALUS_LOAD(y + i) - DAEDALUS_LOAD(a + i) * other;
}

} // namespace

DAEDALUS_WIDE void divide_by_triangle(int m, int w, double* x, int ldx, Elements t, bool unit_diagonal) {
    for (int begin = 0; begin < w; begin += block) {
        const int end = std::min(begin + block, w);
        if (begin > 0)
            subtract_product(m, end - begin, begin, x, ldx, t.from(0, begin),
                             x + static_cast<std::ptrdiff_t>(begin) * ldx, ldx);
        for (int j = begin; j < end; ++j) {
            double* const column = x + static_cast<std::ptrdiff_t>(j) * ldx;
            for (int k = begin; k < j; ++k)
                subtract_multiple(0, m, t(k, j), x + static_cast<std::ptrdiff_t>(k) * ldx, column);
            if (unit_diagonal) continue;
            const double inverse = 1.0 / t(j, j);
            for (int i = 0; i < m; ++i) column[i] *= inverse;
        }
    }
}

DAEDALUS_WIDE bool eliminate_in_place(int w, double* a, int lda) {
    const auto at = [&](int j) { return a + static_cast<std::ptrdiff_t>(j) * lda; };
    const int rows = padded(w);
    for (int begin = 0; begin < w; begin += block) {
        const int end = std::min(begin + block, w);
        for (int k = begin; k < end; ++k) {
            double* const pivots = at(k);
            const double pivot = pivots[k];
            if (pivot == 0.0 || !std::isfinite(pivot)) return false;
            const double inverse = 1.0 / pivot;
            for (int i = k + 1; i < rows; ++i) pivots[i] *= inverse;
            for (int j = k + 1; j < end; ++j) subtract_multiple(k + 1, rows, at(j)[k], pivots, at(j));
        }
        for (int j = end; j < w; ++j)
            for (int k = begin; k < end; ++k)
                for (int i = k + 1; i < end; ++i) at(j)[i] -= at(k)[i] * at(j)[k];
        if (end < w)
            subtract_product(rows - end, w - end, end - begin, at(begin) + end, lda, {at(end) + begin, 1, lda},
                             at(end) + end, lda);
    }
    return true;
}

DAEDALUS_WIDE void solve_lower(int w, const double* a, int lda, double* y) {
    const int rows = padded(w);
    for (int k = 0; k < w; ++k, a += lda) subtract_multiple(k + 1, rows, y[k], a, y);
}

DAEDALUS_WIDE void solve_upper(int w, const double* a, int lda, double* y) {
    for (int k = w - 1; k >= 0; --k) {
        const double* const column = a + static_cast<std::ptrdiff_t>(k) * lda;
        const double e = y[k] /= column[k];
        const int whole = k / lanes * lanes;
        subtract_multiple(0, whole, e, column, y);
        for (int i = whole; i < k; ++i) y[i] -= column[i] * e;
    }
}

DAEDALUS_WIDE void largest_in_rows(int m, int k, const double* a, int lda, double* y) {
    for (int j = 0; j < k; ++j, a += lda)
        for (int i = 0; i < m; i += lanes) {
            const Pack v = DAEDALUS_LOAD(a + i), size = v < -v ? -v : v, largest = DAEDALUS_LOAD(y + i);
            DAEDALUS_STORE(y + i) = size > largest ? size : largest;
        }
}

DAEDALUS_WIDE void subtract_image(int m, int k, const double* a, int lda, const double* x, double* y) {
    int j = 0;
    for (; j + 4 <= k; j += 4, a += 4 * static_cast<std::ptrdiff_t>(lda)) {
        const double *const b = a + lda, *const c = b + lda, *const d = c + lda;
        const Pack e = {x[j], x[j], x[j], x[j]}, f = {x[j + 1], x[j + 1], x[j + 1], x[j + 1]},
                   g = {x[j + 2], x[j + 2], x[j + 2], x[j + 2]}, h = {x[j + 3], x[j + 3], x[j + 3], x[j + 3]};
        for (int i = 0; i < m; i += lanes)
            DAEDALUS_STORE(y + i) = DAEDALUS_LOAD(y + i) - ((DAEDALUS_LOAD(a + i) * e + DAEDALUS_LOAD(b + i) * f) +
                                                            (DAEDALUS_LOAD(c + i) * g + DAEDALUS_LOAD(d + i) * h));
    }
    for (; j < k; ++j, a += lda) subtract_multiple(0, m, x[j], a, y);
}

DAEDALUS_WIDE void subtract_transposed_image(int m, int k, const double* a, int lda, const double* x, double* y) {
    const auto total = [](Pack s) { return (s[0] + s[1]) + (s[2] + s[3]); };
    int j = 0;
    for (; j + 4 <= k; j += 4, a += 4 * static_cast<std::ptrdiff_t>(lda)) {
        const double *const b = a + lda, *const c = b + lda, *const d = c + lda;
        Pack sum[4] = {};
        for (int i = 0; i < m; i += lanes) {
            const Pack v = DAEDALUS_LOAD(x + i);
            sum[0] += DAEDALUS_LOAD(a + i) * v;
            sum[1] += DAEDALUS_LOAD(b + i) * v;
            sum[2] += DAEDALUS_LOAD(c + i) * v;
            sum[3] += DAEDALUS_LOAD(d + i) * v;
        }
        for (int q = 0; q < 4; ++q) y[j + q] -= total(sum[q]);
    }
    for (; j < k; ++j, a += lda) {
        Pack sum = {};
        for (int i = 0; i < m; i += lanes) sum += DAEDALUS_LOAD(a + i) * DAEDALUS_LOAD(x + i);
        y[j] -= total(sum);
    }
}

} // namespace daedalus::linalg
