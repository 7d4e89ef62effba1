// Block upper triangular form of a pattern (Duff & Reid 1978): rows and columns in blocks such that entries lie in
// diagonal blocks or to the right of them. Only diagonal blocks need elimination; what is right of them is used as it
// stands.
#pragma once

#include "base/sparsity_pattern.hpp"

#include <vector>

namespace daedalus::linalg {

struct BlockTriangle {
    std::vector<int> row_block, col_block; ///< by row and column; an entry has row_block <= col_block
    int blocks = 0;
};

/// False if the pattern is structurally singular.
[[nodiscard]] bool find_block_triangle(const SparsityPattern& pattern, BlockTriangle& triangle);

} // namespace daedalus::linalg
