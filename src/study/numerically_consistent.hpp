// Initial values that are consistent with the difference equations of BDF on index 3, not only with the DAE.
//
//   p' = U(t, q),   q' = F(t, p, q) + G(t, p, q) Λ,   0 = R(t, p),   R_p U_q G regular                       NC (4.1)
//
// Started from exact values, implicit Euler gives Λ_1 with an error O(1): R(p_n) = 0 forces R_p U_q on q_1 to carry
// the defect -h/2 p'' of the difference quotient, and q_0 carries none. Shifting q_0 in the range of G removes it:
//
//   q_0 := q(0) - A U_q (q_1 - q(0)) - h A U_t,   A = G (R_p U_q G)^{-1} R_p,                               NC (4.2)
//
// at t_1, with q_1 of the step from exact values; for Euler–Lagrange equations, M q' = F + G^T λ, it is
// v_0 := v(0) + B (v(0) - v_1), B = M^{-1} G^T (G M^{-1} G^T)^{-1} G                                         NC (3.3).
//
// For k steps the defect of the difference quotient is -h^k p^{(k+1)} / (k+1); the same shift of all k starting values,
// with p^{(k+1)} from a divided difference of the given p and p', makes Λ accurate to O(h^k) from the first step
// (without it O(h^{k-1}) in the first k + 1 steps, W Thm 2.7).
#pragma once

#include "study/integration.hpp"

namespace daedalus::study {

/// The form NC (4.1), functions as templates through set_residual: unknowns x = (p, q, Λ).
struct MultiplierProblem {
    Problem problem; ///< F(t, x, x') = 0 with rows p' - U, q' - F - GΛ, R
    int n = 0;       ///< dimension of p
    int m = 0;       ///< of q
    int s = 0;       ///< of Λ
};

/// G (R_p U_q G)^{-1} R_p, of size m × n, with all functions at (t, x).
[[nodiscard]] Matrix shift_matrix(const MultiplierProblem& problem, Real t, const Vector& x, const Vector& dx);

/// For implicit Euler with step h from exact values x0 at t0. Only q changes.
[[nodiscard]] Vector numerically_consistent(const MultiplierProblem& problem, Real t0, Real h, const Vector& x0);

/// For k-step BDF, k ≥ 2: values of the solution at k equidistant times, each with p' (in dx), shifted in q.
[[nodiscard]] StartValues numerically_consistent(const MultiplierProblem& problem, const Vector& times,
                                                 StartValues exact);

} // namespace daedalus::study
