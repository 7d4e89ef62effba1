// What a pair of matrices says about the linear system E x' + H x = c(t): regular or singular, index, blocks of the
// Kronecker form, eigenvalues, Weierstrass form. Every rank decision comes with its evidence, and where that does not
// suffice the verdict is "undecided, because …".
//
//   const auto e = daedalus::read_matrix("E.mtx"), h = daedalus::read_matrix("H.mtx");
//   const auto pencil = daedalus::analyze_pencil(*e, *h);
//   if (pencil->index) use(*pencil->index);
#pragma once

#include "daedalus/expected.hpp"

#include <complex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace daedalus {

/// A matrix by its entries, from 0; those that are repeated add up, those that are absent are zero.
struct MatrixData {
    struct Entry {
        int row = 0;
        int col = 0;
        double value = 0.0;
    };
    int rows = 0;
    int cols = 0;
    std::vector<Entry> entries;

    /// From all values, column by column.
    [[nodiscard]] static MatrixData dense(int rows, int cols, const std::vector<double>& values);
};

/// A file in Matrix Market format: array or coordinate, real or integer, general, symmetric or skew-symmetric.
[[nodiscard]] Expected<MatrixData> read_matrix(const std::string& path);
/// The same from text; `name` is used in messages.
[[nodiscard]] Expected<MatrixData> parse_matrix(const std::string& text, const std::string& name = "matrix");

struct PencilOptions {
    double noise = 0.0;     ///< relative accuracy of the entries; 0: exact up to rounding
    int dense_limit = 1500; ///< larger ones are tested for regularity only
};

/// A rank decision: singular values down to `kept` count, from `dropped` on they are zero.
struct PencilRankGap {
    std::string what;
    int rows = 0;
    int cols = 0;
    int rank = 0;
    std::optional<double> kept; ///< none if the rank is 0
    double dropped = 0.0;
    double tolerance = 0.0;
    bool decided = true;
};

/// Sizes of the blocks of the Kronecker form.
struct PencilBlocks {
    std::vector<int> infinite;              ///< nilpotent blocks, descending: the first is the index
    std::vector<int> right_minimal_indices; ///< of L_ε, each an undetermined function
    std::vector<int> left_minimal_indices;  ///< of L_ηᵀ, each a condition on c
    int finite = 0;                         ///< number of finite eigenvalues
};

/// P E Q = diag(I, N), P H Q = diag(C, I); column by column.
struct PencilTransformation {
    std::vector<double> p, q, c, n;
    double condition_p = 0.0;
    double condition_q = 0.0;
};

struct PencilAnalysis {
    int rows = 0;
    int cols = 0;
    bool decided = false;
    std::string verdict;              ///< "regular, index 2", "singular: …", "undecided, because …"
    std::vector<std::string> reasons; ///< why undecided
    std::optional<bool> regular;
    std::optional<int> index;           ///< of a regular pencil
    std::optional<PencilBlocks> blocks; ///< if decided
    std::optional<PencilBlocks> likely; ///< if undecided: what the tolerance in use gives
    std::optional<std::vector<std::complex<double>>> finite_eigenvalues;
    std::optional<double> backward_error;  ///< of the form found, relative
    std::optional<int> degrees_of_freedom; ///< initial values to be chosen = dimension of the consistent ones
    std::vector<PencilRankGap> rank_gaps;
    std::optional<PencilTransformation> weierstrass;
    std::string cross_check; ///< what a second, independent way to the index says
    /// Coefficients of x(λ) = x₀ + λ x₁ + … with (λ E + H) x(λ) = 0 and, from the left, of the equations.
    std::vector<std::vector<double>> right_null, left_null;
    std::vector<std::string> meaning; ///< for E x' + H x = c
    std::vector<std::string> remarks;

    /// One page of text; `color` for terminals.
    [[nodiscard]] std::string to_text(bool color = false) const;
    [[nodiscard]] std::string to_json() const;
};

/// Fails where the shapes differ or an entry lies outside its matrix.
[[nodiscard]] Expected<PencilAnalysis> analyze_pencil(const MatrixData& e, const MatrixData& h,
                                                      const PencilOptions& options = {});

} // namespace daedalus
