// Stability constants of a linearisation along a solution, from the fundamental solution of its underlying equation:
//   index 1 (D nonsingular):  X' = (A − B D⁻¹C) X, X(0) = I;
//         κ₁ = sup ‖X(t)‖,  κ₂ = sup ∫₀ᵗ ‖X(t) X⁻¹(s)‖ ds                                                     MW (2.6)
//   index 2 (D = 0, CB nonsingular):  the same for W(t) = (I − P) Z (I − P(0)), Z' = ((I − P) A − P') Z, with the
//         projector P = B (CB)⁻¹ C                                                                     MW (3.4), (3.21)
// Where D or CB is nearly singular the equation is stiff: solutions decay within a time ε far shorter than the distance
// of the points. Transitions are therefore exponentials, which decay where solutions do, and the integral over s is
// taken on points that crowd towards t.
#pragma once

#include "analysis/semi_explicit.hpp"

#include <optional>
#include <span>
#include <string>

namespace daedalus::analysis {

struct StabilityConstants {
    std::optional<double> kappa1, kappa2;
    std::string reason; ///< how found, or why not
};

/// Points ascend in time; `index` is 1 (or 0, without constraints) or 2.
[[nodiscard]] StabilityConstants stability_constants(std::span<const LinearisedPoint> along, int index);

/// Underlying equation z' = K z, and what its solutions are restricted to: I − P, or I.
struct UnderlyingEquation {
    linalg::Matrix k, restricted;
};
/// Nothing where D, or CB, is singular.
[[nodiscard]] std::optional<UnderlyingEquation> underlying_equation(const SemiExplicit& s, int index);

} // namespace daedalus::analysis
