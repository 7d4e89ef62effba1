// Starts that do not determine the solution are refused, with the equation that is to blame; starts that look like them
// and determine it are not.
#include "daedalus/daedalus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace daedalus {
namespace {

Expected<Solution> solved(const std::string& text, const SolveOptions& options = {}) {
    auto model = Model::from_string(text);
    if (!model) {
        ADD_FAILURE() << model.error().front().message;
        return Unexpected{std::move(model.error())};
    }
    SolveOptions all = options;
    if (!all.until) all.until = 1.0;
    return solve(*model, all);
}

void expect_refused(const std::string& equations, const std::string& named, const std::string& says = "") {
    SCOPED_TRACE(equations);
    const auto s = solved("model M\n  Real x(start = 0, fixed = true);\n" + equations + "end M;\n");
    ASSERT_FALSE(s.has_value());
    const Diagnostic& d = s.error().front();
    EXPECT_EQ(d.code, "several-solutions");
    EXPECT_NE(d.message.find(named), std::string::npos) << d.message;
    EXPECT_NE(d.message.find(says), std::string::npos) << d.message;
    EXPECT_TRUE(d.where.has_value());
    EXPECT_FALSE(d.hint.empty());
}

double end_of(const Expected<Solution>& s, const char* name) {
    EXPECT_TRUE(s.has_value()) << (s ? "" : s.error().front().message);
    if (!s) return NAN;
    EXPECT_TRUE(s->success()) << s->message();
    return (*s)[name].back();
}

TEST(SeveralSolutions, ACoefficientThatVanishesAtTheStart) {
    expect_refused("equation\n  time*der(x) = 2*x;\n", "time*der(x) = 2*x", "as time^2 does");         // c t²
    expect_refused("equation\n  time*der(x) = x + time^2;\n", "der(x)", "as time^1 does");             // t² + c t
    expect_refused("equation\n  time^2*der(x) = x;\n", "time^2*der(x) = x");                           // c exp(-1/t)
    expect_refused("equation\n  (1 - cos(time))*der(x) = sin(time)*x;\n", "der(x)", "as time^2 does"); // c (1 - cos t)
    expect_refused("  Real z;\nequation\n  der(x) = z;\n  time*z = 2*x;\n", "time*z = 2*x"); // hidden in two equations
    expect_refused("  Real y(start = 0, fixed = true);\nequation\n  time*der(x) = x - 2*y;\n  time*der(y) = 2*x + y;\n",
                   "der(", "as time^1 does");                          // c t (cos(2 ln t), sin(2 ln t))
    expect_refused("equation\n  der(x)^2 = 4*x;\n", "der(x)^2 = 4*x"); // 0 and t²
}

TEST(SeveralSolutions, OtherTimesAndDirections) {
    SolveOptions o;
    o.from = 1.0;
    o.until = 2.0;
    const std::string text =
        "model M\n  Real x(start = 0, fixed = true);\nequation\n  (time - 1)*der(x) = 2*x;\nend M;\n";
    const auto on = solved(text, o);
    ASSERT_FALSE(on.has_value());
    EXPECT_EQ(on.error().front().code, "several-solutions");
    EXPECT_NE(on.error().front().message.find("(time - 1)^2"), std::string::npos) << on.error().front().message;
    o.until = 0.0;
    const auto back = solved(text, o);
    ASSERT_FALSE(back.has_value());
    EXPECT_EQ(back.error().front().code, "several-solutions");
}

TEST(SeveralSolutions, ARightSideWithoutDerivative) {
    expect_refused("equation\n  der(x) = 2*sqrt(x);\n", "2*sqrt(x)", "no finite derivative");        // 0 and t²
    expect_refused("equation\n  der(x) = -sqrt(abs(x));\n", "sqrt(abs(x))", "no finite derivative"); // 0 and -t²/4
    expect_refused("equation\n  der(x) = 3*abs(x)^(2/3);\n", "abs(x)", "no finite derivative");      // 0 and t³
    expect_refused("  Real v(start = 0, fixed = true);\nequation\n  der(x) = v;\n  der(v) = sqrt(x);\n", "sqrt(x)",
                   "no finite derivative"); // 0 and t⁴/144
}

// Each with a solution that is known, or that is a limit of ones beside it.
TEST(SeveralSolutions, StartsThatDetermineTheSolutionAreNotRefused) {
    const auto from_zero = [](const std::string& equations) {
        return solved("model M\n  Real x(start = 0, fixed = true);\nequation\n" + equations + "end M;\n");
    };
    EXPECT_NEAR(end_of(from_zero("  time*der(x) = -x;\n"), "x"), 0.0, 1e-9);           // c/t is not bounded
    EXPECT_NEAR(end_of(from_zero("  time*der(x) = 2*time - x;\n"), "x"), 1.0, 1e-5);   // t
    EXPECT_NEAR(end_of(from_zero("  der(x) = 1 + sqrt(x);\n"), "x"), 1.8432859, 1e-5); // leaves zero at once
    EXPECT_NEAR(end_of(from_zero("  der(x) = -sqrt(x);\n"), "x"), 0.0, 1e-5);          // empty, and stays so
    EXPECT_NEAR(end_of(from_zero("  der(x) = 1 - 0.5*sqrt(x);\n"), "x"), 0.7068655, 1e-5);
    EXPECT_NEAR(end_of(from_zero("  der(x) = x + 1.5*sqrt(time) - time^1.5;\n"), "x"), 1.0, 1e-5); // t^1.5
    const auto of_order_two = [](const std::string& y, const std::string& v, const std::string& equation) {
        return solved("model M\n  Real y(start = " + y + ", fixed = true), v(start = " + v +
                      ", fixed = true);\nequation\n  der(y) = v;\n  " + equation + ";\nend M;\n");
    };
    // Lane and Emden's equation with n = 1: sin(t)/t. Bessel's of orders 0 and 1.
    EXPECT_NEAR(end_of(of_order_two("1", "0", "time*der(v) = -2*v - time*y"), "y"), std::sin(1.0), 1e-5);
    EXPECT_NEAR(end_of(of_order_two("1", "0", "time*der(v) + v + time*y = 0"), "y"), std::cyl_bessel_j(0.0, 1.0), 1e-5);
    EXPECT_NEAR(end_of(of_order_two("0", "0.5", "time^2*der(v) + time*v + (time^2 - 1)*y = 0"), "y"),
                std::cyl_bessel_j(1.0, 1.0), 1e-5);
}

// Beside the start, conditions may be others: equations that do not hold at the start tell nothing of it.
TEST(SeveralSolutions, TanksAtOneLevel) {
    const auto s = solved(R"(model Tanks
  Real h1(start = 1, fixed = true), h2(start = 1, fixed = true), q;
equation
  der(h1) = 0.1*sin(time) - q;
  der(h2) = q;
  q = (if h1 > h2 then 1 else -1)*sqrt(abs(h1 - h2));
end Tanks;
)");
    EXPECT_NEAR(end_of(s, "h1") + (*s)["h2"].back(), 2.0 + 0.1 * (1.0 - std::cos(1.0)), 1e-5);
}

} // namespace
} // namespace daedalus
