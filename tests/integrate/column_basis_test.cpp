// A basis kept by exchanges: chosen well, judged right, improved, and refused where there is none.
#include "integrate/column_basis.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace daedalus::integrate {
namespace {

struct Matrix {
    SparsityPattern pattern;
    std::vector<double> values;
};

/// Constraints of a chain of pendulums: row k couples (x, y) of links k and k - 1 with the rod's direction.
Matrix chain(const std::vector<double>& angle) {
    const int n = static_cast<int>(angle.size());
    std::vector<std::pair<int, int>> entries;
    for (int k = 0; k < n; ++k)
        for (const int j : {k, k - 1})
            if (j >= 0) {
                entries.emplace_back(k, 2 * j);
                entries.emplace_back(k, 2 * j + 1);
            }
    Matrix m{SparsityPattern::from_entries(n, 2 * n, entries), {}};
    m.values.resize(static_cast<std::size_t>(m.pattern.nonzeros()));
    for (int k = 0; k < n; ++k)
        for (const int j : {k, k - 1})
            if (j >= 0) {
                const double sign = j == k ? 1.0 : -1.0, a = angle[static_cast<std::size_t>(k)];
                m.values[static_cast<std::size_t>(m.pattern.find(k, 2 * j))] = sign * std::cos(a);
                m.values[static_cast<std::size_t>(m.pattern.find(k, 2 * j + 1))] = sign * std::sin(a);
            }
    return m;
}

TEST(ColumnBasis, OneRowIsJudgedByTheRatioOfItsEntries) {
    const Matrix m{SparsityPattern::dense(1, 3), {1.0, -4.0, 2.0}};
    ColumnBasis basis(m.pattern);
    const int present[] = {0};
    basis.set(present);
    EXPECT_DOUBLE_EQ(basis.gain(m.values), 4.0);
    ASSERT_TRUE(basis.improve(m.values, 1.0));
    EXPECT_EQ(basis.columns()[0], 1);
    EXPECT_DOUBLE_EQ(basis.gain(m.values), 0.5);
}

TEST(ColumnBasis, TheLargerCoordinateOfEachRodIsChosen) {
    // Steep and flat rods far apart from each other: coupling between links is weak in neither choice.
    std::vector<double> angle(300);
    for (std::size_t k = 0; k < angle.size(); ++k) angle[k] = k < 150 ? 0.05 : 1.5;
    const Matrix m = chain(angle);
    ColumnBasis basis(m.pattern);
    ASSERT_TRUE(basis.choose(m.values));
    ASSERT_TRUE(basis.improve(m.values, 1.5));
    int flat_x = 0, steep_y = 0;
    for (const int j : basis.columns()) {
        flat_x += j < 300 && j % 2 == 0;
        steep_y += j >= 300 && j % 2 == 1;
    }
    EXPECT_EQ(flat_x, 150);
    EXPECT_EQ(steep_y, 150);
}

TEST(ColumnBasis, OnePoorColumnAmongManyGoodOnesIsFoundAndExchangedAlone) {
    std::vector<double> angle(400, 0.1);
    angle[217] = 1.55; // cos = 0.02
    const Matrix m = chain(angle);
    ColumnBasis basis(m.pattern);
    std::vector<int> all_x;
    for (int k = 0; k < 400; ++k) all_x.push_back(2 * k);
    basis.set(all_x);
    EXPECT_GT(basis.gain(m.values), 20.0);
    ASSERT_TRUE(basis.improve(m.values, 1.5));
    int exchanged = 0;
    for (const int j : basis.columns()) exchanged += j % 2;
    EXPECT_GE(exchanged, 1);
    EXPECT_LE(exchanged, 2);
    EXPECT_LE(basis.gain(m.values), 1.5);
}

TEST(ColumnBasis, RandomChainsEndWithoutALargeGain) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> any(-3.0, 3.0);
    for (int repeat = 0; repeat < 5; ++repeat) {
        std::vector<double> angle(200);
        for (double& a : angle) a = any(random);
        const Matrix m = chain(angle);
        ColumnBasis basis(m.pattern);
        ASSERT_TRUE(basis.choose(m.values));
        ASSERT_TRUE(basis.improve(m.values, 1.5));
        EXPECT_LE(basis.gain(m.values), 1.5);
    }
}

TEST(ColumnBasis, DependentRowsHaveNoBasis) {
    Matrix m = chain(std::vector<double>(50, 0.3));
    // Row 20 becomes a copy of nothing but zeros.
    for (int j = 0; j < m.pattern.cols; ++j)
        if (const int k = m.pattern.find(20, j); k >= 0) m.values[static_cast<std::size_t>(k)] = 0.0;
    ColumnBasis basis(m.pattern);
    EXPECT_FALSE(basis.choose(m.values));
    std::vector<int> all_x;
    for (int k = 0; k < 50; ++k) all_x.push_back(2 * k);
    basis.set(all_x);
    EXPECT_EQ(basis.gain(m.values), std::numeric_limits<double>::infinity());
}

} // namespace
} // namespace daedalus::integrate
