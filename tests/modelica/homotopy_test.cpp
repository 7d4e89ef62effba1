// homotopy(actual, simplified): the equations are those of `actual`; of several solutions at the start the one is taken
// that `simplified` leads to.
#include "facade/solving.hpp"

#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

// y = tanh(3 y) has the solutions 0 and ±0.9949015.
std::string three_solutions(const std::string& simplified) {
    return "model M Real x(start = 0, fixed = true), y(start = 0); equation der(x) = y; "
           "y = homotopy(actual = tanh(3*y), simplified = " +
           simplified + "); end M;";
}
constexpr double positive = 0.99490152845;

TEST(Homotopy, ChoosesAmongSolutionsAtTheStart) {
    EXPECT_NEAR(positive, std::tanh(3 * positive), 1e-10);
    EXPECT_NEAR(solved(three_solutions("1"), {.until = 1.0}).final("x"), positive, 1e-7);
    EXPECT_NEAR(solved(three_solutions("-1"), {.until = 1.0}).final("x"), -positive, 1e-7);
}

// Its arguments by name in the other order; the equation in force is that of `actual`.
TEST(Homotopy, EquationsAreThoseOfTheActualModel) {
    const Solution s = solved("model M Real x(start = 1, fixed = true); equation "
                              "der(x) = homotopy(simplified = 5*x, actual = -x); end M;",
                              {.until = 1.0});
    EXPECT_NEAR(s.final("x"), std::exp(-1.0), 1e-5);
}

// A start value of a state that nothing fixes is where it begins, whatever the simplified equations are.
TEST(Homotopy, StartValuesOfStatesStay) {
    const Solution s = solved("model M Real x(start = 2), y; equation der(x) = -y; "
                              "y^3 + y = homotopy(x^3 + x, 10*x + 7); end M;",
                              {.until = 1.0});
    EXPECT_NEAR(s["x"][0], 2.0, 1e-9);
    EXPECT_NEAR(s.final("x"), 2 * std::exp(-1.0), 1e-5);
}

// Inside noEvent and der, and one in another.
TEST(Homotopy, MayStandAnywhere) {
    const Solution s = solved("model M Real x(start = 1, fixed = true), y, z; equation der(x) = -x; "
                              "y = noEvent(if time > 5 then 0 else homotopy(homotopy(x, 1), 2)) + 1; "
                              "z = der(homotopy(x*x, 1)); end M;",
                              {.until = 1.0});
    EXPECT_NEAR(s.final("y"), std::exp(-1.0) + 1, 1e-5);
    EXPECT_NEAR(s.final("z"), -2 * std::exp(-2.0), 1e-5);
}

} // namespace
