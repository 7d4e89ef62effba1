// Blocks with and without a choice of dummy derivatives.
#include "structure/dummy_derivatives.hpp"
#include "structure/generated_systems.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace daedalus::structure {
namespace {

struct Analysed {
    SignatureAnalysis analysis;
    BlockTriangularForm blocks;
    DummyDerivativeStructure dummies;
};

Analysed analyse(const SignatureMatrix& m) {
    Analysed a;
    a.analysis = signature_method(m);
    a.blocks = block_triangular_form(a.analysis.system_jacobian, a.analysis.transversal);
    a.dummies = dummy_derivatives(a.analysis, a.blocks);
    return a;
}

TEST(DummyDerivatives, PendulumHasAChoiceOnBothLevels) {
    const Analysed a = analyse(generated::pendulum());
    ASSERT_EQ(a.dummies.choices.size(), 1u);
    // Level 1: x' = u, y' = v and the constraint are differentiated; candidates x, y, u, v. Level 2: x or y.
    EXPECT_EQ(a.dummies.choices[0].levels, (std::vector<DummyLevel>{{3, 4}, {1, 2}}));
    EXPECT_EQ(a.dummies.choices[0].equations.size(), 5u);
    EXPECT_TRUE(a.dummies.forced.empty());
    EXPECT_EQ(a.dummies.dummies, 4);
    EXPECT_EQ(a.dummies.states, 2);
}

TEST(DummyDerivatives, PrescribedMotionLeavesNoChoice) {
    // x = f(t), x' = v, v' = a: all derivatives are dummies, no state remains.
    const Analysed a = analyse(generated::system(3, {{{0, 0}}, {{0, 1}, {1, 0}}, {{1, 1}, {2, 0}}}));
    EXPECT_TRUE(a.dummies.choices.empty());
    EXPECT_EQ(a.dummies.forced, (std::vector<DummyRange>{{0, 1, 2}, {1, 1, 1}}));
    EXPECT_EQ(a.dummies.dummies, 3);
    EXPECT_EQ(a.dummies.states, 0);
}

TEST(DummyDerivatives, BlockOfEqualOffsetsIsForced) {
    // x + y = f, x − y = g, and x'' used elsewhere: both constraints are differentiated alike.
    const Analysed a = analyse(generated::system(3, {{{0, 0}, {1, 0}}, {{0, 0}, {1, 0}}, {{0, 2}, {1, 2}, {2, 0}}}));
    EXPECT_TRUE(a.dummies.choices.empty());
    EXPECT_EQ(a.dummies.forced, (std::vector<DummyRange>{{0, 1, 2}, {1, 1, 2}}));
}

TEST(DummyDerivatives, OrdinarySystemHasNone) {
    const Analysed a = analyse(generated::system(2, {{{0, 1}, {1, 1}}, {{0, 1}, {1, 1}}}));
    EXPECT_TRUE(a.dummies.choices.empty());
    EXPECT_TRUE(a.dummies.forced.empty());
    EXPECT_EQ(a.dummies.states, 2);
}

TEST(DummyDerivatives, ChoiceGivesNestedRanges) {
    // Pendulum: x, u, v chosen on level 1 and x on level 2: y and y' remain states.
    const Analysed a = analyse(generated::pendulum());
    EXPECT_EQ(dummies_of_choice(a.analysis, {{2, 0, 3}, {0}}),
              (std::vector<DummyRange>{{0, 1, 2}, {2, 1, 1}, {3, 1, 1}}));
}

TEST(DummyDerivatives, CountsAddUpOnRandomSystems) {
    std::mt19937 random(17);
    int choices = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        const SignatureMatrix m = generated::random_small(1 + static_cast<int>(random() % 8u), 2, 0.3, random);
        if (!signature_method(m).regular) continue;
        const Analysed a = analyse(m);
        std::int64_t dummies = 0;
        for (const DummyRange& x : a.dummies.forced) dummies += x.highest - x.lowest + 1;
        for (const ChoiceBlock& block : a.dummies.choices) {
            ++choices;
            dummies += std::accumulate(block.c.begin(), block.c.end(), std::int64_t{0});
            int in_levels = 0;
            bool any_choice = false;
            for (const DummyLevel& level : block.levels) {
                ASSERT_GE(level.columns, level.rows);
                in_levels += level.rows;
                any_choice = any_choice || level.columns > level.rows;
            }
            ASSERT_TRUE(any_choice);
            ASSERT_EQ(in_levels, std::accumulate(block.c.begin(), block.c.end(), 0));
        }
        ASSERT_EQ(dummies, a.dummies.dummies);
        ASSERT_EQ(a.dummies.states, a.analysis.value);
        for (const DummyRange& x : a.dummies.forced) {
            ASSERT_GE(x.lowest, 1);
            ASSERT_LE(x.lowest, x.highest);
            ASSERT_EQ(x.highest, a.analysis.d[x.variable]);
        }
    }
    EXPECT_GT(choices, 200);
}

} // namespace
} // namespace daedalus::structure
