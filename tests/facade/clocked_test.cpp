// Clocked equations (Modelica specification 3.5, chapter 16), against recursions written out by hand.
#include "facade/solving.hpp"

#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

std::string around(const std::string& declarations, const std::string& equations) {
    return "model M\n" + declarations + "\nequation\n" + equations + "\nend M;\n";
}

std::string refusal(const std::string& text) {
    const auto model = Model::from_string(text);
    return model ? std::string() : render(model.error());
}

// A sampled controller and a plant of order 1, whose solution between ticks is known.
TEST(Clocked, SampledController) {
    const Solution s = solved(around("Real x(start = 1, fixed = true), u, y, i(start = 0), uc; Integer n(start = 0);",
                                     "der(x) = -x + u; y = sample(x, Clock(0.1));"
                                     "when Clock() then i = previous(i) + interval(y)*(0.5 - y);"
                                     "uc = 2*i + (0.5 - y); n = previous(n) + 1; end when; u = hold(uc);"),
                              {.until = 1.95, .rtol = 1e-10});
    double x = 1, i = 0, u = 0;
    for (int k = 0; k < 20; ++k) {
        i += 0.1 * (0.5 - x);
        u = 2 * i + 0.5 - x;
        x = u + (x - u) * std::exp(k < 19 ? -0.1 : -0.05);
    }
    EXPECT_NEAR(s.final("x"), x, 1e-8);
    EXPECT_NEAR(s.final("u"), u, 1e-8);
    EXPECT_EQ(s.final("n"), 20);
}

// Rates derived from one clock; partitions that tick together see each other's values of that tick.
TEST(Clocked, DerivedRates) {
    const Solution s =
        solved(around("Real a(start = 0), b(start = 0), c(start = 0), d, f; Clock k = Clock(0.1);",
                      "a = previous(a) + sample(1.0, k); b = previous(b) + (if subSample(a, 3) > 0 then 1 else 0);"
                      "c = previous(c) + (if superSample(a, 2) > 0 then 1 else 0); d = subSample(a, 3);"
                      "f = shiftSample(a, 1, 2);"),
               {.until = 1.02});
    EXPECT_EQ(s.final("a"), 11); // 0, 0.1, …, 1.0
    EXPECT_EQ(s.final("b"), 4);  // 0, 0.3, 0.6, 0.9
    EXPECT_EQ(s.final("c"), 21); // 0, 0.05, …, 1.0
    EXPECT_EQ(s.final("d"), 10); // a of t = 0.9
    EXPECT_EQ(s.final("f"), 10); // a of t = 0.9, seen at 0.95
}

// What is sampled is the value before the event, of jumps too (section 16.5.1).
TEST(Clocked, SampledValuesAreThoseBeforeTheEvent) {
    const std::string text = around("Real u, y; Boolean b, c;", "u = if time < 0.3 then 0 else 1; b = time >= 0.3;"
                                                                "y = sample(u, Clock(1, 10)); c = sample(b);"
                                                                "c = noClock(c) or noClock(c);");
    const std::string plain =
        around("Real u, y; Boolean b, c;", "u = if time < 0.3 then 0 else 1; b = time >= 0.3;"
                                           "y = sample(u, Clock(1, 10)); c = sample(b, Clock(1, 10));");
    EXPECT_NE(refusal(text), ""); // c has two equations
    EXPECT_EQ(solved(plain, {.until = 0.35}).final("y"), 0);
    EXPECT_EQ(solved(plain, {.until = 0.35}).final("c"), 0);
    EXPECT_EQ(solved(plain, {.until = 0.45}).final("y"), 1);
    EXPECT_EQ(solved(plain, {.until = 0.45}).final("c"), 1);
}

// A clock that waits for a condition: sin(2 pi t) rises above 0.5 at 1/12 + k. The first interval is given.
TEST(Clocked, EventClock) {
    const Solution s = solved(around("Real x(start = 0, fixed = true); Real n(start = 0), h, first(start = 0);",
                                     "der(x) = 6.283185307179586*cos(6.283185307179586*time);"
                                     "when Clock(x > 0.5, 7.0) then n = previous(n) + 1; h = interval(n);"
                                     "first = if firstTick(n) then interval(n) else previous(first); end when;"),
                              {.until = 3.5, .rtol = 1e-9});
    EXPECT_EQ(s.final("n"), 4);
    EXPECT_NEAR(s.final("h"), 1, 1e-7);
    EXPECT_EQ(s.final("first"), 7);
}

TEST(Clocked, WhatHasNoClockOrNoMeaningIsRefused) {
    EXPECT_NE(refusal(around("Real a(start = 0);", "a = previous(a) + 1;")).find("clock"), std::string::npos);
    EXPECT_NE(refusal(around("Real a(start = 0), x(start = 0);", "a = sample(time, Clock(0.1)); der(x) = a;"))
                  .find("derivatives in clocked equations"),
              std::string::npos);
    EXPECT_NE(refusal(around("Real a;", "a = sample(time, Clock(0.0));")).find("must be positive"), std::string::npos);
    EXPECT_NE(refusal(around("Real a(start = 0), b;", "a = sample(time, Clock(0.1)); a*b*b = 1 + 0*previous(a);"))
                  .find("clocked"),
              std::string::npos);
}

// A whole number has no other integer part: one floor in another made an event that nobody saw.
TEST(Clocked, IntegerPartsOfWholeNumbers) {
    const Solution s = solved(around("Real u; Integer y;", "u = 3*time; y = integer(floor(u + 0.5));"), {.until = 1});
    EXPECT_EQ(s.final("y"), 3);
}

} // namespace
