// An index-1 system that is close to one of index 2,
//     x' = A x + B y + p,      0 = C x + D y + q,      D = ε I, CB nonsingular, as many y as x        MW (5.1)–(5.5)
// (another regular D is brought to that form: the constraints are multiplied by ε D⁻¹ with ε = ‖D‖). The estimates of
// index 1 contain ‖D⁻¹‖ and say nothing as ε → 0; those of index 2 remain, with one derivative of q:
//     κ₂/ε is bounded                                                                                 MW Property 5.1
//     ‖x‖ ≤ κ₁ ‖x(0)‖ + κ₂ ‖p‖ + (1 + κ₁) β ‖q‖ + κ₂ (κ₃ ‖q‖ + β ‖q'‖)
//     ‖y‖ ≤ κ₁ ‖C‖ ‖C(0)⁻¹‖ ‖y(0)‖ + (κ₂/ε) ‖C‖ (‖p‖ + κ₃ ‖q‖ + β ‖q'‖)                              MW Theorem 5.2
// to first order in ε, with β = ‖B‖ ‖(CB)⁻¹‖ and κ₃ a bound of the derivative of B (CB)⁻¹.
//
// An index-2 system (D = 0) with CB = ε I, once its slow part is split off, obeys the same with CA for C and C p + q'
// for q (MW Theorem 6.1). What is split off is fast in the range of B: x = B w + …,  w' = −ε⁻¹ (CAB w + C p + q') + …,
// so that the theorem is applied to w with I for B and CAB for C.
#pragma once

#include "analysis/semi_explicit.hpp"

#include <optional>
#include <span>

namespace daedalus::analysis {

/// Factors of a bound: of what x, or y, is at the start, and of sup norms.
struct BoundFactors {
    double start = 0.0, p = 0.0, q = 0.0, dq = 0.0;
};

struct NearIndex2 {
    double epsilon = 0.0;
    double scaled_kappa2 = 0.0; ///< κ₂/ε
    double kappa3 = 0.0;
    BoundFactors x, y;
};

/// One system with D = ε I; `kappa3` is 0 for constant coefficients.
[[nodiscard]] std::optional<NearIndex2> near_index_2(const linalg::Matrix& b, const linalg::Matrix& c, double epsilon,
                                                     double kappa1, double kappa2, double kappa3 = 0.0);

/// Index 1 along a solution, largest factors; nothing where the assumptions do not hold: D not small beside CB, CB
/// singular, more x than y, or motions that do not decay within a time of order ε.
[[nodiscard]] std::optional<NearIndex2> near_index_2(std::span<const LinearisedPoint> along, double kappa1,
                                                     double kappa2);

/// Index 2 with small CB along a solution: factors of w and y, with C p + q' in the place of q. Nothing where CAB is
/// singular, not large beside CB over the length of the interval, or without decay.
[[nodiscard]] std::optional<NearIndex2> near_index_3(std::span<const LinearisedPoint> along);

} // namespace daedalus::analysis
