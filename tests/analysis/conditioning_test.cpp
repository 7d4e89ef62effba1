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
