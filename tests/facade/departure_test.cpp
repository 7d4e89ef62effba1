// An error that the tolerance allows, which the equations let grow to the size of the solution: no equation is
// violated, and only another tolerance tells (simulation/departure_watch, simulation/departure_runs).
#include "facade/solving.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

const Diagnostic* departure(const Solution& s) { return diagnostic_of(s, "departure"); }

// Concentrations that are negative, even a little, run away from their equilibrium.
const std::string robertson = R"(
model R
  Real a(start = 1, fixed = true), b(start = 0, fixed = true), c;
equation
  der(a) = -0.04*a + 1e4*b*c;
  der(b) = 0.04*a - 1e4*b*c - 3e7*b^2;
  a + b + c = 1;
end R;)";

// Without the watch the default method ends with success at a = -4.7e7 for the first of these tolerances.
TEST(Departure, OfAConcentrationFromZeroIsNoSolution) {
    for (const double tolerance : {1e-3, 1e-4, 1e-5})
        for (const char* method : {"auto", "radau5", "bdf", "rodas4"}) {
            const Solution s = run(robertson, {.until = 1e11, .method = method, .rtol = tolerance, .atol = tolerance});
            if (!s.success()) continue; // said, which is what counts
            EXPECT_NEAR(s.final("a"), 0.0, 10.0 * tolerance) << method << ", " << tolerance;
            EXPECT_NEAR(s.final("c"), 1.0, 10.0 * tolerance) << method << ", " << tolerance;
        }
}

TEST(Departure, NamesVariableAndTime) {
    const Solution s = run(robertson, {.until = 1e11, .rtol = 1e-3, .atol = 1e-3});
    const Diagnostic* said = departure(s);
    ASSERT_NE(said, nullptr);
    EXPECT_THAT(said->message, ::testing::HasSubstr("'a' had come to rest"));
    EXPECT_THAT(said->message, ::testing::HasSubstr("t = "));
}

// What grows because the model says so is the solution.
TEST(Departure, OfTrulyUnstableModelsIsNotDoubted) {
    const Solution growth =
        solved("model M Real x(start = 1, fixed = true); equation der(x) = x; end M;", {.until = 30.0, .rtol = 1e-4});
    EXPECT_EQ(departure(growth), nullptr);
    const Solution small = solved("model M Real x(start = 1e-3, fixed = true); equation der(x) = x*(1 - x); end M;",
                                  {.until = 30.0, .rtol = 1e-6});
    EXPECT_EQ(departure(small), nullptr);
    EXPECT_NEAR(small.final("x"), 1.0, 1e-4);
    const Solution lorenz = solved(R"(
model L
  Real x(start = 1, fixed = true), y(start = 1, fixed = true), z(start = 1, fixed = true);
equation
  der(x) = 10*(y - x);
  der(y) = x*(28 - z) - y;
  der(z) = x*y - 8/3*z;
end L;)",
                                   {.until = 40.0, .rtol = 1e-5});
    EXPECT_EQ(departure(lorenz), nullptr);
}

// Relaxation oscillations come to rest to within any tolerance, and leave by themselves.
TEST(Departure, OfRelaxationOscillationsIsConfirmed) {
    const Solution s = solved(R"(
model V
  Real x(start = 2, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = y;
  der(y) = 1e6*((1 - x^2)*y - x*1e-3);
end V;)",
                              {.until = 4000.0, .rtol = 1e-3});
    EXPECT_EQ(departure(s), nullptr);
}

// What pushes a model out of its rest is part of the model.
TEST(Departure, ByAKnownForceIsConfirmed) {
    const Solution s = solved(R"(
model F
  Real x(start = 1, fixed = true);
equation
  der(x) = -x + 100*exp(-(time - 40)^2);
end F;)",
                              {.until = 40.0, .rtol = 1e-3, .atol = 1e-3});
    EXPECT_EQ(departure(s), nullptr);
    EXPECT_GT(s.final("x"), 10.0);
}

} // namespace
