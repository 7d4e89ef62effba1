// The Radau IIA method with s stages (order 2s-1), computed from its definition in extended precision.
//
//   c       zeros of d^{s-1}/dx^{s-1} ( x^{s-1} (x-1)^s ),                                      HW IV.5, (5.6)
//   A       a_ij = ∫_0^{c_i} ℓ_j(τ) dτ  (collocation), so b = last row (stiffly accurate)
//   Λ       T^{-1} A^{-1} T = diag( γ, [α_k -β_k; β_k α_k] … ), s odd: one real eigenvalue        HW IV.8, (8.7)
//   error   the embedded formula of order s with the explicit stage f(x_n) weighted by γ_0 = 1/γ:  HW (8.17)-(8.20)
//           x̂ - x = γ_0 h f(x_n) + Σ e_i Z_i ;  `error[i]` is γ e_i.
// Matrices are row-major.
#pragma once

#include <span>
#include <vector>

namespace daedalus::tableau {

struct RadauIIA {
    int stages = 0;
    std::vector<double> c;
    std::vector<double> A;
    std::vector<double> A_inverse;
    double gamma = 0.0;
    std::vector<double> alpha; ///< (s-1)/2 pairs α ± iβ, β > 0
    std::vector<double> beta;
    std::vector<double> T; ///< columns: real eigenvector, then (Re, Im) of each pair, last component scaled to 1
    std::vector<double> T_inverse;
    std::vector<double> error;
    double between = 0.0;         ///< max θ Π |θ - c_j| over the step
    std::vector<double> lagrange; ///< 1 / (c_i Π_{j≠i} (c_i - c_j))

    [[nodiscard]] int order() const { return 2 * stages - 1; }

    /// The collocation polynomial x_n + Σ ℓ_j(θ) Z_j at t_n + θ h: weights and their derivatives by θ.
    void collocation_weights(double theta, std::span<double> weight, std::span<double> slope) const;
    /// The weights alone.
    void collocation_weights(double theta, std::span<double> weight) const;
};

/// s = 1, 3, 5, 7 or 9. Computed once per process: in quadruple precision it takes as long as hundreds of steps.
[[nodiscard]] const RadauIIA& make_radau_iia(int stages);

} // namespace daedalus::tableau
