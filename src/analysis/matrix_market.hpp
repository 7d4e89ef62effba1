// Reads matrices in the Matrix Market exchange format (Boisvert, Pozo & Remington 1996): `array` (dense, by columns)
// and `coordinate` (row, column, value), real or integer, general, symmetric or skew-symmetric. Repeated coordinates
// add up. Sizes are compared with the length of the text before anything is allocated.
#pragma once

#include "base/expected.hpp"

#include <string>
#include <vector>

namespace daedalus::analysis {

struct MatrixEntry {
    int row = 0; ///< from 0
    int col = 0;
    double value = 0.0;
};

struct MarketMatrix {
    int rows = 0;
    int cols = 0;
    std::vector<MatrixEntry> entries; ///< of an array: all that are not zero
};

/// `name` is used in messages.
[[nodiscard]] Expected<MarketMatrix> parse_matrix_market(const std::string& text, const std::string& name);
[[nodiscard]] Expected<MarketMatrix> read_matrix_market(const std::string& path);

} // namespace daedalus::analysis
