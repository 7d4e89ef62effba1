// Derivative arrays together with events: branches on time and on the solution, clauses, and an index that is another
// one behind an event. Everything is compared with exact solutions.
#include "daedalus/daedalus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

namespace daedalus {
namespace {

// Index 2 where structure says 1: x = sin t, z = exp(-t). Tests put further equations beside it.
std::string beside_hidden(const std::string& declarations, const std::string& equations) {
    return "model M\n  Real x(start = 0), z(start = 1);\n" + declarations + R"(equation
  der(x) + z = cos(time) + exp(-time);
  z*(der(x) + z - (cos(time) + exp(-time))) + x = sin(time);
)" + equations +
           "end M;\n";
}

Solution solved(const std::string& text, Reduction reduction, double until = 2.0, double rtol = 1e-7) {
    auto model = Model::from_string(text);
    EXPECT_TRUE(model.has_value());
    SolveOptions options;
    options.rtol = rtol;
    options.until = until;
    options.points = 80;
    options.reduction = reduction;
    auto s = solve(*model, options);
    EXPECT_TRUE(s.has_value()) << s.error().front().message;
    EXPECT_TRUE(s->success()) << s->message();
    return *std::move(s);
}

void expect_near(const Solution& s, const char* name, const std::function<double(double)>& exact, double tolerance) {
    for (std::size_t k = 0; k < s.time().size(); ++k)
        EXPECT_NEAR(s[name][k], exact(s.time()[k]), tolerance) << name << " at " << s.time()[k];
}

class ArrayEvents : public testing::TestWithParam<Reduction> {};

TEST_P(ArrayEvents, ShortPulseIsNotSteppedOver) {
    const Solution s = solved(R"(model Pulse
  Real x(start = 0), y;
equation
  der(x) = y;
  y = if time > 1 and time < 1.01 then 2000 else 0;
end Pulse;
)",
                              GetParam() == Reduction::automatic ? Reduction::derivative_array : GetParam());
    EXPECT_NEAR(s.final("x"), 20.0, 1e-6);
}

TEST_P(ArrayEvents, BranchOfTime) {
    const Solution s = solved(
        beside_hidden("  Real p(start = 0);\n", "  der(p) = if time > 0.5 and time < 0.51 then 2000*z else 0;\n"),
        GetParam());
    EXPECT_NEAR(s.final("p"), 2000 * (std::exp(-0.5) - std::exp(-0.51)), 1e-4);
    expect_near(
        s, "x", [](double t) { return std::sin(t); }, 1e-6);
    expect_near(
        s, "z", [](double t) { return std::exp(-t); }, 1e-6);
}

TEST_P(ArrayEvents, BranchOfTheSolution) {
    const Solution s =
        solved(beside_hidden("  Real p(start = 0);\n", "  der(p) = if p < 1 then 2 else z;\n"), GetParam());
    expect_near(
        s, "p", [](double t) { return t < 0.5 ? 2 * t : 1 + std::exp(-0.5) - std::exp(-t); }, 1e-6);
    expect_near(
        s, "z", [](double t) { return std::exp(-t); }, 1e-6);
}

// Steps of a condition on an unknown that the arrays alone determine.
TEST_P(ArrayEvents, BranchOfAHiddenUnknown) {
    const Solution s =
        solved(beside_hidden("  Real p(start = 0);\n", "  der(p) = if z > 0.5 then 1 else -3;\n"), GetParam());
    const double half = std::log(2.0);
    expect_near(
        s, "p", [half](double t) { return t < half ? t : half - 3 * (t - half); }, 1e-5);
}

