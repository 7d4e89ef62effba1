// A maximal set of independent columns of a sparse rectangular matrix, taken greedily in a given order: columns that
// come first are wanted in the set most. Left-looking sparse elimination (Gilbert & Peierls 1988), one triangular
// solve per column; the greedy choice is optimal because independence is a matroid.
#pragma once

#include "base/sparsity_pattern.hpp"

#include <span>
#include <vector>

namespace daedalus::linalg {

struct IndependentColumns {
    int rank = 0;
    std::vector<char> chosen;    ///< per column
    std::vector<int> pivot_row;  ///< per chosen column, else -1
    bool complete = true;        ///< false: gave up at the work limit; the columns not reached are not chosen
    double smallest_kept = 1.0;  ///< smallest accepted pivot relative to its column …
    double largest_dropped = 0.; ///< … and largest refused one: the gap of the decision
};

/// `tolerance`: a column whose remainder is below this share of its size (rows and columns are scaled first) depends
/// on the columns before it. `work_limit`: multiplications after which to give up.
[[nodiscard]] IndependentColumns independent_columns(const SparsityPattern& pattern, std::span<const double> values,
                                                     std::span<const int> order, double tolerance = 1e-10,
                                                     double work_limit = 1e8);

} // namespace daedalus::linalg
