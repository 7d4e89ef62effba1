// Whether a matrix is clearly regular, for those who expect it to be: elimination, which costs a tenth of singular
// values and less, bounds the smallest of them from below. Where the bound is not enough, singular values decide.
#pragma once

#include "linalg/rank.hpp"

#include <optional>
#include <vector>

namespace daedalus::linalg {

/// True only if rank_by_svd(a, relative_tolerance) finds full rank: with σ_min ≥ 1/‖A⁻¹‖_F and σ_max ≤ ‖A‖_F (Golub &
/// Van Loan, 2.3 and 2.4), 1/‖A⁻¹‖_F is larger than the tolerance times ‖A‖_F by a margin for rounding. Square
/// matrices.
[[nodiscard]] bool clearly_regular(DenseView a, double relative_tolerance);

/// A⁻¹ by Gauss–Jordan elimination with partial pivoting, column-major; nothing where a pivot is zero.
[[nodiscard]] std::optional<std::vector<double>> inverse_of(DenseView a);

} // namespace daedalus::linalg
