// The Jacobian M = ∂F_k/∂y of a derivative array, eliminated order by order. M is block lower triangular: the equations
// differentiated j times are L_j y_before + E_j x^(j+1). With V a basis of the kernel of the rows above, the next rows
// act on (V c, w) by B = [L V, E] = u₁ Σ v₁ᵀ; the columns [V c; w] of v₁ join V₁, those of its complement are the new
// kernel, u₁ joins U₁ and its complement U₀. So
//     K = U₁ᵀ M V₁    is lower triangular with Σ on its diagonal,
//     M y = −r        is solved by y = −V₁ K⁻¹ U₁ᵀ r, as far as it can be: U₀ᵀ (r − M V₁ K⁻¹ U₁ᵀ r) is left over.
// The singular values of the whole of M would multiply those of its orders, until small ones are taken for zero; here
// each order is decided, and solved, by itself.
#pragma once

#include "linalg/singular_values.hpp"

#include <span>
#include <vector>

namespace daedalus::analysis {

struct ArrayElimination {
    linalg::Matrix rows;                    ///< U₁
    linalg::Matrix left_over;               ///< U₀
    linalg::Matrix columns;                 ///< V₁
    linalg::Matrix kernel;                  ///< orthonormal basis of ker M
    linalg::Matrix core;                    ///< K
    std::vector<linalg::RankGap> decisions; ///< by order
    std::vector<double> singular_values;    ///< of the last order, descending
    bool ok = true;                         ///< singular values converged

    /// V₁ K⁻¹ U₁ᵀ R for a matrix or a column R, and U₁ K⁻ᵀ V₁ᵀ R.
    [[nodiscard]] linalg::Matrix solve(const linalg::Matrix& r) const;
    [[nodiscard]] linalg::Matrix solve_transposed(const linalg::Matrix& r) const;
    /// Smallest value on the diagonal of K relative to the largest of its order, least of all orders.
    double smallest = 1.0;
};

/// How ranks are decided: given, order by order, or by singular values of B relative to the largest.
struct EliminationRule {
    std::span<const int> ranks = {};
    double relative = 0.0; ///< values at or below this share are zero; 0: what rounding leaves
    /// Rows of B to size one: what is small by its unit is not taken for zero. Not for solving: a row that happens to
    /// pass through zero would bring its rounding errors along.
    bool scale_rows = true;
};

/// M with `equations` rows per order; its first `leading` columns belong to no order (x itself, where it may move).
[[nodiscard]] ArrayElimination eliminate(const linalg::Matrix& m, int equations, int unknowns, int leading,
                                         const EliminationRule& rule = {});

/// K⁻¹ R for lower triangular K.
[[nodiscard]] linalg::Matrix forward_substitution(const linalg::Matrix& k, linalg::Matrix r);

} // namespace daedalus::analysis
