// How solutions leave a singular point, against equations whose solutions are known.
#include "analysis/singular_exponents.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

using namespace daedalus;
using linalg::Matrix;

namespace {

std::optional<analysis::PartingSolutions> at(const std::function<Matrix(double)>& J,
                                             const std::function<Matrix(double)>& M) {
    std::vector<analysis::SingularLinearisation> list;
    for (const double tau : {1e-2, 3.1622776601683795e-3, 1e-3}) list.push_back({tau, J(tau), M(tau)});
    return analysis::parting_solutions(list);
}

TEST(SingularExponents, FirstKind) {
    // τ x' = 2 x: c τ².
    const auto two = at([](double) { return Matrix{{-2.0}}; }, [](double t) { return Matrix{{t}}; });
    ASSERT_TRUE(two);
    EXPECT_NEAR(two->exponent, 2.0, 1e-9);
    EXPECT_TRUE(two->power);
    // τ x' = -x: c/τ, which no bounded solution has.
    EXPECT_FALSE(at([](double) { return Matrix{{1.0}}; }, [](double t) { return Matrix{{t}}; }));
    // Exponents 1 ± 2i.
    const auto turning = at(
        [](double) {
            return Matrix{{-1.0, 2.0}, {-2.0, -1.0}};
        },
        [](double t) {
            return Matrix{{t, 0.0}, {0.0, t}};
        });
    ASSERT_TRUE(turning);
    EXPECT_NEAR(turning->exponent, 1.0, 1e-9);
}

TEST(SingularExponents, AlgebraicUnknownsAddNone) {
    // x' = z, τ z = 2 x.
    const auto found = at(
        [](double t) {
            return Matrix{{0.0, -1.0}, {-2.0, t}};
        },
        [](double) {
            return Matrix{{1.0, 0.0}, {0.0, 0.0}};
        });
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->exponent, 2.0, 1e-9);
}

TEST(SingularExponents, ComponentsWithPowersOfTheirOwn) {
    const auto unit = [](double) { return Matrix::identity(2); };
    // Bessel's equation of order 1: y = τ/2 and v = 1/2 begin there. Solutions differ in v from the start on.
    EXPECT_FALSE(at([](double t) { return Matrix{{0.0, -1.0}, {1.0 - 1.0 / (t * t), 1.0 / t}}; }, unit));
    // Of order 2: y = τ²/8, v = τ/4, from nothing.
    const auto two = at([](double t) { return Matrix{{0.0, -1.0}, {1.0 - 4.0 / (t * t), 1.0 / t}}; }, unit);
    ASSERT_TRUE(two);
    EXPECT_NEAR(two->exponent, 1.0, 0.01);
    // Of order 0: y = 1 and its slope are known.
    EXPECT_FALSE(at([](double t) { return Matrix{{0.0, -1.0}, {1.0, 1.0 / t}}; }, unit));
}

TEST(SingularExponents, WhatCanBeIntegratedDoesNotPart) {
    const auto one = [](double) { return Matrix{{1.0}}; };
    EXPECT_FALSE(at([](double) { return Matrix{{-1e3}}; }, one));                      // fast growth
    EXPECT_FALSE(at([](double t) { return Matrix{{-10.0 / std::sqrt(t)}}; }, one));    // exp(20 √τ)
    const auto essential = at([](double t) { return Matrix{{-1.0 / (t * t)}}; }, one); // exp(-1/τ)
    ASSERT_TRUE(essential);
    EXPECT_FALSE(essential->power);
}

} // namespace
