// Matching, strong components, block triangular form and incidence storage against brute force and hand-worked cases.
#include "structure/block_triangular_form.hpp"
#include "structure/generated_systems.hpp"
#include "structure/matching.hpp"
#include "structure/strong_components.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace daedalus::structure {
namespace {

Incidence random_pattern(int rows, int cols, double density, std::mt19937& random) {
    std::uniform_real_distribution<double> coin(0.0, 1.0);
    std::vector<std::vector<int>> lists(rows);
    for (auto& list : lists)
        for (int j = 0; j < cols; ++j)
            if (coin(random) < density) list.push_back(j);
    return Incidence::from_rows(cols, lists);
}

// Largest number of rows that can be matched, over all subsets of columns: dynamic programming on the set of used
// columns.
int brute_force_size(const Incidence& p) {
    std::vector<int> best(std::size_t{1} << p.cols, -1);
    best[0] = 0;
    for (int i = 0; i < p.rows; ++i) {
        std::vector<int> next = best;
        for (std::size_t used = 0; used < best.size(); ++used) {
            if (best[used] < 0) continue;
            for (int j : p.row(i))
                if (!(used >> j & 1u)) {
                    int& target = next[used | std::size_t{1} << j];
                    target = std::max(target, best[used] + 1);
                }
        }
        best = std::move(next);
    }
    return *std::max_element(best.begin(), best.end());
}

TEST(SignatureMatrixTest, MergesDuplicatesAndSortsColumns) {
    const std::vector<SignatureEntry> entries{{1, 2, 0}, {0, 1, 1}, {1, 2, 3}, {1, 0, 0}, {1, 2, 1}, {0, 1, 1}};
    const SignatureMatrix m = SignatureMatrix::from_entries(3, 3, entries);
    EXPECT_EQ(m.pattern, Incidence::from_rows(3, {{1}, {0, 2}, {}}));
    EXPECT_EQ(m.order, (std::vector<int>{1, 0, 3}));
    EXPECT_EQ(m.order_of(1, 2), 3);
    EXPECT_EQ(m.order_of(2, 2), -1);
    EXPECT_EQ(m.pattern.transposed().transposed(), m.pattern);
}

TEST(Matching, IsMaximumOnRandomRectangles) {
    std::mt19937 random(7);
    for (int trial = 0; trial < 3000; ++trial) {
        const int rows = static_cast<int>(random() % 9u), cols = static_cast<int>(random() % 9u);
        const Incidence p = random_pattern(rows, cols, 0.08 * static_cast<double>(1 + random() % 7u), random);
        const Matching m = maximum_matching(p);
        int size = 0;
        for (int i = 0; i < rows; ++i) {
            const int j = m.column_of_row[i];
            if (j < 0) continue;
            ++size;
            ASSERT_EQ(m.row_of_column[j], i);
            const auto row = p.row(i);
            ASSERT_TRUE(std::find(row.begin(), row.end(), j) != row.end());
        }
        ASSERT_EQ(size, m.size);
        ASSERT_EQ(size, brute_force_size(p));
        Matching from_nothing = Matching::empty(rows, cols);
        augment_to_maximum(p, from_nothing);
        ASSERT_EQ(from_nothing.size, size);
    }
}

TEST(Matching, LongAlternatingPathNeedsNoStack) {
    // Row i meets columns i and i + 1; the last row only column 0: one augmenting path through everything.
    const int n = 300000;
    std::vector<std::vector<int>> rows(n);
    Matching m = Matching::empty(n, n);
    for (int i = 0; i + 1 < n; ++i) {
        rows[i] = {i, i + 1};
        m.join(i, i);
        ++m.size;
    }
    rows[n - 1] = {0};
    const Incidence p = Incidence::from_rows(n, rows);
    augment_to_maximum(p, m);
    EXPECT_TRUE(m.perfect());
    EXPECT_TRUE(maximum_matching(p).perfect());
}

TEST(StrongComponents, HandWorked) {
    // 0 → 1 → 2 → 0, 2 → 3, 3 ⇄ 4, 5 alone pointing at 0.
    const StrongComponents s = strong_components(Incidence::from_rows(6, {{1}, {2}, {0, 3}, {4}, {3}, {0}}));
    EXPECT_EQ(s.count(), 3);
    EXPECT_EQ(s.component_of, (std::vector<int>{1, 1, 1, 0, 0, 2}));
}

TEST(StrongComponents, AgreeWithTransitiveClosure) {
    std::mt19937 random(11);
    for (int trial = 0; trial < 1000; ++trial) {
        const int n = 1 + static_cast<int>(random() % 10u);
        const Incidence g = random_pattern(n, n, 0.05 + 0.04 * static_cast<double>(random() % 5u), random);
        std::vector<std::vector<char>> reach(n, std::vector<char>(n, 0));
        for (int i = 0; i < n; ++i) {
            reach[i][i] = 1;
            for (int j : g.row(i)) reach[i][j] = 1;
        }
        for (int k = 0; k < n; ++k)
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) reach[i][j] |= reach[i][k] & reach[k][j];
        const StrongComponents s = strong_components(g);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                ASSERT_EQ(s.component_of[i] == s.component_of[j], reach[i][j] && reach[j][i]);
                ASSERT_TRUE(!reach[i][j] || s.component_of[i] >= s.component_of[j]);
            }
    }
}

TEST(BlockTriangularForm, OrdersAndIsIndependentOfTheMatching) {
    std::mt19937 random(13);
    int blocks_seen = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        const int n = 1 + static_cast<int>(random() % 9u);
        const Incidence p = random_pattern(n, n, 0.25, random);
        const Matching m = maximum_matching(p);
        if (!m.perfect()) continue;
        Matching other = Matching::empty(n, n);
        augment_to_maximum(p, other);
        const BlockTriangularForm f = sorted_within_blocks(block_triangular_form(p, m)),
                                  g = sorted_within_blocks(block_triangular_form(p, other));
        blocks_seen += f.count();
        ASSERT_EQ(f.count(), g.count());
        for (int i = 0; i < n; ++i) {
            ASSERT_EQ(f.size(f.block_of_equation[i]), g.size(g.block_of_equation[i]));
            for (int k = 0; k < n; ++k)
                ASSERT_EQ(f.block_of_equation[i] == f.block_of_equation[k],
                          g.block_of_equation[i] == g.block_of_equation[k]);
            for (int j : p.row(i)) ASSERT_LE(f.block_of_variable[j], f.block_of_equation[i]);
        }
        for (int b = 0; b < f.count(); ++b)
            for (int k = 0; k < f.size(b); ++k) {
                ASSERT_EQ(f.block_of_equation[f.equations(b)[k]], b);
                ASSERT_EQ(f.block_of_variable[f.variables(b)[k]], b);
                ASSERT_EQ(m.column_of_row[f.equations(b)[k]], f.variables(b)[k]);
            }
    }
    EXPECT_GT(blocks_seen, 500);
}

} // namespace
} // namespace daedalus::structure
