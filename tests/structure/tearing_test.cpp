// Tearing: the sequence is computable, counts match, and the heuristic is near the optimum on small blocks.
#include "structure/generated_systems.hpp"
#include "structure/matching.hpp"
#include "structure/tearing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

namespace daedalus::structure {
namespace {

void expect_valid(const Incidence& block, const std::vector<char>& solvable, const Tearing& t) {
    ASSERT_EQ(t.torn_variables.size(), t.residual_equations.size());
    ASSERT_EQ(t.torn_variables.size() + t.sequence.size(), static_cast<std::size_t>(block.cols));
    std::vector<char> known(block.cols, 0), used(block.rows, 0);
    for (int j : t.torn_variables) {
        ASSERT_FALSE(known[j]);
        known[j] = 1;
    }
    for (const SolveStep& a : t.sequence) {
        ASSERT_FALSE(used[a.equation] || known[a.variable]);
        bool solved = false;
        for (int k = block.row_start[a.equation]; k < block.row_start[a.equation + 1]; ++k) {
            if (block.column[k] == a.variable)
                solved = solvable[k];
            else
                ASSERT_TRUE(known[block.column[k]]);
        }
        ASSERT_TRUE(solved);
        used[a.equation] = known[a.variable] = 1;
    }
    for (int i : t.residual_equations) ASSERT_FALSE(used[i]);
}

// With the torn variables given, how many others follow? (Order of use does not matter when all entries are solvable.)
bool suffices(const Incidence& block, unsigned torn) {
    unsigned known = torn;
    for (bool progress = true; progress;) {
        progress = false;
        for (int i = 0; i < block.rows; ++i) {
            unsigned open = 0;
            for (int j : block.row(i)) open |= 1u << j;
            open &= ~known;
            if (std::popcount(open) != 1) continue;
            known |= open;
            progress = true;
        }
    }
    return known == (1u << block.cols) - 1;
}

int fewest_torn(const Incidence& block) {
    int best = block.cols;
    for (unsigned torn = 0; torn < 1u << block.cols; ++torn)
        if (std::popcount(torn) < best && suffices(block, torn)) best = std::popcount(torn);
    return best;
}

TEST(Tearing, TriangularNeedsNoneLoopNeedsOneDenseNeedsAllButOne) {
    const Incidence triangular = Incidence::from_rows(3, {{0}, {0, 1}, {0, 1, 2}});
    EXPECT_TRUE(tear(triangular, std::vector<char>(6, 1)).torn_variables.empty());

    const int n = 1000;
    std::vector<std::vector<int>> loop(n), band(n), dense(6, {0, 1, 2, 3, 4, 5});
    for (int i = 0; i < n; ++i) {
        loop[i] = {i, (i + 1) % n};
        for (int j = std::max(0, i - 1); j <= std::min(n - 1, i + 1); ++j) band[i].push_back(j);
    }
    for (const auto& [rows, expected] : {std::pair{loop, 1}, std::pair{band, 1}, std::pair{dense, 5}}) {
        const Incidence block = Incidence::from_rows(static_cast<int>(rows.size()), rows);
        const std::vector<char> solvable(block.column.size(), 1);
        const Tearing t = tear(block, solvable);
        expect_valid(block, solvable, t);
        EXPECT_EQ(static_cast<int>(t.torn_variables.size()), expected);
    }
}

TEST(Tearing, NothingSolvableTearsEverything) {
    const Incidence block = Incidence::from_rows(2, {{0, 1}, {0, 1}});
    const Tearing t = tear(block, std::vector<char>(4, 0));
    EXPECT_EQ(t.torn_variables.size(), 2u);
    EXPECT_EQ(t.residual_equations, (std::vector<int>{0, 1}));
}

TEST(Tearing, RandomBlocksAreValidAndNearTheOptimum) {
    std::mt19937 random(29);
    int blocks = 0, torn = 0, optimal = 0;
    for (int trial = 0; trial < 600; ++trial) {
        const int n = 2 + static_cast<int>(random() % 8u);
        const Incidence block = generated::random_small(n, 0, 2.5 / n, random).pattern;
        if (!maximum_matching(block).perfect()) continue;
        std::vector<char> solvable(block.column.size());
        for (char& s : solvable) s = random() % 3u != 0;
        expect_valid(block, solvable, tear(block, solvable));

        const std::vector<char> all(block.column.size(), 1);
        const Tearing t = tear(block, all);
        expect_valid(block, all, t);
        ++blocks;
        torn += static_cast<int>(t.torn_variables.size());
        optimal += fewest_torn(block);
    }
    ASSERT_GT(blocks, 100);
    EXPECT_LE(torn, optimal + optimal / 5); // at most a fifth more in the sum
}

} // namespace
} // namespace daedalus::structure
