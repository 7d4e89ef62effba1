// What a successful run cannot vouch for, it says.
#include "facade/solving.hpp"

#include <gmock/gmock.h>

#include <algorithm>

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
    const Solution s = run(traces, {.until = 1e5, .method = "radau5", .rtol = 1e-4});
    ASSERT_FALSE(s.success());
    EXPECT_THAT(s.diagnostics().front().hint, ::testing::HasSubstr("nominal"));
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

} // namespace
