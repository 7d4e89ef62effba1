// What a successful run cannot vouch for, it says.
#include "facade/solving.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

const Diagnostic* find(const Solution& s, std::string_view code) {
    const auto found = std::find_if(s.diagnostics().begin(), s.diagnostics().end(),
                                    [&](const Diagnostic& d) { return d.code == code; });
    return found == s.diagnostics().end() ? nullptr : &*found;
}

// Concentrations of 1e-9 without nominal values: at this tolerance they are nothing.
const std::string traces = R"(
model R
  Real a(start = 1e-9, fixed = true), b(start = 0, fixed = true), c;
equation
  der(a) = -0.04*a + 1e13*b*c;
  der(b) = 0.04*a - 1e13*b*c - 3e16*b^2;
  a + b + c = 1e-9;
end R;)";

TEST(SmallStarts, AreNamedWhereTheToleranceDoesNotSeeThem) {
    const Solution s = solved(traces, {.until = 1e5, .method = "bdf", .rtol = 1e-4});
    const Diagnostic* warning = find(s, "start-below-tolerance");
    ASSERT_NE(warning, nullptr);
    EXPECT_THAT(warning->notes.front().message, ::testing::HasSubstr("a starts at 1e-09"));
    EXPECT_THAT(warning->hint, ::testing::HasSubstr("nominal"));
}

TEST(SmallStarts, AreBlamedForWhatTheyDo) {
    const Solution s = run(traces, {.until = 1e5, .method = "radau5", .rtol = 1e-4, .atol = 1e-7});
    ASSERT_FALSE(s.success());
    EXPECT_THAT(s.diagnostics().front().hint, ::testing::HasSubstr("nominal"));
}

// An absolute tolerance that nobody asked for is no reason to fail.
TEST(SmallStarts, GetAToleranceThatSeesThemWhereTheUsualOneFails) {
    const Solution s = solved(traces, {.until = 1e5, .method = "radau5", .rtol = 1e-4});
    EXPECT_NE(find(s, "absolute-tolerance-lowered"), nullptr);
    const Solution fine = solved(traces, {.until = 1e5, .rtol = 1e-9, .atol = 1e-24});
    EXPECT_NEAR(s.final("a"), fine.final("a"), 1e-3 * fine.final("a"));
}

// E5 of STIFF DETEST without nominal values: noise of traces makes them grow without bounds.
TEST(SmallStarts, OfZeroAmongLargerOnes) {
    const std::string e5 = R"(
model E5
  Real y1(start = 1.76e-3, fixed = true), y2(start = 0, fixed = true), y3(start = 0, fixed = true);
  Real y4(start = 0, fixed = true);
equation
  der(y1) = -7.89e-10*y1 - 1.1e7*y1*y3;
  der(y2) = 7.89e-10*y1 - 1.13e9*y2*y3;
  der(y3) = 7.89e-10*y1 - 1.1e7*y1*y3 + 1.13e3*y4 - 1.13e9*y2*y3;
  der(y4) = 1.1e7*y1*y3 - 1.13e3*y4;
end E5;)";
    for (const double rtol : {1e-4, 1e-6, 1e-8}) {
        const Solution s = solved(e5, {.until = 1e9, .rtol = rtol});
        EXPECT_NEAR(s.final("y2"), 1.4841e-16, 1e-3 * 1.4841e-16) << rtol; // as with nominal values at 1e-10
    }
}

TEST(SmallStarts, WithNominalValuesAreSeen) {
    std::string text = traces;
    for (const char* name : {"a(", "b("}) text.replace(text.find(name) + 2, 0, "nominal = 1e-9, ");
    text.replace(text.find("c;"), 2, "c(nominal = 1e-9);");
    const Solution s = solved(text, {.until = 1e5, .rtol = 1e-6});
    EXPECT_EQ(find(s, "start-below-tolerance"), nullptr);
    // As the reaction of Robertson with amounts in units of 1e-9.
    const Solution units =
        solved("model R Real a(start = 1, fixed = true), b(start = 0, fixed = true), c; equation "
               "der(a) = -0.04*a + 1e4*b*c; der(b) = 0.04*a - 1e4*b*c - 3e7*b^2; a + b + c = 1; end R;",
               {.until = 1e5, .rtol = 1e-9});
    EXPECT_NEAR(s.final("a"), 1e-9 * units.final("a"), 1e-5 * 1e-9 * units.final("a"));
}

// A controller that differentiates a step: x would jump by a third.
TEST(Impulses, ThatAreLeftOutAreNamed) {
    const Solution s =
        solved("model D Real r, e, u, x(start = 0, fixed = true); equation r = if time < 1 then 0 else 1; "
               "e = r - x; u = 2*e + 0.5*der(e); der(x) = u; end D;",
               {.until = 2});
    const Diagnostic* warning = find(s, "impulse");
    ASSERT_NE(warning, nullptr);
    EXPECT_EQ(warning->notes.front().message, "e jumps from 0 to 1 at t = 1");
}

// The same where nothing but time decides on the step, and F has no trace of it; what is known stays right.
TEST(Impulses, OfKnownSteps) {
    const Solution s = solved("model D Real r, u, x(start = 0, fixed = true); equation r = if time < 1 then 0 else 1; "
                              "u = der(r); der(x) = u - x; end D;",
                              {.until = 2});
    const Diagnostic* warning = find(s, "impulse");
    ASSERT_NE(warning, nullptr);
    EXPECT_EQ(warning->notes.front().message, "r jumps from 0 to 1 at t = 1");
    const Solution known =
        solved("model K Real s, v, F; equation s = max(0, time - 1); v = der(s); 2*der(v) = F; end K;", {.until = 2});
    EXPECT_EQ(known.final("s"), 1.0);
    EXPECT_EQ(known.final("v"), 1.0);
}

// A velocity jumps where a prescribed path has a corner, found as the zero of a state.
TEST(Impulses, OfVelocitiesAtCorners) {
    const Solution s = solved("model P Real s, v, F, z(start = 0, fixed = true); equation der(z) = 1; "
                              "s = max(0, z - 1) + 0.1*z; v = der(s); 2*der(v) = F - 0.1*v; end P;",
                              {.until = 2});
    const Diagnostic* warning = find(s, "impulse");
    ASSERT_NE(warning, nullptr);
    EXPECT_EQ(warning->notes.front().message, "v jumps from 0.1 to 1.1 at t = 1");
}

TEST(Impulses, NoneWhereOnlyTheSlopeOfAVelocityJumps) {
    for (const char* path : {"if time < 1 then 0 else (time - 1)^2", "if time < 1 then 0 else 1 - cos(time - 1)"}) {
        const Solution s = solved(std::string("model P Real s, v, F, W(start = 0, fixed = true); equation s = ") +
                                      path + "; v = der(s); 2*der(v) = F; der(W) = F*v; end P;",
                                  {.until = 2});
        EXPECT_EQ(find(s, "impulse"), nullptr) << path;
        EXPECT_NEAR(s.final("W"), std::pow(s.final("v"), 2), 1e-5) << path;
    }
}

} // namespace
