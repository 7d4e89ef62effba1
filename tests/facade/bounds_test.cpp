// Declared bounds: kept where the solution keeps them, named where it does not.
#include "facade/solving.hpp"

#include <algorithm>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

class Bounds : public ::testing::TestWithParam<const char*> {};

// Loose tolerances take concentrations below zero, where the reaction runs away.
TEST_P(Bounds, RobertsonDoesNotRunAway) {
    const Solution s = run(R"(
model Robertson
  Real y1(start = 1, fixed = true, min = 0), y2(start = 0, fixed = true, min = 0), y3(min = 0);
equation
  der(y1) = -0.04*y1 + 1e4*y2*y3;
  der(y2) = 0.04*y1 - 1e4*y2*y3 - 3e7*y2^2;
  y1 + y2 + y3 = 1;
end Robertson;)",
                           {.until = 1e11, .method = GetParam(), .rtol = 1e-4, .atol = 1e-4});
    ASSERT_TRUE(s.success()) << s.message();
    EXPECT_NEAR(s.final("y1"), 2.0833e-8, 1e-4);
    EXPECT_NEAR(s.final("y3"), 1.0, 1e-3);
    for (const char* name : {"y1", "y2"}) {
        const auto values = s[name];
        EXPECT_GE(*std::min_element(values.begin(), values.end()), -1e-4) << name;
    }
    EXPECT_GE(s.final("y1"), 0.0);
}

TEST_P(Bounds, AModelThatBreaksItsBoundIsTold) {
    const std::string text = R"(
model Out
  Real x(start = 1, fixed = true, min = 0), y(start = 0, fixed = true);
equation
  der(x) = -1;
  der(y) = x;
end Out;)";
    const Solution s = run(text, {.until = 2, .method = GetParam()});
    EXPECT_EQ(s.outcome(), Outcome::failed);
    EXPECT_NEAR(s.end_time(), 1.0, 1e-4);
    EXPECT_NE(s.message().find("drive x out of its bounds (min = 0)"), std::string::npos) << s.message();
    for (const auto& [name, value] : s.statistics())
        if (name == "steps") EXPECT_LT(value, 1000);
    const Solution free = run(text, {.until = 2, .method = GetParam(), .keep_bounds = false});
    ASSERT_TRUE(free.success()) << free.message();
    EXPECT_NEAR(free.final("x"), -1.0, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Methods, Bounds, ::testing::Values("radau", "bdf"));

} // namespace
