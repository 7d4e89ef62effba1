#include "base/sparsity_pattern.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace daedalus {

int SparsityPattern::find(int row, int col) const {
    const auto first = row_index.begin() + column_start[static_cast<std::size_t>(col)];
    const auto last = row_index.begin() + column_start[static_cast<std::size_t>(col) + 1];
    const auto it = std::lower_bound(first, last, row);
    return it != last && *it == row ? static_cast<int>(it - row_index.begin()) : -1;
}

// Sorted by counting: by rows first, then by columns, which leaves rows in order.
SparsityPattern SparsityPattern::from_entries(int rows, int cols, std::vector<std::pair<int, int>> entries) {
    const auto at = [](int k) { return static_cast<std::size_t>(k); };
    std::vector<int> row_begin(at(rows) + 1, 0), by_row(entries.size());
    for (const auto& [row, col] : entries) ++row_begin[at(row) + 1];
    for (std::size_t i = 0; i < at(rows); ++i) row_begin[i + 1] += row_begin[i];
    for (std::size_t k = 0; k < entries.size(); ++k)
        by_row[at(row_begin[at(entries[k].first)]++)] = static_cast<int>(k);

    SparsityPattern pattern{rows, cols, std::vector<int>(at(cols) + 1, 0), std::vector<int>(entries.size())};
    std::vector<int>& start = pattern.column_start;
    for (const auto& [row, col] : entries) ++start[at(col) + 1];
    for (std::size_t j = 0; j < at(cols); ++j) start[j + 1] += start[j];
    std::vector<int> end(start.begin(), start.end() - 1);
    for (const int k : by_row) {
        const auto& [row, col] = entries[at(k)];
        int& next = end[at(col)];
        if (next == start[at(col)] || pattern.row_index[at(next - 1)] != row) pattern.row_index[at(next++)] = row;
    }
    int kept = 0; // duplicates have left gaps at the ends of columns
    for (std::size_t j = 0; j < at(cols); ++j) {
        const int first = std::exchange(start[j], kept);
        for (int k = first; k < end[j]; ++k) pattern.row_index[at(kept++)] = pattern.row_index[at(k)];
    }
    start[at(cols)] = kept;
    pattern.row_index.resize(at(kept));
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
