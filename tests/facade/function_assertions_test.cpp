// What a function asserts, what a varying subscript must satisfy, and outputs that stop being numbers: a run ends there
// with a message, at the time that follows by hand, and not where the statement does not count.
#include "facade/solving.hpp"

#include <gtest/gtest.h>

#include <string>

namespace daedalus {
namespace {

const std::string function = R"(
  function root
    input Real x; output Real y;
  algorithm
    assert(x >= 0, "root of a negative number");
    y := sqrt(abs(x));
  end root;
)";

Solution solution_of(const std::string& text, double until) { return testing::run(text, {.until = until}); }

TEST(FunctionAssertions, EndTheRunWhereTheyFail) {
    const Solution s = solution_of("model M" + function + R"(
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1;
  y = root(x + 0.5);
end M;)",
                                   3);
    EXPECT_FALSE(s.success());
    EXPECT_NEAR(s.end_time(), 1.5, 1e-6);
    EXPECT_NE(s.message().find("root of a negative number"), std::string::npos) << s.message();
}

TEST(FunctionAssertions, CountOnlyWhereTheCallDoes) {
    const Solution s = solution_of("model M" + function + R"(
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1;
  y = if x > 0 then root(x) else 0;
end M;)",
                                   3);
    EXPECT_TRUE(s.success()) << s.message();
    EXPECT_NEAR(s.final("x"), -2, 1e-6);
}

TEST(FunctionAssertions, CountOnlyOnTheWayTheFunctionTakes) {
    const std::string choosing = R"(
  function root
    input Real x; output Real y;
  algorithm
    if x < 0 then y := 0; return; end if;
    assert(x < 0.5 or x > 0.25, "never");
    assert(x >= 0, "unreached");
    y := sqrt(x);
  end root;
)";
    const Solution s = solution_of("model M" + choosing + R"(
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1;
  y = root(x);
end M;)",
                                   3);
    EXPECT_TRUE(s.success()) << s.message();
}

TEST(FunctionAssertions, OfInitialEquationsHoldAtTheStart) {
    const Solution s = solution_of("model M" + function + R"(
  Real x(start = 3);
initial equation
  x = 3;
  assert(x < 2, "starts too high");
equation
  der(x) = -x*root(1);
end M;)",
                                   1);
    EXPECT_FALSE(s.success());
    EXPECT_NE(s.message().find("starts too high"), std::string::npos) << s.message();
}

TEST(VaryingSubscripts, OutsideTheArrayEndTheRun) {
    const Solution s = solution_of(R"(
model M
  parameter Real t[3] = {1, 2, 4};
  Integer i(start = 1, fixed = true);
  Real x(start = 0, fixed = true);
equation
  when sample(1, 1) then i = pre(i) + 1; end when;
  der(x) = t[i];
end M;)",
                                   4);
    EXPECT_FALSE(s.success());
    EXPECT_NEAR(s.end_time(), 3, 1e-9);
    EXPECT_NEAR(s.final("x"), 7, 1e-6);
    EXPECT_NE(s.message().find("subscript"), std::string::npos) << s.message();
}

TEST(UnsetFields, AreRefusedByName) {
    const auto refused = Model::from_string(R"(
model M
  record R Real a; Real b; end R;
  function f input Real x; output R r; algorithm r.a := x; end f;
  R r;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  r = f(x);
end M;)");
    ASSERT_FALSE(refused);
    EXPECT_NE(render(refused.error()).find("set all of its fields"), std::string::npos) << render(refused.error());
}

TEST(UndefinedOutputs, AreNoSuccess) {
    const Solution s = solution_of(R"(
model M
  record R Real a; end R;
  R r;
  Real x(start = 1, fixed = true), y;
equation
  der(x) = -1;
  r.a = x;
  y = sqrt(x + 0.5);
end M;)",
                                   3);
    EXPECT_FALSE(s.success());
    EXPECT_NE(s.message().find("y is not a number"), std::string::npos) << s.message();
}

} // namespace
} // namespace daedalus
