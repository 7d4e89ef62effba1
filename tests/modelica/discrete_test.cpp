// Discrete variables: relations between them follow at once, whatever they are made of.
#include "facade/solving.hpp"

#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

// The first of two signals that is true; the difference of `first > 0` comes to 0 without a change of sign.
TEST(Discrete, RelationsBetweenDiscreteValuesFollowAtOnce) {
    const Solution s = solved(R"(
model M
  discrete Real begun(start = 0, fixed = true);
  Boolean a, b; Integer first, y; Real x(start = 0, fixed = true);
equation
  when sample(0, 2) then begun = time; end when;
  a = time >= begun and time < begun + 0.5;
  b = time >= begun and time < begun + 1.6;
  first = if a then 1 elseif b then 2 else 0;
  y = if first > 0 then 10*first else -1;
  der(x) = y;
end M;)",
                              {.until = 4.0, .points = 40});
    const auto t = s.time(), y = s["y"];
    for (std::size_t k = 0; k < t.size(); ++k) {
        const double phase = std::fmod(t[k], 2.0);
        if (std::abs(phase) < 1e-9 || std::abs(phase - 0.5) < 1e-9 || std::abs(phase - 1.6) < 1e-9) continue;
        EXPECT_EQ(y[k], phase < 0.5 ? 10.0 : phase < 1.6 ? 20.0 : -1.0) << t[k];
    }
    EXPECT_NEAR(s.final("x"), 2 * (10 * 0.5 + 20 * 1.1 - 0.4), 1e-6);
}

// … and those made of conditions on the solution: x = sin t is above 0.5 between π/6 and 5π/6.
TEST(Discrete, RelationsBetweenConditionsOnTheSolution) {
    const Solution s = solved(R"(
model M
  Real x(start = 0, fixed = true), v(start = 1, fixed = true), z(start = 0, fixed = true);
  Integer level;
equation
  der(x) = v; der(v) = -x;
  level = (if x > 0.5 then 1 else 0) + (if x > 2 then 1 else 0);
  der(z) = if level >= 1 and level < 2 then 1 else 0;
end M;)",
                              {.until = 3.0, .rtol = 1e-8});
    EXPECT_NEAR(s.final("z"), 2 * M_PI / 3, 1e-6);
}

// A Boolean parameter that the start decides: of y² = x the root on the side where y begins.
TEST(Discrete, BranchesChosenAtTheStart) {
    const auto ends_at = [](double guess) {
        return solved("model M parameter Real guess = " + std::to_string(guess) +
                          "; parameter Boolean positive(fixed = false); Real x(start = 4, fixed = true), y; "
                          "initial equation positive = guess*x > 0; equation der(x) = 1; "
                          "y = if positive then sqrt(x) else -sqrt(x); end M;",
                      {.until = 5.0})
            .final("y");
    };
    EXPECT_NEAR(ends_at(1), 3.0, 1e-6);
    EXPECT_NEAR(ends_at(-1), -3.0, 1e-6);
}

// … and the start follows it: with the branch that x = 2 chooses, the initial equation makes z four.
TEST(Discrete, TheStartIsOneSolutionWithThem) {
    const Solution s = solved("model M parameter Integer n(fixed = false, start = 1); "
                              "Real x(start = 2, fixed = true), z(start = 1); "
                              "initial equation n = if x > 1 then 2 else 1; z = n*x; "
                              "equation der(x) = 0; der(z) = -z; end M;",
                              {.until = 1.0});
    EXPECT_NEAR(s["z"][0], 4.0, 1e-9);
    EXPECT_NEAR(s.final("z"), 4 * std::exp(-1.0), 1e-5);
}

// An instant that only the start tells: a = 2 solves its equation once, and the switch is at a/4.
TEST(Discrete, InstantsThatTheStartTells) {
    const Solution s = solved("model M Real a(start = 1), x(start = 0, fixed = true); Boolean before; equation "
                              "a^3 + a = 10; before = time < a/4; der(x) = if before then 1 else 0; end M;",
                              {.until = 1.0});
    EXPECT_NEAR(s.final("x"), 0.5, 1e-12);
    EXPECT_EQ(s.final("before"), 0.0);
}

// Integer parts of what a system of equations determines: -1 up to t = 1 and 0 from then on, each to some roundings.
TEST(Discrete, IntegerPartsOfSumsThatJump) {
    for (const char* method : {"auto", "bdf", "radau5"}) {
        const Solution s = solved("model M Real s, r, p, x(start = 0, fixed = true), v(start = 1, fixed = true); "
                                  "Integer n; equation der(v) = -v; p = if v > 0.36787944117144233 then 1 else 0; "
                                  "r = 0.3*s + 0.7*p; s = 0.1*r - 1.04*p; n = integer(s); der(x) = n; end M;",
                                  {.until = 2.0, .method = method, .rtol = 1e-8});
        EXPECT_EQ(s.final("n"), 0.0) << method;
        EXPECT_NEAR(s.final("x"), -1.0, 1e-6) << method;
    }
}

} // namespace
