// Conditions on what no error test looks at: expressions and algebraic unknowns that oscillate within a step, whose
// crossings every method finds, all of them.
#include "facade/solving.hpp"

#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

Solution solved_with(const std::string& equations, const SolveOptions& options) {
    return run("model M\n  Real x(start = 0, fixed = true), z(start = 1, fixed = true);\n" + equations + "end M;",
               options);
}

bool warned(const Solution& s, const std::string& code) {
    for (const Diagnostic& d : s.diagnostics())
        if (d.code == code) return true;
    return false;
}

struct Expected {
    double positive = 0.0; ///< how long the condition holds
    int crossings = 0;
};
/// Signs on a fine grid, zeros by bisection.
template <class Function>
Expected expected(Function g, double until) {
    constexpr int points = 200'000;
    Expected e;
    double before = 0.0;
    for (int i = 1; i <= points; ++i) {
        const double t = until * i / points;
        double a = before, b = t;
        if ((g(a) > 0) != (g(b) > 0)) {
            ++e.crossings;
            for (int k = 0; k < 60; ++k) {
                const double c = 0.5 * (a + b);
                ((g(c) > 0) == (g(a) > 0) ? a : b) = c;
            }
            e.positive += g(before) > 0 ? a - before : t - a;
        } else if (g(t) > 0) {
            e.positive += t - before;
        }
        before = t;
    }
    return e;
}
double z(double t) { return std::exp(-0.1 * t); }

class Crossings : public ::testing::TestWithParam<const char*> {};

TEST_P(Crossings, OfAnExpressionInTheConditionItself) {
    const Expected e = expected([](double t) { return z(t) * std::sin(50 * t) - 0.85; }, 5);
    const Solution s = solved_with("equation\n  der(z) = -0.1*z;\n"
                                   "  der(x) = if z*sin(50*time) > 0.85 then 1 else 0;\n",
                                   {.until = 5, .method = GetParam()});
    ASSERT_TRUE(s.success()) << s.message();
    EXPECT_EQ(count(s, "events"), e.crossings);
    EXPECT_NEAR(s.final("x"), e.positive, 1e-5);
}

TEST_P(Crossings, OfAnAlgebraicVariable) {
    const Expected e = expected([](double t) { return std::sin(50 * t + 0.1 * z(t)) - 0.9; }, 5);
    const Solution s = solved_with("  Real y;\nequation\n  y = sin(50*time + 0.1*z);\n  der(z) = -0.1*z;\n"
                                   "  der(x) = if y > 0.9 then 1 else 0;\n",
                                   {.until = 5, .method = GetParam()});
    ASSERT_TRUE(s.success()) << s.message();
    EXPECT_EQ(count(s, "events"), e.crossings);
    EXPECT_NEAR(s.final("x"), e.positive, 1e-5);
}

TEST_P(Crossings, OfAVariableGivenImplicitly) {
    // y + y³/10 is monotone: y > 0.9 where it is above 0.9729.
    const Expected e = expected([](double t) { return std::sin(50 * t + 0.1 * z(t)) - 0.9729; }, 2);
    const Solution s = solved_with("  Real y(start = 0.1);\nequation\n  y + 0.1*y^3 = sin(50*time + 0.1*z);\n"
                                   "  der(z) = -0.1*z;\n  der(x) = if y > 0.9 then 1 else 0;\n",
                                   {.until = 2, .method = GetParam()});
    ASSERT_TRUE(s.success()) << s.message();
    EXPECT_EQ(count(s, "events"), e.crossings);
    EXPECT_NEAR(s.final("x"), e.positive, 1e-5);
}

// The parabola dips below zero for a moment, within a step that nothing else makes short.
TEST_P(Crossings, TwiceInAMoment) {
    const Solution s = solved_with("equation\n  der(z) = 1;\n"
                                   "  der(x) = if (z - 51.2345)^2 > 1e-4 then 0 else 1;\n",
                                   {.until = 100, .method = GetParam()});
    ASSERT_TRUE(s.success()) << s.message();
    EXPECT_EQ(count(s, "events"), 2);
    EXPECT_NEAR(s.final("x"), 0.02, 1e-6);
}

