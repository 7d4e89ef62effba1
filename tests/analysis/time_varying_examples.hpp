// Linear time-varying systems of the literature, with all derivatives.
#pragma once

#include "analysis/time_varying.hpp"

namespace daedalus::testing {

using linalg::Matrix;

/// k-th derivative at t of Σ c_p t^p.
inline Matrix polynomial_derivative(const std::vector<Matrix>& c, double t, int k) {
    Matrix sum(c[0].rows(), c[0].cols());
    for (int p = k; p < static_cast<int>(c.size()); ++p) {
        double factor = std::pow(t, p - k);
        for (int q = 0; q < k; ++q) factor *= p - q;
        sum += factor * c[static_cast<std::size_t>(p)];
    }
    return sum;
}

inline analysis::TimeVaryingSystem polynomial_system(std::vector<Matrix> e, std::vector<Matrix> h) {
    analysis::TimeVaryingSystem s;
    s.rows = e[0].rows();
    s.cols = e[0].cols();
    s.e = [e = std::move(e)](double t, int k) { return polynomial_derivative(e, t, k); };
    s.h = [h = std::move(h)](double t, int k) { return polynomial_derivative(h, t, k); };
    return s;
}

inline analysis::TimeVaryingSystem constant_system(const Matrix& e, const Matrix& h) {
    return polynomial_system({e}, {h});
}

/// [-t t²; -1 t] x' + x = 0 has the solutions φ(t) (t, 1) with any φ; its pencils are regular, of index 2 (W 1.2).
inline analysis::TimeVaryingSystem infinitely_many_solutions() {
    return polynomial_system({{{0.0, 0.0}, {-1.0, 0.0}}, {{-1.0, 0.0}, {0.0, 1.0}}, {{0.0, 1.0}, {0.0, 0.0}}},
                             {Matrix::identity(2)});
}

/// [0 0; 1 -t] x' + [1 -t; 0 0] x = c: x₂ = c₂ - c₁', x₁ = c₁ + t x₂; its pencils are singular (HW (1.8)).
inline analysis::TimeVaryingSystem singular_pencils_unique_solution() {
    return polynomial_system({{{0.0, 0.0}, {1.0, 0.0}}, {{0.0, 0.0}, {0.0, -1.0}}},
                             {{{1.0, 0.0}, {0.0, 0.0}}, {{0.0, -1.0}, {0.0, 0.0}}});
}

} // namespace daedalus::testing
