// A well-conditioned square set of columns, a basis B, of a wide sparse matrix A = [B N], and its upkeep while the
// numbers change. Exchanging basis column i for column j multiplies |det B| by |T_ij|, T = B⁻¹N: a basis whose T has no
// entry above 1 has locally the largest volume (Goreinov, Tyrtyshnikov & Zamarashkin 1997). Unlike a ratio of whole
// determinants this judges every column by itself, however many there are.
//
// T is not formed: random combinations of the columns of N show the row of B⁻¹N with a large entry, and one transposed
// solve gives that row.
#pragma once

#include "base/sparsity_pattern.hpp"
#include "linalg/linear_solver.hpp"

#include <memory>
#include <span>
#include <vector>

namespace daedalus::integrate {

class ColumnBasis {
public:
    explicit ColumnBasis(SparsityPattern pattern);

    /// Chooses anew: Gaussian elimination, sparsest row first, largest entry in its row. False: A has no full row rank,
    /// or the elimination fills in so much that it was given up.
    [[nodiscard]] bool choose(std::span<const double> values);
    /// Prescribes the columns; as many as A has rows.
    void set(std::span<const int> columns);
    /// The best single exchange found: by what it multiplies |det B|; infinity where B is singular.
    [[nodiscard]] double gain(std::span<const double> values);
    /// Exchanges until no gain above `limit` is found. False: singular.
    [[nodiscard]] bool improve(std::span<const double> values, double limit);

    [[nodiscard]] const SparsityPattern& pattern() const { return pattern_; }
    [[nodiscard]] std::span<const int> columns() const { return basis_; }

private:
    void prepare();

    SparsityPattern pattern_;
    std::vector<int> basis_;                               ///< columns in B, ascending after set()
    std::vector<char> in_basis_;                           ///< per column
    std::unique_ptr<linalg::LinearSolver<double>> solver_; ///< for the pattern of B; null: to be made
    std::vector<double> basis_values_;
    std::vector<double> work_;
    int out_ = -1, in_ = -1; ///< the exchange of the last gain(): position in basis_, column
};

} // namespace daedalus::integrate