TEST_P(Crossings, InTheDirectionOfAWhenClauseAndBackwardInTime) {
    const Expected e = expected([](double t) { return z(-t) * std::sin(50 * t) - 0.85; }, 2);
    const Solution s = solved_with("equation\n  der(z) = -0.1*z;\n"
                                   "  der(x) = if z*sin(-50*time) > 0.85 then 1 else 0;\n",
                                   {.until = -2, .method = GetParam()});
    ASSERT_TRUE(s.success()) << s.message();
    EXPECT_EQ(count(s, "events"), e.crossings);
    EXPECT_NEAR(s.final("x"), -e.positive, 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Methods, Crossings,
                         ::testing::Values("auto", "radau", "radau5", "radau13", "bdf", "esdirk3", "esdirk4", "rodas4",
                                           "rodas5", "limex", "dop853", "dopri5"));

struct TimeCondition {
    const char* written;
    double (*function)(double t); ///< positive where it holds
};

class TimeConditions : public ::testing::TestWithParam<TimeCondition> {};

// On time alone: nothing is sampled, so that no pulse is too short and no frequency too high.
TEST_P(TimeConditions, AreHitExactly) {
    const Expected e = expected(GetParam().function, 6);
    const Solution s = solved_with(std::string("equation\n  der(z) = -0.1*z;\n  der(x) = if ") + GetParam().written +
                                       " then 1 else 0;\n",
                                   {.until = 6});
    ASSERT_TRUE(s.success()) << s.message();
    EXPECT_NEAR(s.final("x"), e.positive, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(
    Written, TimeConditions,
    ::testing::Values(
        TimeCondition{"sin(5*time^2) > 0.9", [](double t) { return std::sin(5 * t * t) - 0.9; }},
        TimeCondition{"sin(exp(time)) > 0.99", [](double t) { return std::sin(std::exp(t)) - 0.99; }},
        TimeCondition{"(time - 5.1234)^2 < 1e-6", [](double t) { return 1e-6 - (t - 5.1234) * (t - 5.1234); }},
        TimeCondition{"cos(300*sin(time)) > 0.999", [](double t) { return std::cos(300 * std::sin(t)) - 0.999; }},
        TimeCondition{"1/(1 + 1e8*(time - 3.3333)^2) > 0.5", [](double t) { return 1e-4 - std::abs(t - 3.3333); }},
        TimeCondition{"sin(time) >= 1", [](double) { return -1.0; }},
        TimeCondition{"mod(time, 1.5)*sin(7*time) > 0.5 and time > 2",
                      [](double t) { return std::min(std::fmod(t, 1.5) * std::sin(7 * t) - 0.5, t - 2); }},
        TimeCondition{"sqrt(max(time - 4, 0)) > 1", [](double t) { return t - 5; }}));

// However fast it oscillates: z never exceeds 1, so that bounds prove that nothing can have been missed.
TEST(Condition, FastButNeverTrueIsNoDoubt) {
    const Solution s = solved_with("equation\n  der(z) = -0.1*z;\n"
                                   "  der(x) = if z*sin(3e6*time) > 1.5 then 1 else 0.1*z*sin(1e-9*z);\n",
                                   {.until = 100, .method = "radau"});
    EXPECT_TRUE(s.success()) << s.message();
    EXPECT_FALSE(warned(s, "condition-too-fast"));
    EXPECT_FALSE(warned(s, "condition-below-tolerance"));
}

TEST(Condition, OnValuesBelowTheToleranceIsNamed) {
    const std::string equations = "  Real p(start = 1e-9, fixed = true), q(start = 0, fixed = true);\nequation\n"
                                  "  der(p) = 50*q;\n  der(q) = -50*p;\n  der(z) = -0.1*z;\n"
                                  "  der(x) = if p > 0.9e-9 then 1 else 0;\n";
    const Solution vague = solved_with(equations, {.until = 1, .method = "radau"});
    EXPECT_TRUE(warned(vague, "condition-below-tolerance"));
    const Solution exact =
        solved_with(equations, {.until = 1, .method = "radau", .atol_each = {{"p", 1e-16}, {"q", 1e-16}}});
    EXPECT_FALSE(warned(exact, "condition-below-tolerance"));
    EXPECT_EQ(count(exact, "events"), 16);
}

} // namespace
