// How well a linear solver solves: for the tests of this folder.
#pragma once

#include "linalg/linear_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace daedalus::linalg {

inline constexpr double eps = std::numeric_limits<double>::epsilon();

template <class Scalar>
Scalar random_scalar(std::mt19937& rng) {
    std::uniform_real_distribution<double> u(-1.0, 1.0);
    if constexpr (std::is_same_v<Scalar, double>)
        return u(rng);
    else
        return {u(rng), u(rng)};
}

/// max_i |A x - b|_i / (|A||x| + |b|)_i: the componentwise backward error (Oettli & Prager 1964).
template <class Scalar>
double backward_error(const SparsityPattern& p, const std::vector<Scalar>& a, const std::vector<Scalar>& x,
                      const std::vector<Scalar>& b, bool transposed = false) {
    const std::size_t n = b.size();
    std::vector<Scalar> r(n);
    std::vector<double> size(n);
    for (std::size_t i = 0; i < n; ++i) {
        r[i] = -b[i];
        size[i] = std::abs(b[i]);
    }
    for (std::size_t j = 0; j < n; ++j)
        for (int k = p.column_start[j]; k < p.column_start[j + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            const auto i = static_cast<std::size_t>(p.row_index[e]);
            const std::size_t to = transposed ? j : i, from = transposed ? i : j;
            r[to] += a[e] * x[from];
            size[to] += std::abs(a[e]) * std::abs(x[from]);
        }
    double worst = 0.0;
    for (std::size_t i = 0; i < n; ++i)
        if (size[i] > 0.0) worst = std::max(worst, std::abs(r[i]) / size[i]);
    return worst;
}

template <class Scalar>
void expect_solves(LinearSolver<Scalar>& solver, const SparsityPattern& p, const std::vector<Scalar>& a,
                   std::mt19937& rng, double factor) {
    ASSERT_EQ(solver.factor(a), FactorStatus::ok);
    std::vector<Scalar> b(static_cast<std::size_t>(p.cols));
    for (Scalar& v : b) v = random_scalar<Scalar>(rng);
    std::vector<Scalar> x = b;
    solver.solve(x);
    EXPECT_LT(backward_error(p, a, x, b), factor * eps) << solver.name();
    x = b;
    solver.solve_transposed(x);
    EXPECT_LT(backward_error(p, a, x, b, true), factor * eps) << solver.name();
}

} // namespace daedalus::linalg
