#include "base/sparsity_pattern.hpp"

#include <algorithm>

namespace daedalus {

int SparsityPattern::find(int row, int col) const {
    const auto first = row_index.begin() + column_start[static_cast<std::size_t>(col)];
    const auto last = row_index.begin() + column_start[static_cast<std::size_t>(col) + 1];
    const auto it = std::lower_bound(first, last, row);
    return it != last && *it == row ? static_cast<int>(it - row_index.begin()) : -1;
}

SparsityPattern SparsityPattern::from_entries(int rows, int cols, std::vector<std::pair<int, int>> entries) {
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second < b.second : a.first < b.first;
    });
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    SparsityPattern pattern{rows, cols, std::vector<int>(static_cast<std::size_t>(cols) + 1, 0), {}};
    pattern.row_index.reserve(entries.size());
    for (const auto& [row, col] : entries) {
        pattern.row_index.push_back(row);
        ++pattern.column_start[static_cast<std::size_t>(col) + 1];
    }
    for (std::size_t j = 0; j < static_cast<std::size_t>(cols); ++j)
        pattern.column_start[j + 1] += pattern.column_start[j];
    return pattern;
}

SparsityPattern SparsityPattern::dense(int rows, int cols) {
    std::vector<std::pair<int, int>> entries;
    entries.reserve(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols));
    for (int j = 0; j < cols; ++j)
        for (int i = 0; i < rows; ++i) entries.emplace_back(i, j);
    return from_entries(rows, cols, std::move(entries));
}

} // namespace daedalus
