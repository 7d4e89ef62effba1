// ESDIRK tableaus: order conditions over all rooted trees, stiff accuracy, R(∞) = 0, stage order 2.
#include "integrate/tableau/esdirk.hpp"
#include "integrate/tableau/rooted_trees.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace daedalus;
using daedalus::testing::order_defects;
using daedalus::testing::rooted_trees;

namespace {

TEST(RootedTrees, Numbers) {
    const int expected[] = {0, 1, 1, 2, 4, 9, 20};
    int found[7] = {};
    for (const auto& tree : rooted_trees(6)) ++found[tree.order];
    for (int order = 1; order <= 6; ++order) EXPECT_EQ(found[order], expected[order]);
}

class EsdirkTableau : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Orders, EsdirkTableau, ::testing::Values(3, 4, 5));

TEST_P(EsdirkTableau, OrderConditions) {
    const int p = GetParam();
    const auto m = tableau::make_esdirk(p);
    const std::vector<double> b(m.A.end() - m.stages, m.A.end());
    const auto main = order_defects(m.A, m.A, b, p + 1);
    for (int order = 1; order <= p; ++order) EXPECT_LT(main[order], 1e-14) << order;
    EXPECT_GT(main[p + 1], 1e-5);
    const auto embedded = order_defects(m.A, m.A, m.embedded, p);
    for (int order = 1; order < p; ++order) EXPECT_LT(embedded[order], 1e-13) << order;
    EXPECT_GT(embedded[p], 1e-5);
}

TEST_P(EsdirkTableau, StructureAndStability) {
    const auto m = tableau::make_esdirk(GetParam());
    const int s = m.stages;
    for (int i = 0; i < s; ++i) {
        double sum = 0.0, square = 0.0;
        for (int j = 0; j < s; ++j) {
            sum += m.A[i * s + j];
            square += m.A[i * s + j] * m.c[j];
            if (j > i) {
                EXPECT_EQ(m.A[i * s + j], 0.0);
            }
        }
        EXPECT_NEAR(sum, m.c[i], 1e-15);
        EXPECT_NEAR(square, 0.5 * m.c[i] * m.c[i], 1e-14) << "stage order 2, stage " << i;
        EXPECT_NEAR(m.A[i * s + i], i == 0 ? 0.0 : m.gamma, 1e-16);
    }
    EXPECT_EQ(m.c[s - 1], 1.0); // stiffly accurate: the last row is b by construction
    // R(∞) = -e_s' Â^{-1} a_1 by forward substitution.
    std::vector<double> v(s, 0.0);
    for (int i = 1; i < s; ++i) {
        double sum = -m.A[i * s];
        for (int j = 1; j < i; ++j) sum -= m.A[i * s + j] * v[j];
        v[i] = sum / m.gamma;
    }
    EXPECT_NEAR(v[s - 1], 0.0, 1e-12);
}

} // namespace
