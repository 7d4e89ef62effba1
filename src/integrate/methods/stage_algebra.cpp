#include "integrate/methods/stage_algebra.hpp"

#include "linalg/wide.hpp"

#include <cmath>
#include <cstring>

#define DAEDALUS_INLINE [[gnu::always_inline]] inline

namespace daedalus::integrate {

namespace {

using Pair = double __attribute__((vector_size(16)));
using Quad = double __attribute__((vector_size(32)));

template <class Lane>
DAEDALUS_INLINE void load(const double* from, Lane& lane) {
    std::memcpy(&lane, from, sizeof lane);
}
template <class Lane>
DAEDALUS_INLINE void store(double* to, const Lane& lane) {
    std::memcpy(to, &lane, sizeof lane);
}

// Complex numbers from and to real and imaginary parts.
using PairMask = long long __attribute__((vector_size(16)));
using QuadMask = long long __attribute__((vector_size(32)));
DAEDALUS_INLINE void interleave(const double& re, const double& im, double* to) {
    to[0] = re;
    to[1] = im;
}
DAEDALUS_INLINE void interleave(const Pair& re, const Pair& im, double* to) {
    store<Pair>(to, __builtin_shuffle(re, im, PairMask{0, 2}));
    store<Pair>(to + 2, __builtin_shuffle(re, im, PairMask{1, 3}));
}
DAEDALUS_INLINE void interleave(const Quad& re, const Quad& im, double* to) {
    store<Quad>(to, __builtin_shuffle(re, im, QuadMask{0, 4, 1, 5}));
    store<Quad>(to + 4, __builtin_shuffle(re, im, QuadMask{2, 6, 3, 7}));
}
DAEDALUS_INLINE void separate(const double* from, double& re, double& im) {
    re = from[0];
    im = from[1];
}
DAEDALUS_INLINE void separate(const double* from, Pair& re, Pair& im) {
    Pair a, b;
    load(from, a);
    load(from + 2, b);
    re = __builtin_shuffle(a, b, PairMask{0, 2});
    im = __builtin_shuffle(a, b, PairMask{1, 3});
}
DAEDALUS_INLINE void separate(const double* from, Quad& re, Quad& im) {
    Quad a, b;
    load(from, a);
    load(from + 4, b);
    re = __builtin_shuffle(a, b, QuadMask{0, 2, 4, 6});
    im = __builtin_shuffle(a, b, QuadMask{1, 3, 5, 7});
}

template <int Columns, class Lane>
DAEDALUS_INLINE void row_times(const double* C, const Lane* v, Lane& sum) {
    sum = C[0] * v[0];
#pragma GCC unroll 9
    for (int j = 1; j < Columns; ++j) sum += C[j] * v[j];
}

template <class Lane, int Rows, int Columns>
DAEDALUS_INLINE void combine(const double* C, std::size_t n, const double* in, double* out) {
    Lane v[Columns];
#pragma GCC unroll 9
    for (int j = 0; j < Columns; ++j) load(in + static_cast<std::size_t>(j) * n, v[j]);
#pragma GCC unroll 9
    for (int i = 0; i < Rows; ++i) {
        Lane sum;
        row_times<Columns>(C + i * Columns, v, sum);
        store(out + static_cast<std::size_t>(i) * n, sum);
    }
}

template <class Lane, int S>
DAEDALUS_INLINE void form(const double* a, std::size_t n, const double* x, const double* Z, double* X, double* dX) {
    Lane v[S], at;
    load(x, at);
#pragma GCC unroll 9
    for (int j = 0; j < S; ++j) {
        load(Z + static_cast<std::size_t>(j) * n, v[j]);
        store<Lane>(X + static_cast<std::size_t>(j) * n, at + v[j]);
    }
#pragma GCC unroll 9
    for (int i = 0; i < S; ++i) {
        Lane sum;
        row_times<S>(a + i * S, v, sum);
        store(dX + static_cast<std::size_t>(i) * n, sum);
    }
}

template <class Lane, int S>
DAEDALUS_INLINE void transform(const double* C, std::size_t n, const double* R, double* W, std::size_t k) {
    Lane v[S];
#pragma GCC unroll 9
    for (int j = 0; j < S; ++j) load(R + static_cast<std::size_t>(j) * n + k, v[j]);
    Lane real;
    row_times<S>(C, v, real);
    store(W + k, real);
#pragma GCC unroll 9
    for (int i = 1; i < S; i += 2) {
        Lane re, im;
        row_times<S>(C + i * S, v, re);
        row_times<S>(C + (i + 1) * S, v, im);
        interleave(re, im, W + static_cast<std::size_t>(i) * n + 2 * k);
    }
}

template <class Lane, int S, StageNorm Kind>
DAEDALUS_INLINE void correct(const double* T, std::size_t n, const double* W, const double* w, double* Z, std::size_t k,
                             Lane& norm) {
    Lane v[S], weight;
    load(W + k, v[0]);
#pragma GCC unroll 9
    for (int i = 1; i < S; i += 2) separate(W + static_cast<std::size_t>(i) * n + 2 * k, v[i], v[i + 1]);
    load(w + k, weight);
#pragma GCC unroll 9
    for (int i = 0; i < S; ++i) {
        Lane change, z;
        row_times<S>(T + i * S, v, change);
        double* const to = Z + static_cast<std::size_t>(i) * n + k;
        load(to, z);
        store<Lane>(to, z + change);
        const Lane weighted = change * weight;
        if constexpr (Kind == StageNorm::sum_of_squares) {
            norm += weighted * weighted;
        } else {
            const Lane size = weighted < 0.0 ? -weighted : weighted;
            const auto keep = (size <= norm) | (norm != norm); // NaN wins …
            norm = keep ? norm : size;
        }
    }
}

template <int S, StageNorm Kind>
DAEDALUS_INLINE double correct_all(const double* T, std::size_t n, const double* W, const double* w, double* Z) {
    Quad quad{};
    Pair pair{};
    double single = 0.0;
    std::size_t k = 0;
    for (; k + 4 <= n; k += 4) correct<Quad, S, Kind>(T, n, W, w, Z, k, quad);
    if (k + 2 <= n) {
        correct<Pair, S, Kind>(T, n, W, w, Z, k, pair);
        k += 2;
    }
    if (k < n) correct<double, S, Kind>(T, n, W, w, Z, k, single);
    const double lanes[7] = {quad[0], quad[1], quad[2], quad[3], pair[0], pair[1], single};
    double result = 0.0;
    for (const double lane : lanes) {
        if constexpr (Kind == StageNorm::sum_of_squares)
            result += lane;
        else if (!(lane <= result) && !std::isnan(result))
            result = lane; // … and stays visible
    }
    return result;
}

} // namespace

// Clones are made of functions, not of templates: each size is written down.
#define DAEDALUS_COMBINE(rows, columns)                                                                                \
    template <>                                                                                                        \
    DAEDALUS_WIDE void combine_stages<rows, columns>(const std::array<double, rows * columns>& C, std::size_t n,       \
                                                     const double* in, double* out) {                                  \
        std::size_t k = 0;                                                                                             \
        for (; k + 4 <= n; k += 4) combine<Quad, rows, columns>(C.data(), n, in + k, out + k);                         \
        if (k + 2 <= n) {                                                                                              \
            combine<Pair, rows, columns>(C.data(), n, in + k, out + k);                                                \
            k += 2;                                                                                                    \
        }                                                                                                              \
        if (k < n) combine<double, rows, columns>(C.data(), n, in + k, out + k);                                       \
    }
#define DAEDALUS_STAGES(S)                                                                                             \
    DAEDALUS_COMBINE(S, S)                                                                                             \
    template <>                                                                                                        \
    DAEDALUS_WIDE void form_stages<S>(const std::array<double, (S) * (S)>& a, std::size_t n, const double* x,          \
                                      const double* Z, double* X, double* dX) {                                        \
        std::size_t k = 0;                                                                                             \
        for (; k + 4 <= n; k += 4) form<Quad, S>(a.data(), n, x + k, Z + k, X + k, dX + k);                            \
        if (k + 2 <= n) {                                                                                              \
            form<Pair, S>(a.data(), n, x + k, Z + k, X + k, dX + k);                                                   \
            k += 2;                                                                                                    \
        }                                                                                                              \
        if (k < n) form<double, S>(a.data(), n, x + k, Z + k, X + k, dX + k);                                          \
    }                                                                                                                  \
    template <>                                                                                                        \
    DAEDALUS_WIDE void transform_residuals<S>(const std::array<double, (S) * (S)>& C, std::size_t n, const double* R,  \
                                              double* W) {                                                             \
        std::size_t k = 0;                                                                                             \
        for (; k + 4 <= n; k += 4) transform<Quad, S>(C.data(), n, R, W, k);                                           \
        if (k + 2 <= n) {                                                                                              \
            transform<Pair, S>(C.data(), n, R, W, k);                                                                  \
            k += 2;                                                                                                    \
        }                                                                                                              \
        if (k < n) transform<double, S>(C.data(), n, R, W, k);                                                         \
    }                                                                                                                  \
    template <>                                                                                                        \
    DAEDALUS_WIDE double correct_stages<S>(const std::array<double, (S) * (S)>& T, std::size_t n, const double* W,     \
                                           const double* w, StageNorm kind, double* Z) {                               \
        if (kind == StageNorm::sum_of_squares) return correct_all<S, StageNorm::sum_of_squares>(T.data(), n, W, w, Z); \
        return correct_all<S, StageNorm::largest>(T.data(), n, W, w, Z);                                               \
    }

DAEDALUS_STAGES(1)
DAEDALUS_STAGES(3)
DAEDALUS_STAGES(5)
DAEDALUS_STAGES(7)
DAEDALUS_STAGES(9)
DAEDALUS_COMBINE(1, 3)
DAEDALUS_COMBINE(1, 5)
DAEDALUS_COMBINE(1, 7)
DAEDALUS_COMBINE(1, 9)

} // namespace daedalus::integrate
