// Newton's method of `nonlinear`, in 64-bit mantissas and continued until round-off stops it: the error of a method is
// measured, so nothing else may be seen.
#pragma once

#include "nonlinear/newton.hpp"
#include "study/small_dense.hpp"

namespace daedalus::study {

/// r(u) = 0 with its Jacobian, for `nonlinear::damped_newton`; no merit: steps are whole.
template <class Assemble>
struct FullEquation {
    Vector& u;
    Assemble& assemble;
    Vector r;
    Matrix J;

    bool linearise() {
        r.assign(u.size(), 0);
        J = Matrix(static_cast<int>(u.size()), static_cast<int>(u.size()));
        assemble(u, r, J);
        return std::isfinite(max_norm(r)) && solve_in_place(J, r);
    }
    void solve() const {} // r became the correction: a singular matrix shows only there
    double update(double) {
        Real change = 0;
        for (std::size_t i = 0; i < u.size(); ++i) {
            u[i] -= r[i];
            if (const Real size = std::abs(r[i]) / (1 + std::abs(u[i])); !(size <= change)) change = size;
        }
        return static_cast<double>(change);
    }
};

/// `assemble(u, r, J)` fills residual and Jacobian at u. False: singular, not finite, or no convergence.
template <class Assemble>
[[nodiscard]] bool newton_to_round_off(Vector& u, Assemble&& assemble) {
    // Quadratic convergence ends in corrections that no longer shrink. Stage derivatives of an index-3 multiplier feel
    // round-off divided by h³.
    constexpr double small = 1e-6;
    FullEquation<std::remove_reference_t<Assemble>> equation{u, assemble, {}, {}};
    nonlinear::DampingOptions options;
    options.negligible = 4 * static_cast<double>(round_off);
    options.round_off_level = small;
    const nonlinear::NewtonResult result = nonlinear::damped_newton(equation, options);
    return result.usable() || (result.status == nonlinear::NewtonStatus::too_slow && result.last_norm < small);
}

} // namespace daedalus::study
