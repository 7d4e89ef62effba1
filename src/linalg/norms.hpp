// Vector norms, the 1-norm of a sparse matrix, and Higham's estimator of ‖A⁻¹‖₁ from a few solves
// (Hager 1984; Higham 1988, Algorithm 4.1).
#pragma once

#include "base/sparsity_pattern.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <span>

namespace daedalus::linalg {

template <class Scalar>
[[nodiscard]] double norm_inf(std::span<const Scalar> v) {
    double largest = 0.0;
    for (const Scalar& a : v) {
        const double m = std::abs(a);
        if (!(m <= largest)) largest = m; // keeps NaN
    }
    return largest;
}

template <class Scalar>
[[nodiscard]] double norm_1(std::span<const Scalar> v) {
    double sum = 0.0;
    for (const Scalar& a : v) sum += std::abs(a);
    return sum;
}

/// Scaled by the largest entry, so that 1e200 does not overflow.
template <class Scalar>
[[nodiscard]] double norm_2(std::span<const Scalar> v) {
    const double largest = norm_inf(v);
    if (largest == 0.0 || !std::isfinite(largest)) return largest;
    double sum = 0.0;
    for (const Scalar& a : v) sum += (std::abs(a) / largest) * (std::abs(a) / largest);
    return largest * std::sqrt(sum);
}

/// Largest column sum.
template <class Scalar>
[[nodiscard]] double matrix_norm_1(const SparsityPattern& pattern, std::span<const Scalar> values) {
    double largest = 0.0;
    for (std::size_t j = 0; j + 1 < pattern.column_start.size(); ++j) {
        const auto first = static_cast<std::size_t>(pattern.column_start[j]);
        const auto last = static_cast<std::size_t>(pattern.column_start[j + 1]);
        largest = std::max(largest, norm_1(values.subspan(first, last - first)));
    }
    return largest;
}

/// Lower bound, usually within a factor 3, of ‖A⁻¹‖₁. `solve` and `solve_adjoint` (conjugate transpose) work in
/// place; `x` and `y` are workspace of A's size.
template <class Scalar, class Solve, class SolveAdjoint>
[[nodiscard]] double estimate_inverse_norm_1(std::span<Scalar> x, std::span<Scalar> y, Solve&& solve,
                                             SolveAdjoint&& solve_adjoint) {
    const std::size_t n = x.size();
    if (n == 0) return 0.0;
    std::fill(x.begin(), x.end(), Scalar(1.0 / static_cast<double>(n)));
    double estimate = 0.0;
    std::size_t previous = n;
    for (int iteration = 0; iteration < 5; ++iteration) { // Higham: more than 4 hardly ever helps
        solve(x);
        const double norm = norm_1(std::span<const Scalar>(x));
        if (!(norm > estimate)) break;
        estimate = norm;
        for (std::size_t i = 0; i < n; ++i) {
            const double m = std::abs(x[i]);
            y[i] = m > 0.0 ? x[i] / m : Scalar(1.0);
        }
        solve_adjoint(y);
        std::size_t best = 0;
        for (std::size_t i = 1; i < n; ++i)
            if (std::abs(y[i]) > std::abs(y[best])) best = i;
        if (best == previous) break;
        previous = best;
        std::fill(x.begin(), x.end(), Scalar(0.0));
        x[best] = Scalar(1.0);
    }
    // The alternating vector catches matrices on which the gradient walk stops early.
    for (std::size_t i = 0; i < n; ++i) {
        const double grow = n > 1 ? static_cast<double>(i) / static_cast<double>(n - 1) : 0.0;
        x[i] = Scalar((i % 2 == 0 ? 1.0 : -1.0) * (1.0 + grow));
    }
    solve(x);
    return std::max(estimate, 2.0 * norm_1(std::span<const Scalar>(x)) / (3.0 * static_cast<double>(n)));
}

} // namespace daedalus::linalg
