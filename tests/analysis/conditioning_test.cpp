// Stability constants against closed forms, and the effective index of MW Example 7.1's kind.
#include "analysis/conditioning.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace daedalus::analysis {
namespace {

// x' = -x + y, 0 = x + d y: E x' + H x with H = -[A B; C D].
std::vector<LinearisedPoint> scalar(double d, int points = 201) {
    std::vector<LinearisedPoint> along;
    for (int k = 0; k < points; ++k) along.push_back({4.0 * k / (points - 1), {{1, 0}, {0, 0}}, {{1, -1}, {1, d}}});
    return along;
}

TEST(Conditioning, Index1OfAScalarEquation) {
    // y = -x/d: x' = -(1 + 1/d) x, so that kappa1 = 1 and kappa2 = (1 - exp(-4 (1 + 1/d))) / (1 + 1/d).
    const Conditioning c = conditioning(scalar(1.0), 1);
    ASSERT_TRUE(c.kappa1 && c.kappa2) << c.reason;
    EXPECT_NEAR(*c.kappa1, 1.0, 1e-12);
    EXPECT_NEAR(*c.kappa2, (1 - std::exp(-8.0)) / 2, 1e-3);
    EXPECT_TRUE(c.advice.empty());
}

TEST(Conditioning, Index2IsRestrictedToTheConstraint) {
    // x1' = x2 + y, x2' = -x2, 0 = x1: P projects onto x1, what is left is x2' = -x2.
    std::vector<LinearisedPoint> along;
    for (int k = 0; k <= 200; ++k)
        along.push_back({0.02 * k, {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}, {{0, -1, -1}, {0, 1, 0}, {1, 0, 0}}});
    const Conditioning c = conditioning(along, 2);
    ASSERT_TRUE(c.kappa1 && c.kappa2) << c.reason;
    EXPECT_NEAR(*c.kappa1, 1.0, 1e-12);
    EXPECT_NEAR(*c.kappa2, 1 - std::exp(-4.0), 1e-3);
    ASSERT_TRUE(c.observed_power);
    EXPECT_NEAR(*c.observed_power, 2.0, 0.2);
}

TEST(Conditioning, DoesNotDependOnTheBasis) {
    // The same system with orthogonally mixed equations and unknowns: E is no longer [I 0; 0 0] by permutations.
    const double c = std::cos(0.7), s = std::sin(0.7);
    const linalg::Matrix u{{c, -s}, {s, c}}, v{{0.8, 0.6}, {-0.6, 0.8}};
    std::vector<LinearisedPoint> along = scalar(0.5);
    const Conditioning plain = conditioning(along, 1);
    for (LinearisedPoint& p : along) {
        p.e = u * p.e * v;
        p.h = u * p.h * v;
    }
    const Conditioning mixed = conditioning(along, 1);
    ASSERT_TRUE(mixed.kappa1 && mixed.kappa2) << mixed.reason;
    EXPECT_NEAR(*mixed.kappa1, *plain.kappa1, 1e-10);
    EXPECT_NEAR(*mixed.kappa2, *plain.kappa2, 1e-10);
}

TEST(Conditioning, FollowsATurningKernel) {
    // x' = -x, 0 = y in unknowns that turn with t: (x, y)ᵀ = R(t) z, E = [1 0; 0 0] R, H = [1 0; 0 0] R' + diag(1, 1)
    // R.
    std::vector<LinearisedPoint> along;
    for (int k = 0; k <= 400; ++k) {
        const double t = 0.01 * k, c = std::cos(2 * t), s = std::sin(2 * t);
        const linalg::Matrix R{{c, -s}, {s, c}}, dR{{-2 * s, -2 * c}, {2 * c, -2 * s}}, first{{1, 0}, {0, 0}};
        along.push_back({t, first * R, first * dR + R});
    }
    const Conditioning c = conditioning(along, 1);
    ASSERT_TRUE(c.kappa1 && c.kappa2) << c.reason;
    EXPECT_NEAR(*c.kappa1, 1.0, 1e-3);
    EXPECT_NEAR(*c.kappa2, 1 - std::exp(-4.0), 5e-3);
}

TEST(Conditioning, Index2WithUnknownsOfIndex1Besides) {
    // As above, and 0 = x2 + y2 with y2 in the equation of x2: x2' = -x2 + y2 = -2 x2.
    std::vector<LinearisedPoint> along;
    for (int k = 0; k <= 200; ++k)
        along.push_back({0.02 * k,
                         {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}},
                         {{0, -1, -1, 0}, {0, 1, 0, -1}, {1, 0, 0, 0}, {0, 1, 0, 1}}});
    const Conditioning c = conditioning(along, 2);
    ASSERT_TRUE(c.kappa1 && c.kappa2) << c.reason;
    EXPECT_NEAR(*c.kappa1, 1.0, 1e-12);
    EXPECT_NEAR(*c.kappa2, (1 - std::exp(-8.0)) / 2, 1e-3);
}

// MW (9.5): A = [-1 -1; 0 0], B = (1, 0)ᵀ, C = (0, 1), D = ε.
SemiExplicit nearly_singular(double epsilon) {
    return {{{-1, -1}, {0, 0}}, {{1}, {0}}, {{0, 1}}, {{epsilon}}, {{0}, {0}, {1}}};
}

TEST(SingularPencil, DistanceAndDirection) {
    for (const double epsilon : {1e-2, 1e-5, 1e-8}) {
        const SingularDirection z = singular_direction(nearly_singular(epsilon));
        EXPECT_NEAR(z.distance / epsilon, 1.0, 1e-6);
        ASSERT_EQ(z.combination.size(), 3U);
        EXPECT_NEAR(std::abs(z.combination[2]), 1.0, 1e-12);
        EXPECT_EQ(effective_index_at_noise(nearly_singular(epsilon), 0.1 * epsilon), 1);
        EXPECT_EQ(effective_index_at_noise(nearly_singular(epsilon), 10 * epsilon), std::nullopt);
    }
    EXPECT_LT(singular_direction(nearly_singular(0)).distance, 1e-15);
    // MW (9.4): CB = 0, CAB = 1: index 3, and far from singular.
    const SemiExplicit three{{{0, 1}, {1, 0}}, {{1}, {0}}, {{0, 1}}, {{0}}, {{0}, {0}, {1}}};
    EXPECT_GT(singular_direction(three).distance, 0.5);
    EXPECT_EQ(effective_index_at_noise(three, 1e-12), 3);
}

TEST(Conditioning, NearlyIndex2) {
    const Conditioning c = conditioning(scalar(1e-6), 1);
    EXPECT_FALSE(c.advice.empty());
    const LinearisedPoint p = scalar(1e-6).front();
    EXPECT_EQ(effective_index(p, 1e-3), 2);  // steps above d feel index 2 …
    EXPECT_EQ(effective_index(p, 1e-10), 1); // … and far below it index 1
    const auto s = semi_explicit(p);
    ASSERT_TRUE(s);
    EXPECT_EQ(effective_index_at_noise(*s, 1e-3), 2);
    EXPECT_EQ(effective_index_at_noise(*s, 1e-9), 1);
}

} // namespace
} // namespace daedalus::analysis
