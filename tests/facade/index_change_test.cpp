// Branches whose index differs: each mode has a reduction of its own. Degrees of freedom that are gained keep their
// value from before the event, those that are lost are projected, and both are said.
#include "facade/solving.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

bool says(const Solution& s, const std::string& code, const std::string& text) {
    return std::any_of(s.diagnostics().begin(), s.diagnostics().end(), [&](const Diagnostic& d) {
        return d.code == code && d.message.find(text) != std::string::npos;
    });
}

class IndexChange : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, IndexChange,
                         ::testing::Values("auto", "radau", "radau5", "bdf", "esdirk4", "rodas4", "limex", "dopri5",
                                           "dop853", "midpoint"));

// y follows a function of time until 0.59 (index 2) and decays from there on (index 1).
TEST_P(IndexChange, WhatBecomesFreeKeepsItsValue) {
    const Solution s = solved(R"(
model M
  Real y(start = 0), z;
equation
  der(y) = z;
  0 = if time < 0.59 then y - sin(3.16*time) else z + 1.23*y;
end M;)",
                              {.until = 2, .method = GetParam(), .rtol = 1e-7});
    const double at_switch = std::sin(3.16 * 0.59);
    EXPECT_NEAR(s.final("y"), at_switch * std::exp(-1.23 * (2 - 0.59)), 2e-6);
    EXPECT_TRUE(says(s, "freedom-gained", "y = 0.957"));
    const auto t = s.time(), y = s["y"];
    for (std::size_t k = 0; k < t.size(); ++k)
        EXPECT_NEAR(y[k], t[k] < 0.59 ? std::sin(3.16 * t[k]) : at_switch * std::exp(-1.23 * (t[k] - 0.59)), 2e-6);
    EXPECT_NEAR(*s.at(0.3, "y"), std::sin(3.16 * 0.3), 2e-6); // both modes are kept between output points
    EXPECT_NEAR(*s.at(1.0, "y"), at_switch * std::exp(-1.23 * (1 - 0.59)), 2e-6);
}

// 2 y' = 1 - y until y = 0.3, then y' = 1 - y: no event is asked for, but none of the two is the whole.
TEST_P(IndexChange, BranchesWithoutEventsAreBothTaken) {
    const Solution s = solved(R"(
model N
  Real y(start = 0, fixed = true);
equation
  y + (if noEvent(y < 0.3) then 2*der(y) else 0) + (if noEvent(y < 0.3) then 0 else der(y)) = 1;
end N;)",
                              {.until = 2, .method = GetParam(), .rtol = 1e-7});
    const double at = 2 * std::log(1 / 0.7);
    EXPECT_NEAR(s.final("y"), 1 - 0.7 * std::exp(-(2 - at)), 2e-6);
}

// A capacitor that is tied to a source again and again: it jumps where the switch closes, and discharges from where the
// source left it.
TEST_P(IndexChange, BackAndForth) {
    const double end = 10;
    const Solution s = solved(R"(
model S
  Real u(start = 1, fixed = true), i, v;
equation
  der(u) = -u/2 + i;
  v = u;
  0 = if sin(3*time) > 0.2 then v - 0.5*cos(time) else i;
end S;)",
                              {.until = end, .method = GetParam(), .rtol = 1e-7, .points = 100});
    const double phase = std::asin(0.2), turn = 2 * std::numbers::pi;
    const auto exact = [&](double t) {
        const double now = 3 * t - turn * std::floor(3 * t / turn);
        if (now > phase && now < std::numbers::pi - phase) return 0.5 * std::cos(t);
        const double opened =
            t < phase / 3
                ? -1.0
                : (3 * t - now + (now >= std::numbers::pi - phase ? 0.0 : -turn) + std::numbers::pi - phase) / 3;
        if (opened < 0) return std::exp(-0.5 * t);
        return 0.5 * std::cos(opened) * std::exp(-0.5 * (t - opened));
    };
    const auto t = s.time(), u = s["u"];
    ASSERT_EQ(t.size(), 101U);
    for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(u[k], exact(t[k]), 3e-6) << t[k];
    EXPECT_TRUE(says(s, "freedom-lost", "u: 0.9"));
    const auto events = s.events();
    const auto changes = std::count_if(events.begin(), events.end(), [](const SolutionEvent& e) {
        return e.cause.find("structure changes") != std::string::npos;
    });
    EXPECT_EQ(changes, 10); // five times there and back within 10 units of time
}

