// Functions of the unknowns that rise and fall within what would be one step: they are met, by every method, and the
// integral over them is the one of analysis.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <cmath>

using namespace daedalus;

namespace {

const double pi = std::acos(-1.0);

/// Exact integrals over s' = 1 of features of width w at `place`: a bell √π w, a resonance (nearly) π w.
Model passes(double width, double place, bool bell) {
    Model m("M");
    const Expression s = m.variable("s", {.start = 0.0, .fixed = true}),
                     x = m.variable("x", {.start = 0.0, .fixed = true});
    const Expression u = (s - place) / width;
    m.equation(der(s) == 1.0);
    m.equation(der(x) == (bell ? exp(-u * u) : 1.0 / (1.0 + u * u)) / width);
    return m;
}

class PassingFeatures : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, PassingFeatures,
                         ::testing::Values("auto", "bdf", "radau", "dopri5", "dop853", "rodas4", "esdirk4", "limex"));

} // namespace

TEST_P(PassingFeatures, AreMetHoweverNarrow) {
    for (const bool bell : {true, false})
        for (const double width : {1e-1, 1e-2, 1e-4})
            for (const double tolerance : {1e-2, 1e-5, 1e-8}) {
                const double place = 7.3, until = 20.0;
                const auto solution =
                    solve(passes(width, place, bell),
                          {.until = until, .method = GetParam(), .rtol = tolerance, .atol = tolerance});
                ASSERT_TRUE(solution) << render(solution.error());
                ASSERT_TRUE(solution->success()) << solution->message();
                const double exact =
                    bell ? std::sqrt(pi) : std::atan((until - place) / width) + std::atan(place / width);
                EXPECT_NEAR(solution->final("x"), exact, 10 * tolerance * (1 + exact))
                    << (bell ? "bell" : "resonance") << " of width " << width << ", tolerance " << tolerance;
            }
}

// A conservative force of a thin barrier a e^(-(s/d)²): the particle gets over it, and has its speed again behind it.
// Time is lost: (∫ 1/√(1 - 2a e^(-(s/d)²)) - 1 ds) = d √π (a + …).
TEST_P(PassingFeatures, TakeTimeFromAParticle) {
    constexpr double a = 0.3, d = 0.004;
    Model m("Barrier");
    const Expression s = m.variable("s", {.start = -3.0, .fixed = true}),
                     v = m.variable("v", {.start = 1.0, .fixed = true});
    m.equation(der(s) == v);
    m.equation(der(v) == 2.0 * a / (d * d) * s * exp(-(s / d) * (s / d)));
    constexpr double tolerance = 1e-7;
    const auto solution = solve(m, {.until = 8.0, .method = GetParam(), .rtol = tolerance, .atol = tolerance});
    ASSERT_TRUE(solution) << render(solution.error());
    ASSERT_TRUE(solution->success()) << solution->message();
    double lost = 0.0; // by the trapezoidal rule, which converges exponentially here
    constexpr double h = 1e-3;
    for (double u = -8.0; u <= 8.0; u += h) lost += h * d * (1.0 / std::sqrt(1.0 - 2.0 * a * std::exp(-u * u)) - 1.0);
    EXPECT_NEAR(solution->final("v"), 1.0, 30 * tolerance);
    EXPECT_NEAR(solution->final("s"), 5.0 - lost, 0.02 * lost); // 4.8e-3: not the undisturbed course
}

// Seen on the way, not only by runs that happen to begin beside them: a pendulum passes its lowest point many times.
TEST_P(PassingFeatures, AreMetAgainAndAgain) {
    constexpr double width = 1e-3;
    Model m("Swing");
    const Expression p = m.variable("p", {.start = 1.0, .fixed = true}),
                     w = m.variable("w", {.start = 0.0, .fixed = true}),
                     k = m.variable("k", {.start = 0.0, .fixed = true});
    m.equation(der(p) == w);
    m.equation(der(w) == -p);
    m.equation(der(k) == abs(w) / (1.0 + (p / width) * (p / width)) / width);
    constexpr double tolerance = 1e-5;
    const auto solution = solve(m, {.until = 10 * pi, .method = GetParam(), .rtol = tolerance, .atol = tolerance});
    ASSERT_TRUE(solution) << render(solution.error());
    ASSERT_TRUE(solution->success()) << solution->message();
    EXPECT_NEAR(solution->final("k"), 10 * 2 * std::atan(1.0 / width), 100 * tolerance * 10 * pi); // ten passages
}
