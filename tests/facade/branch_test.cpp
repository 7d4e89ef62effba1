// Branches of a model: frozen during a step, changed at events that are located to round-off.
#include "facade/solving.hpp"

#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

// Times of events, as they are in the JSON file.
std::vector<double> events(const Solution& s) {
    const std::string json = s.to_json();
    std::vector<double> times;
    const std::size_t begin = json.find("\"events\": [");
    const std::size_t end = json.find("\"state_switches\": [");
    const std::string key = "\"t\": ";
    for (std::size_t at = json.find(key, begin); at < end; at = json.find(key, at + 1))
        times.push_back(std::stod(json.substr(at + key.size(), 30)));
    return times;
}

class Branches : public ::testing::TestWithParam<const char*> {};

// Parabolas: every method of order 2 and its dense output are exact, and so is the event.
TEST_P(Branches, EventIsLocatedToRoundOff) {
    const Solution s = run(R"(
model Fall
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), f;
equation
  der(x) = v;
  der(v) = f;
  f = if x < 0.25 then 2 else -1;
end Fall;)",
                           {.until = 4, .method = GetParam(), .rtol = 1e-9});
    ASSERT_TRUE(s.success()) << s.message();
    // Down from 1: x = 1 - t²/2 = 1/4 at t = √1.5 with v = -√1.5; up again after 2·√1.5/2 more.
    const double down = std::sqrt(1.5), up = 2 * down;
    ASSERT_EQ(events(s).size(), 2u);
    const double bound = std::string_view(GetParam()) == "radau" ? 1e-12 : 1e-9;
    EXPECT_NEAR(events(s)[0], down, bound * down);
    EXPECT_NEAR(events(s)[1], up, bound * up);
    const double rest = 4 - up;
    EXPECT_NEAR(s.final("x"), 0.25 + down * rest - rest * rest / 2, 1e-8);
    EXPECT_EQ(s.final("f"), -1.0);
}

TEST_P(Branches, ErrorStaysAtTheTolerance) {
    for (const double tol : {1e-4, 1e-6, 1e-9}) {
        const Solution s = run(R"(
model Decay
  Real x(start = 1, fixed = true);
equation
  der(x) = if x > 0.5 then -x else -3*x;
end Decay;)",
                               {.until = 2, .method = GetParam(), .rtol = tol, .atol = tol});
        ASSERT_TRUE(s.success()) << s.message();
        EXPECT_NEAR(s.final("x"), 4 * std::exp(-6.0), 10 * tol) << tol;
        EXPECT_NEAR(events(s).at(0), std::log(2.0), 10 * tol) << tol;
        EXPECT_LE(count(s, "rejected_by_error") + count(s, "rejected_by_newton"), 4) << "the kink is not felt";
    }
}

// One switch decides another: the second condition depends on an algebraic variable that jumps at the first event.
TEST_P(Branches, EventsCascade) {
    const Solution s = run(R"(
model Cascade
  Real x(start = 0, fixed = true), a, y(start = 0, fixed = true);
equation
  der(x) = 1;
  a = if x > 1 then 5 else 0;
  der(y) = if a > 2 then 10 else 1;
end Cascade;)",
                           {.until = 2, .method = GetParam(), .rtol = 1e-8});
    ASSERT_TRUE(s.success()) << s.message();
    EXPECT_NEAR(s.final("y"), 11, 1e-7);
    EXPECT_EQ(count(s, "events"), 1);
}

// The same instant for two conditions; and one that is true only at or behind it.
TEST_P(Branches, SimultaneousEventsAndTimes) {
    const Solution s = run(R"(
model Both
  Real x(start = 0, fixed = true), y(start = 0, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = (if x > 0.5 then 1 else 0) + (if x >= 0.5 then 2 else 0);
  der(z) = if time > 0.7 then 1 else 0;
end Both;)",
                           {.until = 1, .method = GetParam(), .rtol = 1e-8});
    ASSERT_TRUE(s.success()) << s.message();
    EXPECT_NEAR(s.final("y"), 1.5, 1e-8);
    EXPECT_NEAR(s.final("z"), 0.3, 1e-8);
    EXPECT_EQ(count(s, "events"), 1);
}

