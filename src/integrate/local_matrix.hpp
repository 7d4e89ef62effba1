// The matrix that decides what given states determine: columns ∂F/∂x'_j of differential and ∂F/∂x_j of algebraic
// unknowns, [∂F/∂x'_d, ∂F/∂x_a], the limit of J + σ M for σ → ∞ with columns of differential unknowns divided by σ. It
// is regular exactly where the problem has index ≤ 1. Here is what an entry of it is and how some of its entries become
// a matrix of their own, for all who solve with it (consistency_matrix, local_system, consistent_jump); and, as
// LocalMatrix, how far it is from singular.
#pragma once

#include "integrate/iteration_matrix.hpp"

#include <memory>
#include <vector>

namespace daedalus::integrate {

/// An entry from those of ∂F/∂x and ∂F/∂x'. With σ > 0 the states may move by the change of their derivatives over σ;
/// with σ = 0 they are held.
[[nodiscard]] inline double local_entry(double of_x, double of_dx, bool differential, double sigma = 0.0) {
    if (!differential) return of_x;
    return sigma > 0.0 ? of_dx + of_x / sigma : of_dx;
}

/// Some entries of a matrix as a matrix of their own.
struct ChosenEntries {
    SparsityPattern pattern;
    std::vector<int> entry;  ///< of the whole pattern, per own entry
    std::vector<int> column; ///< of the whole pattern, per own column
};

/// Columns j for which `keep(j)`, in them entries k for which `chosen(j, k)`, in the row `row_of(its row)` of `rows`.
template <class Keep, class RowOf, class Chosen>
[[nodiscard]] ChosenEntries choose_entries(const SparsityPattern& whole, int rows, Keep keep, RowOf row_of,
                                           Chosen chosen) {
    ChosenEntries own;
    own.pattern.rows = rows;
    own.pattern.column_start.reserve(static_cast<std::size_t>(whole.cols) + 1);
    own.pattern.column_start.push_back(0);
    for (int j = 0; j < whole.cols; ++j) {
        if (!keep(j)) continue;
        own.column.push_back(j);
        for (int k = whole.column_start[static_cast<std::size_t>(j)];
             k < whole.column_start[static_cast<std::size_t>(j) + 1]; ++k) {
            const int row = row_of(whole.row_index[static_cast<std::size_t>(k)]);
            if (row < 0 || !chosen(j, k)) continue;
            own.entry.push_back(k);
            own.pattern.row_index.push_back(row);
        }
        own.pattern.column_start.push_back(own.pattern.nonzeros());
    }
    own.pattern.cols = static_cast<int>(own.column.size());
    return own;
}
/// … of all columns and rows.
template <class Chosen>
[[nodiscard]] ChosenEntries choose_entries(const SparsityPattern& whole, Chosen chosen) {
    return choose_entries(
        whole, whole.rows, [](int) { return true; }, [](int row) { return row; }, chosen);
}

/// The whole of it with the states released. Rows and columns are measured in the sizes of the unknowns, so that its
/// smallest singular value tells how well the rows determine the unknowns.
class LocalMatrix {
public:
    LocalMatrix(const problem::ImplicitProblem& problem, linalg::SolverKind kind);
    /// Smallest singular value at a point (entries are at most 1); 0 if singular, NaN if F is not defined there.
    [[nodiscard]] double smallest_singular_value(double t, const double* x, const double* dx, double sigma);
    /// Singular vectors that belong to it, in the sizes of the unknowns; `left` may be empty. Entries of differential
    /// unknowns are those of their derivatives.
    [[nodiscard]] const std::vector<double>& right() const { return right_; }
    [[nodiscard]] const std::vector<double>& left() const { return left_; }
    [[nodiscard]] const std::vector<char>& differential() const { return differential_; }

private:
    void fill(const double* x, double sigma);
    [[nodiscard]] double inverse_iteration();

    const problem::ImplicitProblem& problem_;
    std::vector<double> jx_, jdx_, values_, row_size_, right_, left_;
    std::vector<char> differential_; ///< x'_j occurs in F
    std::unique_ptr<linalg::LinearSolver<double>> solver_;
};

} // namespace daedalus::integrate