// A string that goes slack and becomes taut: index 3 and 1. Against the pendulum's angle and the parabola of a throw;
// becoming taut takes the radial velocity away.
TEST_P(IndexChange, StringGoesSlackAndBecomesTaut) {
    const std::string text = R"(
model Slack
  Real x(start = 0, fixed = true), y(start = -1), vx(start = 5.5, fixed = true), vy, F;
  discrete Boolean taut(start = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -F*x;
  der(vy) = -F*y - 9.81;
  0 = if taut then x^2 + y^2 - 1 else F;
  when F < 0 then
    taut = false;
  elsewhen x^2 + y^2 > 1 then
    taut = true;
  end when;
end Slack;)";
    const Solution s = solved(text, {.until = 2, .method = GetParam(), .rtol = 1e-8});
    const std::string pendulum = "model P Real a(start = 0, fixed = true), w(start = 0, fixed = true); equation "
                                 "der(a) = w; der(w) = -9.81*sin(a); end P;";
    // F = w² + g cos(a) vanishes, with w² = v0² - 2 g (1 - cos a): cos a = (2 g - v0²)/(3 g)
    const double g = 9.81, cosine = (2 * g - 5.5 * 5.5) / (3 * g);
    const Solution up = solved(pendulum, {.until = 2,
                                          .rtol = 1e-12,
                                          .starts = {{"w", 5.5, StartStrength::fixed}},
                                          .stop_when = {"cos(a) < " + std::to_string(cosine)}});
    const double t1 = up.end_time(), a = up.final("a"), w = up.final("w");
    const double x1 = std::sin(a), y1 = -std::cos(a), u1 = w * std::cos(a), v1 = w * std::sin(a);
    double low = 0.2, high = 1.5; // |r| = 1 again
    const auto r2 = [&](double dt) {
        return std::pow(x1 + u1 * dt, 2) + std::pow(y1 + v1 * dt - 0.5 * g * dt * dt, 2);
    };
    for (int k = 0; k < 100; ++k) (r2(0.5 * (low + high)) < 1 ? low : high) = 0.5 * (low + high);
    const double dt = low, x2 = x1 + u1 * dt, y2 = y1 + v1 * dt - 0.5 * g * dt * dt, v2 = v1 - g * dt;
    const Solution down = solved(pendulum, {.until = 2 - t1 - dt,
                                            .rtol = 1e-12,
                                            .starts = {{"a", std::atan2(x2, -y2), StartStrength::fixed},
                                                       {"w", u1 * -y2 + v2 * x2, StartStrength::fixed}}});
    EXPECT_NEAR(s.final("x"), std::sin(down.final("a")), 1e-4); // F < 0 is located to the tolerance of F
    EXPECT_NEAR(s.final("y"), -std::cos(down.final("a")), 1e-4);
    EXPECT_TRUE(says(s, "freedom-lost", "vy: -5.26"));
}