TEST_P(Branches, Backward) {
    const Solution s = run(R"(
model Back
  Real x(start = 1, fixed = true), z(start = 0, fixed = true);
equation
  der(x) = if x > 0.5 then 1 else 3*x + 0*time;
  der(z) = if time > 0.25 then 1 else 2;
end Back;)",
                           {.from = 1.0, .until = 0.0, .method = GetParam(), .rtol = 1e-8, .atol = 1e-8});
    ASSERT_TRUE(s.success()) << s.message();
    EXPECT_NEAR(s.final("x"), 0.5 * std::exp(-1.5), 1e-7);
    EXPECT_NEAR(s.final("z"), -(0.75 + 0.5), 1e-7);
}

// The start lies on the boundary and leaves it.
TEST_P(Branches, StartOnABoundary) {
    for (const char* relation : {">", ">="}) {
        const Solution s = run(std::string(R"(
model Edge
  Real x(start = 0, fixed = true), y(start = 0, fixed = true);
equation
  der(x) = 1;
  der(y) = if x )") + relation + R"( 0 then 2 else -7;
end Edge;)",
                               {.until = 1, .method = GetParam(), .rtol = 1e-8});
        ASSERT_TRUE(s.success()) << s.message();
        EXPECT_NEAR(s.final("y"), 2, 1e-7) << relation;
    }
}

// (h - 1)^1.5 has no value where h < 1: the tank is left by its own border, each time.
TEST_P(Branches, ThatEndWithTheirConditionEndMoreThanOnce) {
    const Solution s = run(R"(
model Weir
  Real h(start = 0.9, fixed = true), o, out(start = 0, fixed = true);
equation
  o = if h > 1 then 4*(h - 1)^1.5 else 0;
  der(h) = cos(time) - o;
  der(out) = o;
end Weir;)",
                           {.until = 20, .method = GetParam(), .rtol = 1e-6});
    ASSERT_TRUE(s.success()) << s.message();
    // Of what flows in, all that is not there has left: a balance that each of the six borders must keep.
    EXPECT_NEAR(s.final("h"), 0.9 + std::sin(20.0) - s.final("out"), 1e-5);
    EXPECT_GE(count(s, "events"), 5);
}

TEST_P(Branches, ChatteringIsNamed) {
    const Solution s = run(R"(
model Slide
  Real x(start = 1, fixed = true);
equation
  der(x) = if x > 0 then -1 else 1;
end Slide;)",
                           {.until = 2, .method = GetParam()});
    EXPECT_EQ(s.outcome(), Outcome::failed);
    EXPECT_NE(s.message().find("chattering"), std::string::npos) << s.message();
}

TEST_P(Branches, NoEventMakesNone) {
    for (const char* condition : {"x >= 0.5", "noEvent(x >= 0.5)", "noEvent(not x < 0.5)"}) {
        const Solution s = run(std::string("model N Real x(start = 1, fixed = true); equation der(x) = if ") +
                                   condition + " then -x else -1.2*x; end N;",
                               {.until = 2, .method = GetParam(), .rtol = 1e-6, .atol = 1e-6});
        ASSERT_TRUE(s.success()) << condition << s.message();
        EXPECT_NEAR(s.final("x"), 0.5 * std::exp(-1.2 * (2 - std::log(2.0))), 1e-5) << condition;
        EXPECT_EQ(count(s, "events"), condition[0] == 'n' ? 0 : 1) << condition;
    }
}

// Boiling water stays where it crossed: roundings are no events.
TEST(Border, ThatTheSolutionStaysOnIsCrossedOnce) {
    for (const char* method : {"radau", "radau5", "bdf", "esdirk4", "dop853"}) {
        const Solution s = run(R"(
model Boiling
  Real m(start = 2, fixed = true), T(start = 60, fixed = true, nominal = 100);
  Boolean boils = T >= 100;
equation
  der(m) = if boils then -0.2 else 0;
  der(T) = if boils then 0 else 10;
end Boiling;)",
                               {.until = 13, .method = method});
        ASSERT_TRUE(s.success()) << method << ": " << s.message();
        EXPECT_EQ(count(s, "events"), 1) << method;
        EXPECT_NEAR(s.final("m"), 0.2, 1e-9) << method;
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, Branches, ::testing::Values("radau", "bdf"));

} // namespace
