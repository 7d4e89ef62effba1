// Functions of the standard library that are built in, by the names of what is behind them.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <cmath>

namespace daedalus {
namespace {

double end_of(const std::string& text, const std::string& variable, double until = 1.0) {
    const auto model = Model::from_string(text);
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    if (!model) return NAN;
    const auto solution = solve(*model, {.until = until, .rtol = 1e-8});
    EXPECT_TRUE(solution && solution->success());
    return solution && solution->success() ? solution->final(variable) : NAN;
}

TEST(NativeFunctions, NumbersAndWordsAreScanned) {
    const char* const text = R"(
package P
  function real input String s; input Integer first; input Boolean unsigned = false; output Integer next; output Real x;
    external "C" ModelicaStrings_scanReal(s, first, unsigned, next, x); end real;
  function whole input String s; input Integer first; input Boolean unsigned = false; output Integer next; output Integer n;
    external "C" ModelicaStrings_scanInteger(s, first, unsigned, next, n); end whole;
  function word input String s; input Integer first; output Integer next; output String w;
    external "C" ModelicaStrings_scanIdentifier(s, first, next, w); end word;
  function length input String s; output Integer n; external "C" n = ModelicaStrings_length(s); end length;
  function f output Real y; protected Integer k, n; Real x; String w;
  algorithm
    (k, x) := real("a = -2.5e1;", 4); y := x + 100*k;
    (k, n) := whole("2.5", 1); y := y + 1e4*k;
    (k, n) := whole(" 17+", 1); y := y + 1e5*n;
    (k, w) := word("  abc_1 d", 1); y := y + 1e8*length(w);
  end f;
  model M Real y; Real z(start = 0, fixed = true); equation y = f(); der(z) = 1; end M;
end P;)";
    EXPECT_EQ(end_of(text, "y"), -25 + 100 * 11 + 1e4 * 1 + 1e5 * 17 + 1e8 * 5);
}

// An initial equation of a discrete variable may come before the one that gives what it uses: 1/0 is not asked for.
TEST(NativeFunctions, DiscreteVariablesBeginInTheOrderOfTheirUse) {
    const char* const text = R"(
package P
  function next input Integer s[4]; output Real r; output Integer t[4];
    external "C" ModelicaRandom_xorshift128plus(s, t, r); end next;
  model M
    discrete Real r, raw; Integer s[4]; Real z(start = 0, fixed = true);
  initial equation
    r = 1/raw;
    pre(s) = {1, -2, 3, -4};
    raw = next(pre(s));
  equation
    when sample(0, 10) then (raw, s) = next(pre(s)); r = 1/raw; end when;
    der(z) = r*raw;
  end M;
end P;)";
    EXPECT_NEAR(end_of(text, "z"), 1.0, 1e-9);
}

// The name of the model itself comes first, without the packages that it is in: seeds are made of it.
TEST(NativeFunctions, InstanceNamesBeginWithTheModel) {
    const char* const text = R"(
package P
  function length input String s; output Integer n; external "C" n = ModelicaStrings_length(s); end length;
  block Controller parameter Integer n = length(getInstanceName()); output Real y = n; end Controller;
  model Engine Controller controller; end Engine;
  model Vehicle
    Engine engine; Real own, z(start = 0, fixed = true); parameter String whole = getInstanceName();
  equation own = length(whole); der(z) = 1;
  end Vehicle;
end P;)";
    EXPECT_EQ(end_of(text, "engine.controller.y"), std::string("Vehicle.engine.controller").size());
    EXPECT_EQ(end_of(text, "own"), std::string("Vehicle").size());
}

TEST(NativeFunctions, RandomNumbersAreUniformAndRepeatable) {
    // the mean and the mean square of 2,000 numbers, drawn at translation and while time goes on
    const std::string text = R"(
package P
  function next input Integer s[4]; output Real r; output Integer t[4];
    external "C" ModelicaRandom_xorshift128plus(s, t, r); end next;
  function draw input Integer n; output Real mean = 0; output Real square = 0; output Real last;
  protected Integer s[4] = {1, -2, 3, -4};
  algorithm for i in 1:n loop (last, s) := next(s); mean := mean + last/n; square := square + last^2/n; end for; end draw;
  model M
    discrete Integer s[4](start = {1, -2, 3, -4}, each fixed = true); discrete Real r(start = 0, fixed = true);
    Real a, b, c; Real z(start = 0, fixed = true);
  equation
    der(z) = 1;
    (a, b, c) = draw(2000);
    when sample(0.5, 1) then (r, s) = next(pre(s)); end when;
  end M;
end P;)";
    EXPECT_NEAR(end_of(text, "a"), 0.5, 0.02); // three standard deviations of the mean
    EXPECT_NEAR(end_of(text, "b"), 1.0 / 3.0, 0.02);
    std::string few = text;
    few.replace(few.find("2000"), 4, "3");
    EXPECT_EQ(end_of(text, "r", 3.0), end_of(few, "c")); // three draws either way
}

} // namespace
} // namespace daedalus
