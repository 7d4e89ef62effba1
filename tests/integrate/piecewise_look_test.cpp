// Six values of a function, and what they tell about it between them.
#include "integrate/piecewise_look.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace daedalus::integrate;

namespace {

template <class Function>
PiecewiseLook::Result look(Function f, double noise = 0.0) {
    std::array<double, PiecewiseLook::points> g;
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = f(PiecewiseLook::theta[i]);
    return PiecewiseLook::judge(g, noise);
}

using Verdict = PiecewiseLook::Verdict;

TEST(PiecewiseLook, FarFromZeroIsClear) {
    EXPECT_EQ(look([](double) { return 1.0; }).verdict, Verdict::clear);
    EXPECT_EQ(look([](double t) { return 3 + std::sin(2 * t); }).verdict, Verdict::clear);
    EXPECT_EQ(look([](double t) { return 1.001 - t; }).verdict, Verdict::clear);
}

TEST(PiecewiseLook, AZeroAtTheBeginningIsNoDip) {
    EXPECT_EQ(look([](double t) { return t; }).verdict, Verdict::clear);
    EXPECT_EQ(look([](double t) { return t * (1 - 0.5 * t); }).verdict, Verdict::clear);
}

// A parabola that crosses zero twice between any two of the points.
TEST(PiecewiseLook, TwoCrossingsBetweenPointsAreADip) {
    for (std::size_t i = 0; i + 1 < PiecewiseLook::points; ++i)
        for (const double sign : {1.0, -1.0}) {
            const double a = PiecewiseLook::theta[i], b = PiecewiseLook::theta[i + 1];
            const double middle = 0.5 * (a + b), half = 0.2 * (b - a);
            const auto result = look([&](double t) { return sign * ((t - middle) * (t - middle) - half * half); });
            ASSERT_EQ(result.verdict, Verdict::dip) << i;
            EXPECT_EQ(result.segment, static_cast<int>(i));
            EXPECT_NEAR(result.where, middle, half);
        }
}

// However many periods there are in a piece and wherever they begin: it is seen that the points are too few, but for
// one piece in a hundred.
TEST(PiecewiseLook, FastOscillationsAreUnresolved) {
    int missed = 0, all = 0;
    for (double omega = 8; omega < 1e4; omega *= 1.0137)
        for (double phase = 0; phase < 6.2; phase += 0.31) {
            ++all;
            if (look([&](double t) { return std::sin(omega * t + phase); }).verdict != Verdict::unresolved) ++missed;
        }
    EXPECT_LE(missed, all / 100) << "of " << all;
}

TEST(PiecewiseLook, RoundOffIsNotResolved) {
    const auto noise = [](double t) { return 1e-16 * std::sin(1e5 * t); };
    EXPECT_EQ(look(noise).verdict, Verdict::unresolved);
    EXPECT_NE(look(noise, 1e-15).verdict, Verdict::unresolved);
}

} // namespace
