#include "problem/finite_difference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

using namespace daedalus;
using namespace daedalus::problem;

namespace {

bool valid(const SparsityPattern& p, const ColumnGroups& groups) {
    std::set<std::pair<int, int>> seen; // (group, row)
    for (int j = 0; j < p.cols; ++j)
        for (int k = p.column_start[static_cast<std::size_t>(j)]; k < p.column_start[static_cast<std::size_t>(j) + 1];
             ++k)
            if (!seen.emplace(groups.group[static_cast<std::size_t>(j)], p.row_index[static_cast<std::size_t>(k)])
                     .second)
                return false;
    return true;
}

SparsityPattern tridiagonal(int n) {
    std::vector<std::pair<int, int>> entries;
    for (int j = 0; j < n; ++j)
        for (int i = std::max(0, j - 1); i <= std::min(n - 1, j + 1); ++i) entries.emplace_back(i, j);
    return SparsityPattern::from_entries(n, n, entries);
}

} // namespace

TEST(ColumnGroups, TridiagonalNeedsThree) {
    const auto p = tridiagonal(1000);
    const auto groups = group_columns(p);
    EXPECT_EQ(groups.count, 3);
    EXPECT_TRUE(valid(p, groups));
}

TEST(ColumnGroups, RandomPatternsAndEmptyColumns) {
    std::mt19937 rng(3);
    for (int repeat = 0; repeat < 50; ++repeat) {
        std::vector<std::pair<int, int>> entries;
        for (int k = 0; k < 60; ++k) entries.emplace_back(static_cast<int>(rng() % 20), static_cast<int>(rng() % 30));
        const auto p = SparsityPattern::from_entries(20, 30, entries);
        const auto groups = group_columns(p);
        EXPECT_TRUE(valid(p, groups));
        std::vector<int> row_count(20, 0);
        for (int row : p.row_index) ++row_count[static_cast<std::size_t>(row)];
        EXPECT_GE(groups.count, *std::max_element(row_count.begin(), row_count.end()));
    }
    EXPECT_EQ(group_columns(SparsityPattern::from_entries(3, 3, {})).count, 0);
    EXPECT_EQ(group_columns(SparsityPattern::dense(4, 4)).count, 4);
}

TEST(DifferenceJacobian, AccuracyAndNumberOfEvaluations) {
    const int n = 50;
    const auto p = tridiagonal(n);
    const PointFunction f{nullptr, [](void*, const double* x, double* r) {
                              for (int i = 0; i < 50; ++i)
                                  r[i] =
                                      std::sin(x[i]) + (i > 0 ? x[i - 1] * x[i] : 0.0) + (i < 49 ? 3 * x[i + 1] : 0.0);
                              return true;
                          }};
    std::vector<double> x(n), size(n, 1.0), r0(n), values(p.row_index.size());
    for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = 0.1 * i - 2.0;
    f.call(nullptr, x.data(), r0.data());
    for (auto scheme : {DifferenceScheme::forward, DifferenceScheme::central}) {
        DifferenceJacobian jacobian(p, scheme);
        ASSERT_TRUE(jacobian.evaluate(f, x, size, r0, values));
        EXPECT_EQ(jacobian.evaluations(), scheme == DifferenceScheme::forward ? 3 : 6);
        double worst = 0.0;
        for (int i = 0; i < n; ++i) {
            const auto k = static_cast<std::size_t>(i);
            const double diagonal = std::cos(x[k]) + (i > 0 ? x[k - 1] : 0.0);
            worst = std::max(worst, std::abs(values[static_cast<std::size_t>(p.find(i, i))] - diagonal));
            if (i > 0) worst = std::max(worst, std::abs(values[static_cast<std::size_t>(p.find(i, i - 1))] - x[k]));
        }
        EXPECT_LT(worst, 20.0 * difference_error(scheme));
    }
}

TEST(DifferenceJacobian, TheOtherSideIsTakenAtTheEdgeOfTheDomain) {
    const PointFunction f{nullptr, [](void*, const double* x, double* r) {
                              r[0] = std::pow(1.0 - x[0], 1.5); // no value beyond 1
                              return true;
                          }};
    DifferenceJacobian jacobian(SparsityPattern::dense(1, 1), DifferenceScheme::forward);
    const std::vector<double> x{1.0}, size{1.0}, r0{0.0};
    std::vector<double> value(1);
    ASSERT_TRUE(jacobian.evaluate(f, x, size, r0, value));
    EXPECT_NEAR(value[0], 0.0, 2e-4);
    const PointFunction nowhere{nullptr, [](void*, const double*, double*) { return false; }};
    EXPECT_FALSE(jacobian.evaluate(nowhere, x, size, r0, value));
}

// A function with errors of 1e-8, reproducible but different at every point: the noise is seen, the increments follow,
// and the entries keep half of the digits that there are.
TEST(DifferenceJacobian, NoiseIsMeasuredAndAnswered) {
    const auto noisy = [](void* level, const double* x, double* r) {
        const double noise = *static_cast<double*>(level);
        for (int i = 0; i < 2; ++i)
            r[i] = (2.0 + std::sin(x[i]) + 3.0 * x[1 - i]) * (1.0 + noise * std::sin(1e9 * x[i]));
        return true;
    };
    const std::vector<double> x{0.7, -0.4}, size{1.0, 1.0};
    for (double level : {1e-6, 1e-8, 1e-10}) {
        const PointFunction f{&level, noisy};
        const double found = relative_noise(f, x, size, 2);
        EXPECT_GT(found, 0.1 * level);
        EXPECT_LT(found, 10 * level);
        DifferenceJacobian jacobian(SparsityPattern::dense(2, 2), DifferenceScheme::forward);
        jacobian.expect_noise(found);
        std::vector<double> r0(2), values(4);
        noisy(&level, x.data(), r0.data());
        ASSERT_TRUE(jacobian.evaluate(f, x, size, r0, values));
        const double expected[] = {std::cos(0.7), 3.0, 3.0, std::cos(-0.4)};
        for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(values[k], expected[k], 30 * std::sqrt(level)) << level;
    }
    double none = 0.0;
    EXPECT_EQ(relative_noise({&none, noisy}, x, size, 2), 0.0);
}
