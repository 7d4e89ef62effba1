// Groups of columns that share no row, so that all columns of a group are found by one directional derivative (Curtis,
// Powell & Reid 1974): greedy distance-2 colouring, columns with many entries first. The number of groups is at least
// the length of the longest row; for banded patterns the greedy order attains it.
#pragma once

#include "base/sparsity_pattern.hpp"

#include <vector>

namespace daedalus::structure {

struct ColumnColoring {
    int colors = 0;
    std::vector<int> color_of;           ///< of each column, 0 … colors − 1; −1 for an empty column
    std::vector<std::vector<int>> group; ///< columns of each colour, ascending
};

[[nodiscard]] ColumnColoring color_columns(const SparsityPattern& pattern);

} // namespace daedalus::structure
