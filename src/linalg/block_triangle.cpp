#include "linalg/block_triangle.hpp"

#include <btf.h>

namespace daedalus::linalg {

bool find_block_triangle(const SparsityPattern& pattern, BlockTriangle& triangle) {
    const int n = pattern.cols;
    const auto size = static_cast<std::size_t>(n);
    std::vector<int> start = pattern.column_start, row = pattern.row_index; // BTF takes them without const
    std::vector<int> p(size), q(size), r(size + 1), work(5 * size);
    double spent = 0.0;
    int matched = 0;
    constexpr double no_limit = 0.0;
    triangle.blocks =
        btf_order(n, start.data(), row.data(), no_limit, &spent, p.data(), q.data(), r.data(), &matched, work.data());
    if (matched < n) return false;
    triangle.row_block.resize(size);
    triangle.col_block.resize(size);
    for (int b = 0; b < triangle.blocks; ++b)
        for (auto k = static_cast<std::size_t>(r[static_cast<std::size_t>(b)]);
             k < static_cast<std::size_t>(r[static_cast<std::size_t>(b) + 1]); ++k) {
            triangle.row_block[static_cast<std::size_t>(p[k])] = b;
            triangle.col_block[static_cast<std::size_t>(q[k])] = b;
        }
    return true;
}

} // namespace daedalus::linalg
