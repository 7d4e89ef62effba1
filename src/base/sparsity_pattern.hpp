// The nonzero positions of a matrix in compressed columns, rows sorted within a column.
#pragma once

#include <utility>
#include <vector>

namespace daedalus {

struct SparsityPattern {
    int rows = 0;
    int cols = 0;
    std::vector<int> column_start; ///< size cols + 1
    std::vector<int> row_index;    ///< size nonzeros()

    [[nodiscard]] int nonzeros() const { return static_cast<int>(row_index.size()); }
    /// Position of entry (row, col) in the value array, or -1.
    [[nodiscard]] int find(int row, int col) const;

    /// From (row, col) pairs in any order; duplicates are merged.
    [[nodiscard]] static SparsityPattern from_entries(int rows, int cols, std::vector<std::pair<int, int>> entries);
    [[nodiscard]] static SparsityPattern dense(int rows, int cols);

    friend bool operator==(const SparsityPattern&, const SparsityPattern&) = default;
};

} // namespace daedalus
