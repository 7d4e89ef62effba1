// What a polynomial of degree d leaves out, component by component, told by its last two coefficients in Chebyshev
// polynomials of [begin, end]: about |a_d| times the ratio in which they shrink, all components together. One of both
// may vanish by accident (odd and even functions), hence both count. An estimate of sizes relative to each other, not a
// bound.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

namespace daedalus::integrate {

/// `evaluate(t, x)`; `weights`: 1 / tolerance.
template <class Evaluate>
void estimate_polynomial_error(double begin, double end, int degree, std::span<const double> weights,
                               Evaluate&& evaluate, std::vector<double>& error) {
    const std::size_t n = weights.size();
    std::vector<double> x(n), last(n, 0.0), before(n, 0.0);
    const int nodes = degree + 1;
    for (int k = 0; k < nodes; ++k) {
        const double angle = std::numbers::pi * (k + 0.5) / nodes;
        evaluate(0.5 * (begin + end) + 0.5 * (end - begin) * std::cos(angle), x.data());
        const double of_last = 2.0 / nodes * std::cos(degree * angle),
                     of_before = (degree > 1 ? 2.0 : 1.0) / nodes * std::cos((degree - 1) * angle);
        for (std::size_t i = 0; i < n; ++i) {
            last[i] += of_last * x[i];
            before[i] += of_before * x[i];
        }
    }
    double size = 0.0, size_before = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        size += std::pow(weights[i] * last[i], 2);
        size_before += std::pow(weights[i] * before[i], 2);
    }
    const double shrinks = size < size_before ? std::sqrt(size / size_before) : 1.0;
    error.resize(n);
    for (std::size_t i = 0; i < n; ++i) error[i] = shrinks * std::hypot(last[i], shrinks * before[i]);
}

} // namespace daedalus::integrate
