// Singular values and the rank decisions made with them. A decision keeps its evidence: the smallest value kept, the
// largest one dropped, and the tolerance between them, so that whoever asks can say how safe it is.
#pragma once

#include "linalg/dense_matrix.hpp"

namespace daedalus::linalg {

/// A = U diag(values) Vᵀ with square orthogonal U and V; values descend.
struct SingularValues {
    Matrix u;
    std::vector<double> values;
    Matrix v;
    bool converged = true; ///< false: not finite, or the iteration failed
};
[[nodiscard]] SingularValues singular_values(const Matrix& a);
/// Without vectors: U and V stay empty.
[[nodiscard]] SingularValues singular_values_only(const Matrix& a);

/// What a rank decision rests on.
struct RankGap {
    int rows = 0;
    int cols = 0;
    int rank = 0;
    double kept = 0.0;      ///< smallest singular value that counts; infinity if none does
    double dropped = 0.0;   ///< largest one that counts as zero; 0 if none does
    double tolerance = 0.0; ///< absolute, between the two
    /// False where a value lies in the grey zone: close to the tolerance on either side, or above it but so small that
    /// noise in the data could have made it.
    bool decided = true;
};

/// How ranks are decided for a matrix whose entries are of size `norm`.
struct RankRule {
    double tolerance = 0.0; ///< at or below: zero
    double doubtful = 0.0;  ///< above the tolerance but below this: not zero, and undecided
};
/// tolerance = max(10 max(m, n) ε, noise) · norm, where `noise` is the relative accuracy of the data;
/// doubtful = max(ε^½, 10³ tolerance / norm) · norm.
/// A value of relative size 10⁻¹⁰ is hardly ever meant: it is rather what is left of a zero after computing with
/// measured or rounded numbers. Where it is meant, scaling reveals it.
[[nodiscard]] RankRule rank_rule(int rows, int cols, double norm, double noise = 0.0);

/// `values` descend.
[[nodiscard]] RankGap decide_rank(std::span<const double> values, int rows, int cols, const RankRule& rule);

/// Orthogonal U with Uᵀ A = [R; 0], R of full row rank `gap.rank`. By pivoted QR where its bounds
/// σ_r ≥ σ_min(R₁₁) and σ_{r+1} ≤ ‖R₂₂‖ leave no doubt and the matrix is large, by SVD otherwise.
struct RowCompression {
    Matrix u;
    RankGap gap;
    bool ok = true;
};
[[nodiscard]] RowCompression compress_rows(const Matrix& a, const RankRule& rule);

/// Orthonormal bases of {x: A x = 0}, of the range, and of what is orthogonal to it.
[[nodiscard]] Matrix null_space(const Matrix& a, const RankRule& rule, RankGap* gap = nullptr);
[[nodiscard]] Matrix range(const Matrix& a, const RankRule& rule, RankGap* gap = nullptr);
/// Columns that complete orthonormal (or only independent) columns `a` to a basis of the whole space.
[[nodiscard]] Matrix orthogonal_complement(const Matrix& a);

/// Moore–Penrose inverse.
[[nodiscard]] Matrix pseudo_inverse(const Matrix& a, const RankRule& rule);

} // namespace daedalus::linalg
