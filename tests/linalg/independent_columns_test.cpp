#include "linalg/independent_columns.hpp"
#include "linalg/rank.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

using namespace daedalus;
using namespace daedalus::linalg;

TEST(IndependentColumns, OrderDecidesAmongDependentColumns) {
    // columns a, 2a, b
    const auto p = SparsityPattern::dense(2, 3);
    const std::vector<double> v{1, 1, 2, 2, 0, 1};
    auto c = independent_columns(p, v, std::vector<int>{0, 1, 2});
    EXPECT_EQ(c.rank, 2);
    EXPECT_EQ(c.chosen, (std::vector<char>{1, 0, 1}));
    c = independent_columns(p, v, std::vector<int>{1, 2, 0});
    EXPECT_EQ(c.chosen, (std::vector<char>{0, 1, 1}));
}

TEST(IndependentColumns, AgreesWithSingularValuesOnRandomSparseMatrices) {
    std::mt19937 rng(11);
    std::uniform_int_distribution<int> small(-2, 2);
    for (int repeat = 0; repeat < 200; ++repeat) {
        const int rows = 3 + repeat % 9, cols = 3 + repeat % 7;
        std::vector<std::pair<int, int>> entries;
        for (int k = 0; k < 2 * cols; ++k)
            entries.emplace_back(static_cast<int>(rng() % static_cast<unsigned>(rows)),
                                 static_cast<int>(rng() % static_cast<unsigned>(cols)));
        const auto p = SparsityPattern::from_entries(rows, cols, entries);
        std::vector<double> v(p.row_index.size());
        for (double& a : v) a = small(rng); // small integers: many dependencies, and zeros on the pattern
        std::vector<int> order(static_cast<std::size_t>(cols));
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), rng);
        const auto dense = to_dense(p, v);
        EXPECT_EQ(independent_columns(p, v, order).rank, rank_by_svd({dense, rows, cols}).rank);
    }
}

TEST(IndependentColumns, LongChainStaysLinear) {
    const int n = 20000;
    std::vector<std::pair<int, int>> entries;
    for (int i = 0; i < n; ++i) {
        entries.emplace_back(i, i);
        if (i + 1 < n) entries.emplace_back(i + 1, i);
    }
    const auto p = SparsityPattern::from_entries(n, n, entries);
    std::vector<double> v(p.row_index.size(), 1.0);
    std::vector<int> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    const auto c = independent_columns(p, v, order, 1e-10, 1e6); // the work limit is part of the test
    EXPECT_TRUE(c.complete);
    EXPECT_EQ(c.rank, n);
}
