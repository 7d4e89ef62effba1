// A linearisation E x' + H x = 0 as
//     x' = A x + B y,      0 = C x + D y,
// by permutations where E is [E₁₁ 0; 0 0] up to them, else by its singular vectors: E = U diag(Σ, 0) Vᵀ and z = Vᵀ x,
// where V turns with t and V₁ᵀ V' joins A and B. And what D, CB, CAB, … say about the index:
//   D regular: index 1; the part of D that is regular eliminated, C'B' regular: index 2; then C'A'B': 3; …
//   zᵀ D = 0 and zᵀ C Aⁱ B = 0 for all i: the pencil is singular                                   MW Thm 9.2
// where "regular" depends on what numbers can be told from zero: the effective index (MW section 7).
#pragma once

#include "linalg/dense_matrix.hpp"

#include <optional>
#include <span>
#include <vector>

namespace daedalus::analysis {

/// E x' + H x = 0 at one time.
struct LinearisedPoint {
    double t = 0.0;
    linalg::Matrix e, h;
};

struct SemiExplicit {
    linalg::Matrix a, b, c, d;
    linalg::Matrix constraint_rows; ///< equations × constraints: which combinations of equations the constraints are
};
/// One point alone; V' is then taken to vanish. Nothing where the pencil is not square.
[[nodiscard]] std::optional<SemiExplicit> semi_explicit(const LinearisedPoint& p);
/// Points that ascend in time; empty where the rank of E changes, or is not clear.
[[nodiscard]] std::vector<SemiExplicit> semi_explicit_along(std::span<const LinearisedPoint> along);

/// The constraints that determine some of y, at the relative accuracy `noise`, used to eliminate that: D = 0 is left.
/// `smallest`: of the singular values used, relative.
struct WithoutIndex1 {
    SemiExplicit rest;
    double smallest = 1.0;
};
[[nodiscard]] WithoutIndex1 eliminate_index_1(const SemiExplicit& s, double noise);

/// The index if numbers below `noise` (relative) cannot be told from zero; 0 without constraints; nothing where even
/// repeated differentiation determines nothing more: then the pencil is singular at that accuracy.
[[nodiscard]] std::optional<int> effective_index_at_noise(const SemiExplicit& s, double noise);

/// Smallest singular value of [D CB CAB …], each block in units of the norms of its factors: 0 if and only if the
/// pencil is singular; where it is small, stability constants are as large as its inverse (MW Example 9.4).
struct SingularDirection {
    double distance = 1.0;
    std::vector<double> combination; ///< zᵀ on the equations of the system
};
[[nodiscard]] SingularDirection singular_direction(const SemiExplicit& s);

} // namespace daedalus::analysis
