// Names for intermediate results need no start values: they begin with what the given values imply.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <cmath>

using namespace daedalus;

namespace {

InitialValues started(const std::string& text, SolveOptions options = {}) {
    auto model = Model::from_string(text);
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    auto values = initialize(*model, options);
    EXPECT_TRUE(values) << (values ? "" : render(values.error()));
    return *std::move(values);
}

// From zero, the quotients have no value and the search could not begin.
TEST(Guess, FollowsThroughChainsOfNames) {
    const InitialValues s = started(R"(
model Chain
  parameter Real k = 4;
  Real x(start = 0.5), force, area, stress, y(start = 1);
equation
  force = k*x;
  2*area = x + time;
  stress = force/area;
  der(x) = -stress;
  0 = y^3 - 2*stress/force;
end Chain;)");
    EXPECT_DOUBLE_EQ(*s["stress"], 8.0);
    EXPECT_NEAR(*s["y"], 2.0, 1e-12);
}

TEST(Guess, IsOfTheTimeAtTheStart) {
    const InitialValues s = started(R"(
model Later
  Real x(start = 1, fixed = true), span, rate;
equation
  span = time - 1;
  rate = x/span;
  der(x) = rate;
end Later;)",
                                    {.from = 3, .until = 4});
    EXPECT_DOUBLE_EQ(*s["rate"], 0.5);
}

// A value that the model gives is left alone, even where an equation would say otherwise.
TEST(Guess, DoesNotReplaceWhatIsGiven) {
    const InitialValues s = started(R"(
model Given
  Real x(start = 2, fixed = true), y(start = 7), z;
equation
  der(x) = -z;
  y = 3*x;
  z = y + 1;
end Given;)");
    EXPECT_DOUBLE_EQ(*s["z"], 7.0);
}

// Nothing can be followed around a loop; the search does what it did.
TEST(Guess, LoopsAreLeftToTheSearch) {
    const InitialValues s = started(R"(
model Loop
  Real x(start = 1, fixed = true), a, b;
equation
  der(x) = -a;
  a + b = x;
  a - b = 3*x;
end Loop;)");
    EXPECT_NEAR(*s["a"], 2.0, 1e-14);
    EXPECT_NEAR(*s["b"], -1.0, 1e-14);
}

// An exponent of 116 where 27 is right: Newton's iteration comes down by one at a time, and that is no lack of
// progress.
TEST(Guess, ExponentialsFarFromTheSolutionAreDescended) {
    const InitialValues s = started(R"(
model EmitterFollowers
  Real b(start = 4, fixed = true), ve(start = 1), ia, ib;
equation
  ia = 1e-14*(exp((2.5 - ve)/0.02585) - 1);
  ib = 1e-14*(exp((b - ve)/0.02585) - 1);
  ve/500 = 1.01*(ia + ib);
  1e-6*der(b) = -1e-2*ib;
end EmitterFollowers;)");
    EXPECT_NEAR(*s["ve"], 3.29676, 1e-4);
}

} // namespace
