#include "base/sparsity_pattern.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

using daedalus::SparsityPattern;

TEST(SparsityPattern, MergesAndSortsEntries) {
    const auto p = SparsityPattern::from_entries(2, 3, {{1, 2}, {0, 0}, {1, 0}, {1, 2}});
    EXPECT_EQ(p.nonzeros(), 3);
    EXPECT_EQ(p.find(0, 0), 0);
    EXPECT_EQ(p.find(1, 0), 1);
    EXPECT_EQ(p.find(1, 2), 2);
    EXPECT_EQ(p.find(0, 2), -1);
}

TEST(SparsityPattern, RandomEntriesAsSortedOnes) {
    std::mt19937 rng(6);
    for (int trial = 0; trial < 300; ++trial) {
        const int rows = static_cast<int>(rng() % 9), cols = static_cast<int>(rng() % 9);
        std::vector<std::pair<int, int>> entries; // with many duplicates
        for (unsigned k = rng() % 60; rows > 0 && cols > 0 && k > 0; --k)
            entries.emplace_back(static_cast<int>(rng() % static_cast<unsigned>(rows)),
                                 static_cast<int>(rng() % static_cast<unsigned>(cols)));
        const auto p = SparsityPattern::from_entries(rows, cols, entries);
        std::set<std::pair<int, int>> by_column;
        for (const auto& [row, col] : entries) by_column.emplace(col, row);
        std::vector<int> row_index, column_start(static_cast<std::size_t>(cols) + 1, 0);
        for (const auto& [col, row] : by_column) {
            row_index.push_back(row);
            for (int j = col; j < cols; ++j) ++column_start[static_cast<std::size_t>(j) + 1];
        }
        EXPECT_EQ(p, (SparsityPattern{rows, cols, column_start, row_index}));
    }
}
