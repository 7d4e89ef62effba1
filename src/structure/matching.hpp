// Maximum cardinality matching of rows to columns of a sparse pattern (Hopcroft & Karp 1973): phases of one
// breadth-first layering from all free rows followed by a maximal set of disjoint shortest augmenting paths.
// O(entries · sqrt(rows)); in practice a few phases after the Karp–Sipser start, which assigns rows and columns
// of degree one first (Karp & Sipser 1981).
#pragma once

#include "structure/incidence.hpp"

#include <vector>

namespace daedalus::structure {

struct Matching {
    std::vector<int> column_of_row; ///< −1 where free
    std::vector<int> row_of_column; ///< −1 where free
    int size = 0;

    [[nodiscard]] bool perfect() const {
        return static_cast<std::size_t>(size) == column_of_row.size() && column_of_row.size() == row_of_column.size();
    }
    void join(int row, int col) {
        column_of_row[row] = col;
        row_of_column[col] = row;
    }
    [[nodiscard]] static Matching empty(int rows, int cols) {
        return {std::vector<int>(static_cast<std::size_t>(rows), -1),
                std::vector<int>(static_cast<std::size_t>(cols), -1), 0};
    }
    friend bool operator==(const Matching&, const Matching&) = default;
};

/// A matching of maximum size.
[[nodiscard]] Matching maximum_matching(const Incidence& pattern);

/// Enlarges `matching` (a matching of `pattern`) to maximum size.
void augment_to_maximum(const Incidence& pattern, Matching& matching);

} // namespace daedalus::structure
