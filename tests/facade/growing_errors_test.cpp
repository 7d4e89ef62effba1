// Errors that the equations multiply from the time of a step to the end: nothing is violated, and only a run with a
// smaller tolerance tells (simulation/growth_watch, simulation/growth_runs).
#include "facade/solving.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

const Diagnostic* growing(const Solution& s) { return diagnostic_of(s, "growing-errors"); }

// x = sin t, and whoever is beside it goes away as e^20t.
const std::string unstable = R"(
model U
  Real x(start = 0, fixed = true);
equation
  der(x) = 20*(x - sin(time)) + cos(time);
end U;)";

// Without the watch BDF ends at 0.89 in place of 0.84, DOP853 300 tolerances away, with success and nothing said.
TEST(GrowingErrors, AreFoundAndCured) {
    for (const char* method : {"bdf", "dop853"}) {
        SCOPED_TRACE(method);
        const Solution s = solved(unstable, {.until = 1.0, .method = method, .rtol = 1e-6});
        EXPECT_NEAR(s.final("x"), std::sin(1.0), 1e-5);
        ASSERT_NE(growing(s), nullptr);
        EXPECT_THAT(growing(s)->message, ::testing::HasSubstr("'x'"));
    }
}

// The same in an algebraic equation, where states are not alone.
TEST(GrowingErrors, AreFoundInDaes) {
    const Solution s = solved(R"(
model U
  Real x(start = 0, fixed = true), f, y(start = 1, fixed = true);
equation
  der(x) = f + cos(time);
  f + 0.1*f^3 = 20*(x - sin(time));
  der(y) = -y;
end U;)",
                              {.until = 0.8, .method = "bdf", .rtol = 1e-6});
    EXPECT_NEAR(s.final("x"), std::sin(0.8), 1e-5);
    EXPECT_NE(growing(s), nullptr);
}

// An unstable component at double precision's end: what no tolerance determines is said.
TEST(GrowingErrors, ThatNoToleranceHelpsAreSaid) {
    const Solution s = solved(unstable, {.until = 3.0, .method = "bdf", .rtol = 1e-6});
    ASSERT_NE(growing(s), nullptr);
    EXPECT_THAT(growing(s)->message, ::testing::HasSubstr("may be off"));
}

// Two runs whose errors are as large as the solution differ by no more than that: no sign that the finer one is right.
TEST(GrowingErrors, LooseTolerancesDoNotMakeLostRunsAgree) {
    for (const char* method : {"radau", "bdf", "dop853"})
        for (const double rtol : {1e-2, 1e-3, 1e-4}) {
            SCOPED_TRACE(method + std::string(" ") + std::to_string(rtol));
            const Solution s = solved(unstable, {.until = 3.0, .method = method, .rtol = rtol, .atol = rtol});
            if (std::abs(s.final("x") - std::sin(3.0)) <= 100 * rtol) continue;
            ASSERT_NE(growing(s), nullptr);
            EXPECT_THAT(growing(s)->message, ::testing::HasSubstr("the result may be off"));
        }
}

// An error that grows as the solution does is none of growth, and what is stable is not looked at twice.
TEST(GrowingErrors, OfGrowingSolutionsAreNone) {
    for (const char* method : {"auto", "bdf", "dop853"}) {
        SCOPED_TRACE(method);
        const Solution growth = solved("model M Real x(start = 1, fixed = true); equation der(x) = x; end M;",
                                       {.until = 20.0, .method = method, .rtol = 1e-6});
        EXPECT_EQ(growing(growth), nullptr);
        EXPECT_NEAR(growth.final("x") / std::exp(20.0), 1.0, 1e-4);
        const Solution stable =
            solved("model M Real x(start = 1, fixed = true); equation der(x) = -1e4*(x - sin(time)); "
                   "end M;",
                   {.until = 2.0, .rtol = 1e-6});
        EXPECT_EQ(growing(stable), nullptr);
    }
    const Solution pendulum = solved(R"(
model P
  Real x(start = 1), y(start = 0, fixed = true), u(start = 0), v(start = 0, fixed = true), l;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -l*x;
  der(v) = -l*y - 9.81;
  x^2 + y^2 = 1;
end P;)",
                                     {.until = 20.0, .rtol = 1e-6});
    EXPECT_EQ(growing(pendulum), nullptr);
}

// z is determined by a row that nearly vanishes for a moment: what x is off by, 1e-11 and less, is z's error times
// 1e10.
const std::string weakly_determined = R"(
model W
  Real x(start = 0, fixed = true), z(start = 1);
equation
  der(x) = cos(time);
  ((time - 0.5037)^4 + 1e-10)*(z + 0.1*sin(z) - exp(-time) - 0.1*sin(exp(-time))) + sin(7*time) + x = sin(7*time) + sin(time);
end W;)";

// With growth between looks alone, radau was off by 2,000 tolerances at 1e-4, and bdf by 1,400,000 at 1e-6, with
// success and not a word.
TEST(GrowingErrors, OfStatesInWhatFollowsFromThem) {
    for (const char* method : {"auto", "radau", "bdf"})
        for (const double rtol : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
            SCOPED_TRACE(::testing::Message() << method << " " << rtol);
            const Solution s = solved(weakly_determined, {.until = 1.0, .method = method, .rtol = rtol, .points = 100});
            double largest = 0.0;
            for (std::size_t k = 0; k < s.time().size(); ++k)
                largest = std::max(largest, std::abs(s["z"][k] - std::exp(-s.time()[k])) / rtol);
            const bool said = growing(s) != nullptr || diagnostic_of(s, "magnified-rounding") != nullptr;
            EXPECT_TRUE(largest < 10.0 || said) << largest;
        }
}

// Where rounding is multiplied, the equation and the unknown are named.
TEST(GrowingErrors, OfRoundingNameEquationAndVariable) {
    const Solution s = solved(weakly_determined, {.until = 1.0, .method = "radau", .rtol = 1e-8, .points = 100});
    const Diagnostic* d = diagnostic_of(s, "magnified-rounding");
    ASSERT_NE(d, nullptr);
    EXPECT_EQ(d->severity, Severity::warning);
    EXPECT_THAT(d->message, ::testing::HasSubstr("most of all that of ((time - 0.5037)^4 + 1e-10)"));
    EXPECT_THAT(d->message, ::testing::HasSubstr("'z'"));
    ASSERT_TRUE(d->where.has_value());
    EXPECT_EQ(d->where->line, 6);
    EXPECT_FALSE(d->hint.empty());
}

// Chaos is no failure.
TEST(GrowingErrors, OfChaosAreNotRefused) {
    for (const double until : {20.0, 100.0})
        EXPECT_TRUE(solved(R"(
model L
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), z(start = 1, fixed = true);
equation
  der(x) = 10*(y - x);
  der(y) = x*(28 - z) - y;
  der(z) = x*y - 8/3*z;
end L;)",
                           {.until = until, .rtol = 1e-6})
                        .success());
}

} // namespace
