// Rank decisions on dense matrices, for diagnosis: by singular values (the trustworthy one) and by column-pivoted QR
// (cheap, and it names a maximal set of independent columns). Golub & Van Loan, 5.4.1 and 5.5.8.
#pragma once

#include "base/sparsity_pattern.hpp"

#include <span>
#include <vector>

namespace daedalus::linalg {

/// Column-major dense matrix as a view.
struct DenseView {
    std::span<const double> values;
    int rows = 0;
    int cols = 0;
};

struct RankDecision {
    int rank = 0;
    /// Singular values, or |diagonal of R| for the QR decision; descending.
    std::vector<double> singular_values;
    double tolerance = 0.0; ///< values at or below this count as zero
    double gap = 0.0;       ///< last kept over first dropped value; infinite if nothing was dropped or it is 0
    /// False when the decision would change with the tolerance within two decades.
    bool decided = true;
    std::vector<std::vector<double>> left_null;  ///< orthonormal y with yᵀ A = 0: combinations of rows (SVD)
    std::vector<std::vector<double>> right_null; ///< orthonormal z with A z = 0: combinations of columns (SVD)
    std::vector<int> pivots;                     ///< the first `rank` are independent columns (QR)
};

/// Default relative tolerance: max(rows, cols) · ε, as in the backward error of the decomposition.
inline constexpr double default_rank_tolerance = -1.0;

[[nodiscard]] RankDecision rank_by_svd(DenseView a, double relative_tolerance = default_rank_tolerance);
[[nodiscard]] RankDecision rank_by_qr(DenseView a, double relative_tolerance = default_rank_tolerance);

/// Column-major values of a sparse matrix.
[[nodiscard]] std::vector<double> to_dense(const SparsityPattern& pattern, std::span<const double> values);

} // namespace daedalus::linalg
