// Small matrices times blocks of stages: out_i = Σ_j C_ij in_j for S vectors of n components stored one after the
// other, as Runge–Kutta methods need them for x', for the transformation by T and for starting values.
//
// Two components at a time in vector registers that every processor has; each component is rounded as in the plain
// loop over j.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

namespace daedalus::integrate {

namespace stage_algebra {

using Pair = double __attribute__((vector_size(16)));

template <class Lane>
[[gnu::always_inline]] inline Lane load(const double* from) {
    Lane lane;
    std::memcpy(&lane, from, sizeof lane);
    return lane;
}
template <class Lane>
[[gnu::always_inline]] inline void store(double* to, Lane lane) {
    std::memcpy(to, &lane, sizeof lane);
}

template <class Lane, int Rows, int Columns>
[[gnu::always_inline]] inline void column(const std::array<double, Rows * Columns>& C, std::size_t n, const double* in,
                                          double* out) {
    Lane v[Columns];
#pragma GCC unroll 9
    for (int j = 0; j < Columns; ++j) v[j] = load<Lane>(in + static_cast<std::size_t>(j) * n);
#pragma GCC unroll 9
    for (int i = 0; i < Rows; ++i) {
        Lane sum = C[static_cast<std::size_t>(i * Columns)] * v[0];
#pragma GCC unroll 9
        for (int j = 1; j < Columns; ++j) sum += C[static_cast<std::size_t>(i * Columns + j)] * v[j];
        store(out + static_cast<std::size_t>(i) * n, sum);
    }
}

} // namespace stage_algebra

/// C is row-major; `out` may be `in`.
template <int Rows, int Columns>
void combine_stages(const std::array<double, Rows * Columns>& C, std::size_t n, const double* in, double* out) {
    std::size_t k = 0;
    for (; k + 2 <= n; k += 2) stage_algebra::column<stage_algebra::Pair, Rows, Columns>(C, n, in + k, out + k);
    if (k < n) stage_algebra::column<double, Rows, Columns>(C, n, in + k, out + k);
}

} // namespace daedalus::integrate
