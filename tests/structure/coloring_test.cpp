// Column groups for compressed Jacobians.
#include "structure/coloring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace daedalus::structure {
namespace {

void expect_valid(const SparsityPattern& p, const ColumnColoring& c) {
    std::size_t coloured = 0;
    for (const std::vector<int>& group : c.group) {
        std::vector<char> row_used(p.rows, 0);
        coloured += group.size();
        for (int j : group)
            for (int k = p.column_start[j]; k < p.column_start[j + 1]; ++k) {
                ASSERT_FALSE(row_used[p.row_index[k]]);
                row_used[p.row_index[k]] = 1;
            }
    }
    std::size_t nonempty = 0;
    for (int j = 0; j < p.cols; ++j) nonempty += p.column_start[j + 1] > p.column_start[j];
    ASSERT_EQ(coloured, nonempty);
}

TEST(Coloring, BandsNeedTheirWidth) {
    const int n = 1000;
    for (int half : {0, 1, 2, 5}) {
        std::vector<std::pair<int, int>> entries;
        for (int i = 0; i < n; ++i)
            for (int j = std::max(0, i - half); j <= std::min(n - 1, i + half); ++j) entries.emplace_back(i, j);
        const SparsityPattern p = SparsityPattern::from_entries(n, n, entries);
        const ColumnColoring c = color_columns(p);
        expect_valid(p, c);
        EXPECT_EQ(c.colors, 2 * half + 1);
    }
}

TEST(Coloring, DenseAndEmpty) {
    EXPECT_EQ(color_columns(SparsityPattern::dense(7, 7)).colors, 7);
    EXPECT_EQ(color_columns(SparsityPattern::from_entries(3, 3, {})).colors, 0);
    EXPECT_EQ(color_columns(SparsityPattern::from_entries(0, 0, {})).colors, 0);
    const SparsityPattern arrow = SparsityPattern::from_entries(3, 3, {{0, 0}, {1, 0}, {2, 0}, {1, 1}, {2, 2}});
    EXPECT_EQ(color_columns(arrow).colors, 2);
}

TEST(Coloring, LongRowsCostNoSquare) {
    // Two full rows over 100000 columns and a diagonal: listing neighbours would take 1e10 steps.
    const int n = 100000;
    std::vector<std::pair<int, int>> entries;
    for (int j = 0; j < n; ++j) entries.insert(entries.end(), {{0, j}, {1, j}, {j, j}});
    const SparsityPattern p = SparsityPattern::from_entries(n, n, entries);
    EXPECT_EQ(color_columns(p).colors, n);
}

TEST(Coloring, RandomPatterns) {
    std::mt19937 random(23);
    for (int trial = 0; trial < 200; ++trial) {
        const int rows = 1 + static_cast<int>(random() % 200u), cols = 1 + static_cast<int>(random() % 200u);
        std::vector<std::pair<int, int>> entries;
        const int count = static_cast<int>(random() % static_cast<unsigned>(3 * cols));
        for (int k = 0; k < count; ++k)
            entries.emplace_back(static_cast<int>(random() % static_cast<unsigned>(rows)),
                                 static_cast<int>(random() % static_cast<unsigned>(cols)));
        // One row long enough to be kept as a set of colours.
        for (int j = 0; j < cols; j += 2) entries.emplace_back(0, j);
        const SparsityPattern p = SparsityPattern::from_entries(rows, cols, entries);
        const ColumnColoring c = color_columns(p);
        expect_valid(p, c);
        std::vector<int> length(rows, 0);
        for (int i : p.row_index) ++length[i];
        EXPECT_GE(c.colors, *std::max_element(length.begin(), length.end()));
    }
}

} // namespace
} // namespace daedalus::structure
