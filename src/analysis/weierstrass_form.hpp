// Weierstrass–Kronecker form of a regular pencil,
//     P E Q = diag(I, N) ,   P H Q = diag(C, I) ,   N nilpotent                                    HW Thm 1.1, W
//     Thm 1.4
// from its staircase form and one coupled Sylvester equation; never by a Jordan form. N is strictly block upper
// triangular by construction, and C is not reduced further.
#pragma once

#include "analysis/kronecker_staircase.hpp"
#include "analysis/pencil_scaling.hpp"

#include <complex>
#include <optional>

namespace daedalus::analysis {

struct WeierstrassForm {
    linalg::Matrix p, q, c, n;
    int index = 0;                                 ///< smallest k with N^k = 0; 0 if N is empty
    std::vector<std::complex<double>> eigenvalues; ///< finite λ with det(λ E + H) = 0
    double backward_error = 0.0; ///< largest of ‖P E Q - form‖ / (‖P‖ ‖E‖ ‖Q‖) and the same of H
    double condition_p = 1.0, condition_q = 1.0;
    double dif = 0.0; ///< separation of finite and infinite part, of the scaled pencil; infinite if one is empty
};

/// `staircase` is that of the regular pencil `scaled`, `e` and `h` are the matrices before scaling. Nothing if a
/// decomposition fails or a number overflows on the way back.
[[nodiscard]] std::optional<WeierstrassForm> weierstrass_form(const KroneckerStaircase& staircase,
                                                              const ScaledPencil& scaled, const linalg::Matrix& e,
                                                              const linalg::Matrix& h);
/// Scaling and staircase included; nothing unless the pencil is clearly regular.
[[nodiscard]] std::optional<WeierstrassForm> weierstrass_form(const linalg::Matrix& e, const linalg::Matrix& h,
                                                              double noise = 0.0);

/// λ of the finite part of a staircase form, unscaled.
[[nodiscard]] std::optional<std::vector<std::complex<double>>> finite_eigenvalues(const KroneckerStaircase& staircase,
                                                                                  const ScaledPencil& scaled);

} // namespace daedalus::analysis
