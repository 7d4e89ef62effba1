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

// Six values alone let one in forty through; with slopes one in two thousand remains, most of them of few periods.
TEST(PiecewiseLook, SlopesTellFastOscillations) {
    constexpr std::size_t n = PiecewiseLook::points, m = PiecewiseLook::slopes;
    int missed = 0, by_values = 0, all = 0;
    for (double omega = 20; omega < 1e5; omega *= 1.0037)
        for (double phase = 0; phase < 6.28; phase += 0.137)
            for (const double level : {0.0, 0.5, 0.9}) {
                const auto f = [&](double t) { return std::sin(omega * t + phase) - level; };
                std::array<double, n> g;
                std::array<double, m> beside;
                for (std::size_t i = 0; i < n; ++i) g[i] = f(PiecewiseLook::theta[i]);
                for (std::size_t i = 0; i < m; ++i) beside[i] = f(PiecewiseLook::theta[i + 1] + PiecewiseLook::aside);
                ++all;
                by_values += PiecewiseLook::judge(g, 0.0).verdict != Verdict::unresolved;
                missed += PiecewiseLook::judge(g, 0.0, {.slopes = PiecewiseLook::slope_error(g, beside)}).verdict !=
                          Verdict::unresolved;
            }
    EXPECT_GT(by_values, all / 50);
    EXPECT_LE(missed, all / 2000) << by_values << " of " << all << " without slopes";
}

// Smooth functions are not asked for smaller pieces by their slopes.
TEST(PiecewiseLook, SlopesLeaveSmoothFunctionsAlone) {
    for (double omega = 0.1; omega < 2.5; omega *= 1.1)
        for (double phase = 0; phase < 6.28; phase += 0.137) {
            const auto f = [&](double t) { return std::sin(omega * t + phase); };
            std::array<double, PiecewiseLook::points> g;
            std::array<double, PiecewiseLook::slopes> beside;
            for (std::size_t i = 0; i < g.size(); ++i) g[i] = f(PiecewiseLook::theta[i]);
            for (std::size_t i = 0; i < beside.size(); ++i)
                beside[i] = f(PiecewiseLook::theta[i + 1] + PiecewiseLook::aside);
            const auto with = PiecewiseLook::judge(g, 0.0, {.slopes = PiecewiseLook::slope_error(g, beside)});
            EXPECT_EQ(with.verdict, PiecewiseLook::judge(g, 0.0).verdict) << omega << " " << phase;
        }
}

TEST(PiecewiseLook, RoundOffIsNotResolved) {
    const auto noise = [](double t) { return 1e-16 * std::sin(1e5 * t); };
    EXPECT_EQ(look(noise).verdict, Verdict::unresolved);
    EXPECT_NE(look(noise, 1e-15).verdict, Verdict::unresolved);
}

} // namespace
