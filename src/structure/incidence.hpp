// Who appears where: the bipartite structure of equations (rows) and variables (columns) in compressed rows,
// and the signature matrix Σ of a DAE, which adds to each entry the highest derivative order
//     σ_ij = highest k such that the k-th derivative of variable j appears in equation i   (absent: −∞)
// (Pryce 2001, section 2.1). Absent entries are not stored. Rectangular structures are allowed; the square ones
// that admit a transversal are called structurally regular.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace daedalus::structure {

/// A sparse 0-1 matrix in compressed rows; columns are sorted within a row and unique.
struct Incidence {
    int rows = 0;
    int cols = 0;
    std::vector<int> row_start{0}; ///< size rows + 1
    std::vector<int> column;       ///< size entries()

    [[nodiscard]] int entries() const { return static_cast<int>(column.size()); }
    [[nodiscard]] std::span<const int> row(int i) const {
        return {column.data() + row_start[static_cast<std::size_t>(i)],
                column.data() + row_start[static_cast<std::size_t>(i) + 1]};
    }
    /// Rows become columns; linear time.
    [[nodiscard]] Incidence transposed() const;
    /// The rows and columns listed, renumbered in the order of the lists.
    [[nodiscard]] Incidence submatrix(std::span<const int> keep_rows, std::span<const int> keep_cols) const;

    /// From the columns of each row, in any order; duplicates are merged.
    [[nodiscard]] static Incidence from_rows(int cols, const std::vector<std::vector<int>>& rows);

    friend bool operator==(const Incidence&, const Incidence&) = default;
};

/// Variable `variable` appears in equation `equation` differentiated at most `order` times.
struct SignatureEntry {
    int equation = 0;
    int variable = 0;
    int order = 0;

    friend bool operator==(const SignatureEntry&, const SignatureEntry&) = default;
};

struct SignatureMatrix {
    Incidence pattern;      ///< rows: equations, columns: variables
    std::vector<int> order; ///< σ of each entry of `pattern`, ≥ 0

    [[nodiscard]] int equations() const { return pattern.rows; }
    [[nodiscard]] int variables() const { return pattern.cols; }
    [[nodiscard]] std::span<const int> variables_of(int equation) const { return pattern.row(equation); }
    [[nodiscard]] std::span<const int> orders_of(int equation) const {
        return {order.data() + pattern.row_start[static_cast<std::size_t>(equation)],
                order.data() + pattern.row_start[static_cast<std::size_t>(equation) + 1]};
    }
    /// σ of (equation, variable), or −1 where the variable does not appear.
    [[nodiscard]] int order_of(int equation, int variable) const;

    /// From entries in any order; of repeated entries the highest order counts. Linear time.
    [[nodiscard]] static SignatureMatrix from_entries(int equations, int variables,
                                                      std::span<const SignatureEntry> entries);

    friend bool operator==(const SignatureMatrix&, const SignatureMatrix&) = default;
};

} // namespace daedalus::structure
