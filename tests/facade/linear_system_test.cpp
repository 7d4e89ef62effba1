// Linear systems by matrices and formulas, through the public headers alone.
#include "daedalus/linear_system.hpp"
#include "daedalus/model.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace daedalus {
namespace {

TEST(LinearSystem, DrazinInverseOfASingularMatrix) {
    // diag(2, [0 1; 0 0]): inverse diag(1/2, 0), index 2
    const auto d = drazin_inverse(MatrixData::dense(3, 3, {2, 0, 0, 0, 0, 0, 0, 1, 0}));
    ASSERT_TRUE(d);
    EXPECT_EQ(d->index, 2);
    EXPECT_TRUE(d->decided);
    EXPECT_LT(d->axioms_error, 1e-14);
    EXPECT_NEAR(d->inverse[0], 0.5, 1e-15);
    EXPECT_NEAR(d->projector[0], 1.0, 1e-15);
    EXPECT_NEAR(d->inverse[4], 0.0, 1e-15);
    EXPECT_FALSE(drazin_inverse(MatrixData::dense(1, 2, {1, 2})));
    EXPECT_FALSE(drazin_inverse(MatrixData::dense(1, 1, {NAN})));
}

TEST(LinearSystem, ProjectorsOfAPencil) {
    // x₁' + x₁ = 0, x₃' + x₂ = 0, x₃ = 0
    const MatrixData e = MatrixData::dense(3, 3, {1, 0, 0, 0, 0, 0, 0, 1, 0});
    const MatrixData h = MatrixData::dense(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1});
    const auto p = spectral_projectors(e, h);
    ASSERT_TRUE(p);
    EXPECT_EQ(p->index, 2);
    EXPECT_EQ(p->dimension, 1);
    EXPECT_NEAR(std::abs(p->consistent[0]), 1.0, 1e-14);
    EXPECT_NEAR(p->finite[0] + p->infinite[0], 1.0, 1e-14);
    EXPECT_FALSE(spectral_projectors(MatrixData::dense(1, 1, {0}), MatrixData::dense(1, 1, {0})));
}

TEST(LinearSystem, ExactSolutionWithDerivativesOfTheForcing) {
    // x₁' + x₁ = 1, x₃' + x₂ = 0, x₃ = sin t: x₂ = −cos t
    const MatrixData e = MatrixData::dense(3, 3, {1, 0, 0, 0, 0, 0, 0, 1, 0});
    const MatrixData h = MatrixData::dense(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1});
    const Model m("forcing");
    const auto s = solve_exactly(e, h, {1.0, 0.0, sin(m.time())}, 0.0, {0, 0, 0}, {0.5, 2.0});
    ASSERT_TRUE(s);
    EXPECT_EQ(s->index, 2);
    EXPECT_EQ(s->derivatives_of_c, (std::vector<int>{-1, 1, 0}));
    EXPECT_NEAR(s->inconsistency, 1.0, 1e-14);
    EXPECT_NEAR(s->initial[1], -1.0, 1e-14);
    EXPECT_TRUE(s->accurate);
    EXPECT_NEAR(s->values[1][0], 1.0 - std::exp(-2.0), 1e-13);
    EXPECT_NEAR(s->values[1][1], -std::cos(2.0), 1e-13);
    EXPECT_NEAR(s->values[1][2], std::sin(2.0), 1e-13);
    Model other("other");
    EXPECT_FALSE(solve_exactly(e, h, {other.variable("x"), 0.0, 0.0}, 0.0, {0, 0, 0}, {1.0}));
}

TEST(LinearSystem, VariableCoefficients) {
    // E = [−t t²; −1 t], H = I: every pencil is regular of index 2, yet the solutions are not unique (HW (1.8) class).
    const Model m("coefficients");
    const Expression t = m.time();
    const TimeVaryingCoefficients free{2, 2, {-t, t * t, -1.0, t}, {1, 0, 0, 1}, {}};
    const auto a = analyze_time_varying(free, {1.0, 2.0});
    ASSERT_TRUE(a);
    ASSERT_EQ(a->local.size(), 2U);
    EXPECT_EQ(a->local[0].index, 2);
    EXPECT_EQ(a->undetermined, 1);
    EXPECT_FALSE(a->differentiation_index);
    EXPECT_FALSE(a->tractability_index);
    const auto refused = solve_time_varying(free, 1.0, 2.0, {0, 0});
    ASSERT_TRUE(refused);
    EXPECT_FALSE(refused->finished);

    // E = [0 0; 1 −t], H = [1 −t; 0 0]: every pencil is singular, the solution is unique.
    const TimeVaryingCoefficients unique{2, 2, {0, 0, 1, -t}, {1, -t, 0, 0}, {sin(t), cos(t) - exp(-t)}};
    const auto b = analyze_time_varying(unique, {0.5, 1.0});
    ASSERT_TRUE(b);
    EXPECT_FALSE(b->local[0].regular);
    EXPECT_EQ(b->strangeness_index, 1);
    EXPECT_EQ(b->differentiation_index, 2);
    EXPECT_EQ(b->tractability_index, 2) << b->tractability_reason;
    EXPECT_TRUE(b->constant);
    const auto run = solve_time_varying(unique, 0.5, 1.0, {0, 0}); // x₁ − t x₂ = sin t, x₂ = −e^(−t)
    ASSERT_TRUE(run);
    ASSERT_TRUE(run->finished) << run->reason;
    EXPECT_NEAR(run->x[1], -std::exp(-1.0), 1e-7);
    EXPECT_NEAR(run->x[0], std::sin(1.0) - std::exp(-1.0), 1e-7);
    EXPECT_FALSE(analyze_time_varying({2, 2, {1}, {1}, {}}, {0.0}));
}

} // namespace
} // namespace daedalus
