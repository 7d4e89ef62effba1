// Newton's method with a new matrix in every iteration, continued until round-off stops it. The integrators' Newton
// (nonlinear/newton) stops at a tolerance; here the error of the method is measured, so nothing else may be seen.
#pragma once

#include "study/small_dense.hpp"

namespace daedalus::study {

/// `assemble(u, r, J)` fills residual and Jacobian at u. False: singular, not finite, or no convergence.
template <class Assemble>
[[nodiscard]] bool newton_to_round_off(Vector& u, Assemble&& assemble) {
    const int n = static_cast<int>(u.size());
    constexpr int most_iterations = 60;
    Real previous = std::numeric_limits<Real>::infinity();
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
        Vector r(u.size());
        Matrix J(n, n);
        assemble(u, r, J);
        if (!std::isfinite(max_norm(r)) || !solve_in_place(J, r)) return false;
        Real change = 0;
        for (std::size_t i = 0; i < u.size(); ++i) {
            u[i] -= r[i];
            change = std::max(change, std::abs(r[i]) / (1 + std::abs(u[i])));
        }
        if (!std::isfinite(change)) return false;
        // Quadratic convergence ends in corrections that no longer shrink.
        if (change <= 4 * round_off || (change < 1e-9L && change > previous / 4)) return true;
        previous = change;
    }
    return previous < 1e-9L;
}

} // namespace daedalus::study
