// Kinks of abs, min and max are events at which nothing jumps: located like those of branches, passed without a
// restart.
#include "facade/solving.hpp"

#include <cmath>
#include <numbers>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

// A spring that is four times as stiff on one side: frequency 2 where x > 0, 1 where x < 0.
std::string two_springs(const std::string& positive_part) {
    return std::string("model TwoSprings\n  Real x(start = 0, fixed = true), v(start = 1, fixed = true);\nequation\n"
                       "  der(x) = v;\n  der(v) = -(x + 3*(") +
           positive_part + "));\nend TwoSprings;";
}
constexpr double period = 1.5 * std::numbers::pi;

class Kinks : public ::testing::TestWithParam<const char*> {};

TEST_P(Kinks, AreLocatedAndPassedWithoutRestart) {
    const bool low = std::string_view(GetParam()) == "esdirk3";
    for (const char* form : {"max(x, 0)", "(x + abs(x))/2", "-min(-x, 0)"})
        for (const double tol : {1e-4, 1e-6, 1e-8}) {
            const Solution s =
                run(two_springs(form), {.until = 3.25 * period, .method = GetParam(), .rtol = tol, .atol = tol});
            ASSERT_TRUE(s.success()) << form << " " << tol << ": " << s.message();
            // A quarter of a period behind x = 0: sin(2t)/2 at t = 3π/8.
            const double angle = 2.0 * 0.25 * period;
            EXPECT_NEAR(s.final("x"), std::sin(angle) / 2, (low ? 20 : 10) * tol) << form << " " << tol;
            EXPECT_NEAR(s.final("v"), std::cos(angle), (low ? 20 : 10) * tol) << form << " " << tol;
            EXPECT_EQ(count(s, "events"), 6) << form << " " << tol;
            EXPECT_EQ(count(s, "restarts"), 0) << form << " " << tol;
        }
}

INSTANTIATE_TEST_SUITE_P(Methods, Kinks,
                         ::testing::Values("radau", "radau5", "bdf", "rodas4", "rodas5", "esdirk3", "esdirk4",
                                           "esdirk5"));

// The same written as a branch: that it is continuous is found at the event.
TEST(Kink, OfAContinuousBranchIsFoundToBeOne) {
    const Solution s = run(two_springs("if x > 0 then x else 0"), {.until = 3.25 * period, .rtol = 1e-8});
    ASSERT_TRUE(s.success());
    EXPECT_EQ(count(s, "events"), 7); // the first one right behind the start, where x = 0
    EXPECT_EQ(count(s, "restarts"), 0);
    const Solution jump = run(two_springs("if x > 0 then x + 0.1 else 0"), {.until = 2 * period, .rtol = 1e-8});
    ASSERT_TRUE(jump.success());
    EXPECT_GE(count(jump, "restarts"), 3);
}

TEST(Kink, InTimeIsHit) {
    const Solution s = run(R"(
model Ramp
  Real x(start = 0, fixed = true);
equation
  der(x) = max(0, time - 1) + abs(time - 2);
end Ramp;)",
                           {.until = 3, .rtol = 1e-10});
    ASSERT_TRUE(s.success());
    EXPECT_NEAR(s.final("x"), 2.0 + 2.5, 1e-12);
}

TEST(Kink, OfNoEventAndOfDomainGuardsMakesNoEvent) {
    for (const char* rate :
         {"noEvent(abs(x))", "noEvent(max(x, 0))", "sqrt(abs(x))", "1/max(x, 1)", "log(max(x, 1e-3))"}) {
        const Solution s =
            run(std::string("model M\n  Real x(start = -1, fixed = true);\nequation\n  der(x) = 1 + 0.1*") + rate +
                    ";\nend M;",
                {.until = 2, .rtol = 1e-6});
        ASSERT_TRUE(s.success()) << rate << ": " << s.message();
        EXPECT_EQ(count(s, "events"), 0) << rate;
        EXPECT_GT(s.final("x"), -0.5) << rate;
    }
}

// d/dt |x| has the branch of |x|: the constraint and its derivatives are decided together.
TEST(Kink, InAConstraintIsDifferentiatedAlongItsBranch) {
    const Solution s = run(R"(
model Follow
  Real x, y, u;
equation
  x = sin(time);
  y = abs(x) + 1;
  der(y) = u;
end Follow;)",
                           {.until = 4, .rtol = 1e-8});
    ASSERT_TRUE(s.success()) << s.message();
    EXPECT_NEAR(s.final("y"), 1 - std::sin(4.0), 1e-9);
    EXPECT_NEAR(s.final("u"), -std::cos(4.0), 1e-9);
}

// A relation inside a branch that is not taken decides nothing.
TEST(Activity, ConditionsOfBranchesNotTakenMakeNoEvents) {
    const char* text = R"(
model Nested
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), z, f;
equation
  z = sin(20*x);
  der(y) = z - y;
  f = if x > 5 then (if z > 0 then 2 else 3) elseif x > 4 and z > 0.5 then 1 else 0;
  der(x) = 1 + 0.1*f;
end Nested;)";
    const Solution before = run(text, {.until = 3.9, .rtol = 1e-6});
    EXPECT_EQ(count(before, "events"), 0);
    const Solution inside = run(text, {.until = 6, .rtol = 1e-8});
    ASSERT_TRUE(inside.success());
    EXPECT_GT(count(inside, "events"), 5);
    // x moves at 1.2 or 1.3 behind 5, and at 1.1 on three intervals before; everything is piecewise linear.
    EXPECT_NEAR(inside.final("x"), 6.2846462872774635, 1e-9);
}

// Events that change nothing in the equations leave BDF its order and step.
TEST(Kink, EventsWithoutConsequenceCostBdfNothing) {
    const std::string plain = "  der(x) = v;\n  der(v) = -x;\n";
    const std::string head = "model M\n  Real x(start = 1, fixed = true), v(start = 0, fixed = true);\n";
    const SolveOptions options{.until = 60, .method = "bdf", .rtol = 1e-6};
    const Solution alone = run(head + "equation\n" + plain + "end M;", options);
    const Solution counted = run(head + "  discrete Real n(start = 0, fixed = true);\nequation\n" + plain +
                                     "  when x > 0.5 then\n    n = pre(n) + 1;\n  end when;\nend M;",
                                 options);
    ASSERT_TRUE(counted.success());
    EXPECT_EQ(counted.final("n"), 9.0);
    EXPECT_EQ(count(counted, "restarts"), 0);
    EXPECT_LT(count(counted, "steps"), 1.25 * count(alone, "steps"));
    EXPECT_NEAR(counted.final("x"), std::cos(60.0), 1e-5);
}

} // namespace
