// Polynomials for continuous output from values and slopes.
//
// Two-step Hermite: the quintic through (x, x') at t_{n-1}, t_n, t_{n+1}. End points of a Radau step are of order
// 2s-1 while its collocation polynomial is only of order s; where x' follows from F at the end points, the quintic
// is of order 5 between them too.
#pragma once

#include <array>

namespace daedalus::integrate {

/// Weights of six data for value and slope at one time, the same for every component.
struct HermiteWeights {
    std::array<double, 3> value_x, value_dx; ///< x(t)  = Σ value_x x_k + value_dx x'_k
    std::array<double, 3> slope_x, slope_dx; ///< x'(t) = Σ slope_x x_k + slope_dx x'_k
};

/// Generalised Lagrange basis of degree 5 for the distinct times t_0, t_1, t_2.
[[nodiscard]] inline HermiteWeights hermite_weights(const std::array<double, 3>& node, double t) {
    HermiteWeights w{};
    for (int k = 0; k < 3; ++k) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        const double pa = 1.0 / (node[k] - node[a]), pb = 1.0 / (node[k] - node[b]);
        const double l = (t - node[a]) * pa * (t - node[b]) * pb;            // ℓ_k(t)
        const double dl = pa * (t - node[b]) * pb + (t - node[a]) * pa * pb; // ℓ_k'(t)
        const double dl_k = pa + pb;                                         // ℓ_k'(t_k)
        const double d = t - node[k];
        w.value_x[k] = (1.0 - 2.0 * d * dl_k) * l * l;
        w.value_dx[k] = d * l * l;
        w.slope_x[k] = -2.0 * dl_k * l * l + (1.0 - 2.0 * d * dl_k) * 2.0 * l * dl;
        w.slope_dx[k] = l * l + d * 2.0 * l * dl;
    }
    return w;
}

} // namespace daedalus::integrate