// A mass that a brake catches in motion, decided by its place: the velocity is projected to zero and the force follows.
TEST_P(IndexChange, ABrakeCatchesAndReleases) {
    const Solution s = solved(R"(
model B
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), F;
  discrete Boolean held(start = false);
equation
  der(x) = v;
  der(v) = cos(time) + F;
  0 = if held then v else F;
  when time > 3 then
    held = false;
  elsewhen x > 0.5 then
    held = true;
  end when;
end B;)",
                              {.until = 5, .method = GetParam(), .rtol = 1e-8, .points = 200});
    const auto t = s.time(), x = s["x"], v = s["v"], F = s["F"];
    const double caught = std::acos(0.5);
    for (std::size_t k = 0; k < t.size(); ++k) {
        const bool held = t[k] > caught && t[k] <= 3, after = t[k] > 3;
        EXPECT_NEAR(v[k], held ? 0.0 : std::sin(t[k]) - (after ? std::sin(3.0) : 0.0), 1e-6) << t[k];
        EXPECT_NEAR(F[k], held ? -std::cos(t[k]) : 0.0, 1e-5) << t[k];
        const double free = 0.5 - std::cos(t[k]) + std::cos(3.0) - std::sin(3.0) * (t[k] - 3);
        EXPECT_NEAR(x[k], after ? free : held ? 0.5 : 1 - std::cos(t[k]), 1e-6) << t[k];
    }
    EXPECT_TRUE(says(s, "freedom-lost", "v: 0.866"));
}

// What impulses cannot change is kept: the charge of two capacitors that a switch ties together, and the momentum of
// two masses that stick to each other, whatever their sizes are.
TEST_P(IndexChange, ChargeAndMomentumAreKept) {
    const Solution c = solved(R"(
model C
  Real u1(start = 1, fixed = true), u2(start = 0, fixed = true), i;
equation
  der(u1) = -i;
  3*der(u2) = i;
  0 = if time > 1 then u1 - u2 else i;
end C;)",
                              {.until = 2, .method = GetParam()});
    EXPECT_NEAR(c.final("u1"), 0.25, 1e-5);
    EXPECT_NEAR(c.final("u2"), 0.25, 1e-5);
    const Solution m = solved(R"(
model S
  Real x1(start = 0, fixed = true), x2(start = 1, fixed = true), v1(start = 1, fixed = true), v2(start = 0, fixed = true), F;
  discrete Boolean together(start = false);
equation
  der(x1) = v1;
  der(x2) = v2;
  2*der(v1) = -F;
  6*der(v2) = F;
  0 = if together then x1 - x2 else F;
  when x1 > x2 then
    together = true;
  end when;
end S;)",
                              {.until = 3, .method = GetParam()});
    EXPECT_NEAR(m.final("v1"), 0.25, 1e-5);
    EXPECT_NEAR(m.final("v2"), 0.25, 1e-5);
    EXPECT_NEAR(m.final("x1"), 1.5, 1e-5);
}

// Discrete variables, samples and pre() go on over a change of modes.
TEST(IndexChangeState, ClausesGoOn) {
    const Solution s = solved(R"(
model C
  Real y(start = 0), z;
  discrete Integer n(start = 0), m(start = 0);
equation
  der(y) = z;
  0 = if n < 3 or n > 5 then y - time else z;
  when sample(0.25, 0.5) then
    n = pre(n) + 1;
  end when;
  when y > 1 then
    m = pre(m) + 1;
  end when;
end C;)",
                              {.until = 4});
    EXPECT_EQ(s.final("n"), 8);
    EXPECT_EQ(s.final("m"), 1);
    EXPECT_NEAR(s.final("y"), 4, 1e-6);
    const auto t = s.time(), y = s["y"];
    for (std::size_t k = 0; k < t.size(); ++k)
        EXPECT_NEAR(y[k], t[k] > 1.25 && t[k] <= 2.75 ? 1.25 : t[k], 1e-6) << t[k];
}

TEST(IndexChangeState, WhatCannotGoOnIsRefused) {
    // Both branches lead to the other one.
    const Model model = read(R"(
model N
  Real y(start = 0.5, fixed = true), z;
equation
  der(y) = z;
  0 = if y > 0 then y + 1 else y - 1;
end N;)");
    const auto solution = solve(model, {.until = 1});
    EXPECT_TRUE(!solution || solution->outcome() == Outcome::failed);
}

} // namespace
