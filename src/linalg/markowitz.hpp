// The pivot order of a sparse elimination, chosen once for many matrices: among entries large enough in their column
// the one with the smallest product (r - 1)(c - 1) of the counts of its row and column (Markowitz 1957), looked for
// in the few shortest rows and columns only (Zlatev 1980). Several sample matrices are eliminated side by side, and a
// pivot must be large enough in each: the order then suits what the values do along a solution.
//
// Elimination is confined to the diagonal blocks of the block triangular form: entries right of them make no fill.
#pragma once

#include "base/sparsity_pattern.hpp"

#include <complex>
#include <span>
#include <vector>

namespace daedalus::linalg {

/// Step k takes pivot (row[k], col[k]). Rows and columns are those of the matrix, not positions in the order.
struct EliminationOrder {
    std::vector<int> row, col;
    std::vector<int> block_start;    ///< steps at which diagonal blocks begin; one more at the end
    std::vector<int> l_start, l_row; ///< column k of L: the rows below the pivot
    std::vector<int> u_start, u_col; ///< row k of U: the columns right of the pivot
    double multiplications = 0.0;    ///< of the elimination
    int levels = 0;                  ///< pivots that wait for one another, in the longest chain of them
};

enum class OrderStatus {
    ok,
    no_pivot, ///< nothing that is not zero was left (or nothing large enough in all samples)
    too_large ///< more multiplications than allowed
};

struct MarkowitzOptions {
    /// A pivot is at least this share of the largest entry of its column: 0.1 bounds each multiplier by 10 and costs
    /// hardly any sparsity (Duff, Erisman & Reid 2017, 7.8).
    double threshold = 0.1;
    double most_multiplications = 1e7;
    /// A pivot counts as so many products more for every pivot that its chain has to wait for: above zero, a matrix
    /// that would be eliminated from its ends is begun in many places, for more products but with less waiting.
    double waiting = 0.0;
};

/// `samples`: values of equilibrated matrices on the pattern, at least one.
template <class Scalar>
[[nodiscard]] OrderStatus markowitz_order(const SparsityPattern& pattern, std::span<const std::vector<Scalar>> samples,
                                          const MarkowitzOptions& options, EliminationOrder& order);

extern template OrderStatus markowitz_order(const SparsityPattern&, std::span<const std::vector<double>>,
                                            const MarkowitzOptions&, EliminationOrder&);
extern template OrderStatus markowitz_order(const SparsityPattern&, std::span<const std::vector<std::complex<double>>>,
                                            const MarkowitzOptions&, EliminationOrder&);

} // namespace daedalus::linalg