TEST_P(ArrayEvents, Reinit) {
    const Solution s = solved(beside_hidden("  Real h(start = 1), v(start = 0);\n",
                                            "  der(h) = v;\n  der(v) = -10;\n"
                                            "  when h < 0 then\n    reinit(v, -0.8*pre(v));\n  end when;\n"),
                              GetParam(), 1.0);
    const double fall = std::sqrt(0.2);
    expect_near(
        s, "h",
        [fall](double t) {
            const double since = t - fall;
            return since < 0 ? 1 - 5 * t * t : 8 * fall * since - 5 * since * since;
        },
        1e-6);
    expect_near(
        s, "x", [](double t) { return std::sin(t); }, 1e-6);
}

// A pendulum whose velocity is turned round goes back the way it came, and the constraint ties v to u: where it was
// turned at t, it is at rest at 2 t, where it started.
TEST_P(ArrayEvents, ReinitOfAConstrainedVelocity) {
    const std::string text = R"(model Pendulum
  Real x(start = 1), y(start = 0), u(start = 0), v(start = 0), l, before(start = 0);
  Boolean back(start = false);
equation
  der(x) = u;
  der(y) = v;
  der(u) = -l*x;
  der(v) = -l*y - 1;
  x^2 + y^2 = 1;
  der(before) = if back then 0 else 1;
  when x < 0.5 then
    reinit(u, -pre(u));
    back = true;
  end when;
end Pendulum;
)";
    const double turn = solved(text, GetParam(), 2.0).final("before");
    const Solution s = solved(text, GetParam(), 2 * turn);
    EXPECT_NEAR(s.final("x"), 1.0, 1e-6);
    EXPECT_NEAR(s.final("y"), 0.0, 1e-5);
    EXPECT_NEAR(s.final("u"), 0.0, 1e-5);
    EXPECT_NEAR(s.final("v"), 0.0, 1e-5);
}

TEST_P(ArrayEvents, SamplesAndHeldValues) {
    const Solution s = solved(beside_hidden("  Real p(start = 0);\n  discrete Real k(start = 0);\n",
                                            "  when sample(0.25, 0.25) then\n    k = pre(k) + z;\n  end when;\n"
                                            "  der(p) = k;\n"),
                              GetParam(), 1.1);
    double p = 0.0, k = 0.0;
    for (int i = 1; i <= 4; ++i) {
        k += std::exp(-0.25 * i);
        p += k * (i < 4 ? 0.25 : 0.1);
    }
    EXPECT_NEAR(s.final("p"), p, 1e-6);
    EXPECT_NEAR(s.final("k"), k, 1e-6);
}

// Index 2 until t = 1 and index 1 behind it, by the same solution.
TEST_P(ArrayEvents, IndexFallsAtAnEvent) {
    const Solution s = solved(R"(model Falls
  Real x(start = 0), z(start = 1);
equation
  der(x) + z = cos(time) + exp(-time);
  z*(der(x) + z - (cos(time) + exp(-time))) + (if time < 1 then x - sin(time) else z - exp(-time)) = 0;
end Falls;
)",
                              GetParam());
    expect_near(
        s, "x", [](double t) { return std::sin(t); }, 1e-6);
    expect_near(
        s, "z", [](double t) { return std::exp(-t); }, 1e-6);
}

TEST_P(ArrayEvents, IndexRisesAtAnEvent) {
    const Solution s = solved(R"(model Rises
  Real x(start = 0), z(start = 1);
equation
  der(x) + z = cos(time) + exp(-time);
  z*(der(x) + z - (cos(time) + exp(-time))) + (if time < 1 then z - exp(-time) else x - sin(time)) = 0;
end Rises;
)",
                              GetParam());
    expect_near(
        s, "x", [](double t) { return std::sin(t); }, 1e-6);
    expect_near(
        s, "z", [](double t) { return std::exp(-t); }, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Forms, ArrayEvents,
                         testing::Values(Reduction::derivative_array, Reduction::campbell_moore, Reduction::automatic),
                         [](const auto& info) {
                             return info.param == Reduction::derivative_array ? "KunkelMehrmann"
                                    : info.param == Reduction::campbell_moore ? "CampbellMoore"
                                                                              : "Automatic";
                         });

} // namespace
} // namespace daedalus
