// Which rows of a sparse matrix of numbers depend on others, and how: Σ weight_k row_k = 0. Decided with the round-off
// that the entries carry, independent of the units of rows and columns.
#pragma once

#include "elimination/sparse_elimination.hpp"

namespace daedalus::elimination {

struct RowDependency {
    std::vector<int> rows; ///< ascending; none of them can be missed
    std::vector<double> weights;
};

struct DependentRows {
    std::vector<RowDependency> found; ///< as many as the rank falls short of the rows
    bool decided = true;              ///< false: given up, the matrix fills in too much
};

/// Entries touched before elimination is given up: about a second.
inline constexpr std::size_t usual_work = 50'000'000;

/// `relative_error`: of each entry as given.
[[nodiscard]] DependentRows dependent_rows(const std::vector<SparseRow<double>>& rows, int columns,
                                           double relative_error, std::size_t most_work = usual_work);

/// Columns become rows.
[[nodiscard]] std::vector<SparseRow<double>> transposed(const std::vector<SparseRow<double>>& rows, int columns);

} // namespace daedalus::elimination
