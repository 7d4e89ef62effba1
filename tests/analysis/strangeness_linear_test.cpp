// Strangeness index and characteristic values of time-varying systems, beside what their local pencils say.
#include "analysis/known_pencils.hpp"
#include "analysis/strangeness_linear.hpp"
#include "analysis/time_varying_examples.hpp"

#include <gtest/gtest.h>

namespace daedalus::testing {
namespace {

using analysis::local_pencils;
using analysis::strangeness_index;
using analysis::StrangenessAnalysis;

TEST(Strangeness, ConstantPencils) {
    Random random(61);
    for (int index = 0; index <= 4; ++index) {
        const KnownPencil known = random_regular(index, 3, random);
        const StrangenessAnalysis s = strangeness_index(constant_system(known.e, known.h), 0.0);
        ASSERT_TRUE(s.decided) << index << ": " << s.reason;
        EXPECT_EQ(s.index, std::max(0, index - 1));
        EXPECT_EQ(s.d(), 3);
        EXPECT_EQ(s.a(), known.e.rows() - 3);
        EXPECT_TRUE(s.regular());
        EXPECT_EQ(s.differentiation_index(), index);
    }
}

TEST(Strangeness, LocalPencilsMislead) {
    const std::vector<double> times{-1.0, 0.0, 0.5, 2.0};
    // Regular local pencils of index 2, yet any multiple of (t, 1) solves the homogeneous system.
    const auto not_unique = infinitely_many_solutions();
    for (const auto& local : local_pencils(not_unique, times)) {
        EXPECT_TRUE(local.decided && local.regular);
        EXPECT_EQ(local.index, 2);
    }
    const StrangenessAnalysis open = strangeness_index(not_unique, 0.5);
    ASSERT_TRUE(open.decided) << open.reason;
    EXPECT_EQ(open.u(), 1);
    EXPECT_EQ(open.v(), 1);
    EXPECT_FALSE(open.regular());
    // Singular local pencils, yet the solution is unique: differentiation index 2.
    const auto unique = singular_pencils_unique_solution();
    for (const auto& local : local_pencils(unique, times)) EXPECT_FALSE(local.regular);
    const auto along = analysis::strangeness_along(unique, times);
    EXPECT_TRUE(along.constant);
    EXPECT_EQ(along.first.index, 1);
    EXPECT_EQ(along.first.a(), 2);
    EXPECT_TRUE(along.first.regular());
    EXPECT_EQ(along.first.differentiation_index(), 2);
}

TEST(Strangeness, OverAndUnderDetermined) {
    // x' = f₁ and x = f₂: one equation too many.
    const StrangenessAnalysis over = strangeness_index(constant_system({{1.0}, {0.0}}, {{0.0}, {1.0}}), 0.0);
    ASSERT_TRUE(over.decided) << over.reason;
    EXPECT_EQ(over.v(), 1);
    EXPECT_EQ(over.u(), 0);
    EXPECT_EQ(over.a(), 1);
    // x' + y = f: one unknown too many.
    const StrangenessAnalysis under = strangeness_index(constant_system({{1.0, 0.0}}, {{0.0, 1.0}}), 0.0);
    ASSERT_TRUE(under.decided) << under.reason;
    EXPECT_EQ(under.index, 0);
    EXPECT_EQ(under.u(), 1);
    EXPECT_EQ(under.v(), 0);
    EXPECT_EQ(under.d(), 1);
}

TEST(Strangeness, ChangesOfCharacteristicValuesAreReported) {
    // t x' + x = 1: E changes its rank at t = 0.
    analysis::TimeVaryingSystem system;
    system.rows = system.cols = 1;
    system.e = [](double t, int k) { return Matrix{{k == 0 ? t : k == 1 ? 1.0 : 0.0}}; };
    system.h = [](double, int k) { return Matrix{{k == 0 ? 1.0 : 0.0}}; };
    const auto along = analysis::strangeness_along(system, std::vector<double>{-1.0, -0.5, 0.0, 0.5});
    EXPECT_FALSE(along.constant);
    ASSERT_FALSE(along.changes.empty());
    EXPECT_EQ(along.changes.front(), 0.0);
}

} // namespace
} // namespace daedalus::testing
