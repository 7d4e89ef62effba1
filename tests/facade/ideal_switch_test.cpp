// Switches that change the index: closed, an unknown depends on the derivative of a constraint.
#include "facade/solving.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

// A capacitor that an ideal switch ties to a source between t = 0.1 and t = 0.2.
constexpr const char* capacitor = R"(
model S
  Real v(start = 0, fixed = true), i, e;
  Boolean closed;
equation
  e = 5 + sin(20*time);
  closed = time > 0.1 and time < 0.2;
  1e-3*der(v) = i - v/10;
  0 = if closed then v - e else i;
end S;)";

// The current of an inductor, interrupted by an ideal switch when it becomes negative.
constexpr const char* inductor = R"(
model S
  Real i(start = 0, fixed = true), v, e;
  Boolean closed(start = true, fixed = true);
equation
  e = 10*sin(100*time + 1);
  1e-2*der(i) = e - 10*i - v;
  closed = pre(closed) and not (time > 0.05 and i < 0);
  0 = if closed then v else i;
  when not closed then reinit(i, 0); end when;
end S;)";

class IdealSwitch : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, IdealSwitch, ::testing::Values("auto", "radau5", "bdf", "esdirk4", "limex"));

TEST_P(IdealSwitch, CurrentOfACapacitorFollowsTheSource) {
    for (const double tol : {1e-4, 1e-6, 1e-8}) {
        const Solution s = solved(capacitor, {.until = 0.3, .method = GetParam(), .rtol = tol, .points = 30});
        const auto t = s.time(), i = s["i"], v = s["v"];
        for (std::size_t k = 0; k < t.size(); ++k) {
            if (t[k] < 0.105 || t[k] > 0.195) continue;
            const double e = 5 + std::sin(20 * t[k]);
            EXPECT_NEAR(v[k], e, 10 * tol * e) << t[k];
            EXPECT_NEAR(i[k], 1e-3 * 20 * std::cos(20 * t[k]) + e / 10, 100 * tol) << t[k] << ", tolerance " << tol;
        }
        EXPECT_NEAR(s.final("v"), (5 + std::sin(4.0)) * std::exp(-10.0), 10 * tol);
    }
}

TEST_P(IdealSwitch, VoltageOverAnOpenSwitchIsThatOfTheSource) {
    for (const double tol : {1e-4, 1e-6, 1e-8}) {
        const Solution s = solved(inductor, {.until = 0.2, .method = GetParam(), .rtol = tol, .points = 40});
        const auto t = s.time(), v = s["v"], e = s["e"];
        for (std::size_t k = 0; k < t.size(); ++k)
            if (t[k] > 0.0501) {
                EXPECT_NEAR(v[k], e[k], 1000 * tol) << t[k] << ", tolerance " << tol;
            }
    }
}

// A thread that becomes taut and stays so: its condition, at zero from then on, changes again and again without effect.
TEST(IdealThread, EventsThatChangeNothingBehindIt) {
    const std::string thread = R"(
model T
  Real x(start = 0.5, fixed = true), y(start = 0, fixed = true), u(start = 0, fixed = true), v(start = 0, fixed = true), F;
  Boolean taut(start = false, fixed = true);
equation
  der(x) = u;
  der(y) = v;
  der(u) = -F*x;
  der(v) = -F*y - 9.81;
  taut = pre(taut) or x^2 + y^2 >= 1;
  0 = if taut then x*u + y*v else F;
  when taut then
    reinit(u, u - x*(x*u + y*v));
    reinit(v, v - y*(x*u + y*v));
  end when;
end T;)";
    const double height = std::sqrt(0.75), tight = std::sqrt(2 * height / 9.81); // y = -height, x = 1/2
    const Solution pendulum =
        solved("model P parameter Real start = 0; Real a(start = 0.5235987755982988, fixed = true), "
               "w(start = start, fixed = true); equation der(a) = w; der(w) = -9.81*sin(a); end P;",
               {.until = 2 - tight, .rtol = 1e-10, .parameters = {{"start", -0.5 * 9.81 * tight}}});
    for (const char* method : {"radau5", "esdirk4"}) {
        const Solution s = solved(thread, {.until = 2, .method = method, .rtol = 1e-6});
        EXPECT_NEAR(s.final("x"), std::sin(pendulum.final("a")), 1e-5) << method;
        EXPECT_NEAR(s.final("y"), -std::cos(pendulum.final("a")), 1e-5) << method;
    }
}

// One diode takes over what the other one conducts, at any current: i' = 10 max(e, 0) - 20 i between zeros of e.
TEST_P(IdealSwitch, DiodesHandACurrentOver) {
    const Solution s = solved(R"(
model F
  Real i(start = 1, fixed = true), u, s1(start = 1), s2(start = -1), d1, d2, j1, j2;
equation
  d1 = if s1 > 0 then 0 else s1;
  j1 = if s1 > 0 then s1 else 0;
  d2 = if s2 > 0 then 0 else s2;
  j2 = if s2 > 0 then s2 else 0;
  10*sin(100*time + 0.3) - u = d1;
  -u = d2;
  j1 + j2 = i;
  0.1*der(i) = u - 2*i;
end F;)",
                              {.until = 0.2, .method = GetParam(), .rtol = 1e-7});
    const auto driven = [](double t) { // a solution where e > 0
        return 100 * (20 * std::sin(100 * t + 0.3) - 100 * std::cos(100 * t + 0.3)) / (20.0 * 20.0 + 100.0 * 100.0);
    };
    double i = 1.0, t = 0.0;
    for (int half = 1; t < 0.2; ++half) {
        const double end = std::min((half * std::numbers::pi - 0.3) / 100, 0.2), decay = std::exp(-20 * (end - t));
        i = half % 2 == 1 ? driven(end) + (i - driven(t)) * decay : i * decay;
        t = end;
    }
    EXPECT_NEAR(s.final("i"), i, 1e-6);
    EXPECT_NEAR(s.final("s1"), i, 1e-6);
}

// Conducting, an ideal diode without resistance makes the voltage of a capacitor that of the source: structure does not
// see it.
TEST(IdealDiode, LoadsACapacitorWithoutResistance) {
    const std::string rectifier = R"(
model R
  Real vc(start = 0, fixed = true), s, vd, id, e;
  Boolean off;
equation
  e = 10*sin(10*time);
  off = s < 0;
  vd = if off then s else 0;
  id = if off then 0 else s;
  e = vd + vc;
  0.05*der(vc) = id - vc/10;
end R;)";
    const Solution s = solved(rectifier, {.until = 0.6, .rtol = 1e-7, .points = 60});
    const double off = (std::numbers::pi - std::atan(5.0)) / 10; // where the current C e' + e/R vanishes
    const auto t = s.time(), vc = s["vc"], id = s["id"], blocks = s["off"];
    for (std::size_t k = 1; k < t.size(); ++k) {
        const double e = 10 * std::sin(10 * t[k]), rest = 10 * std::sin(10 * off) * std::exp(-2 * (t[k] - off));
        EXPECT_NEAR(vc[k], t[k] < off ? e : rest, 1e-5) << t[k];
        EXPECT_NEAR(id[k], t[k] < off ? 5 * std::cos(10 * t[k]) + e / 10 : 0.0, 1e-4) << t[k];
        EXPECT_EQ(blocks[k], t[k] < off ? 0.0 : 1.0) << t[k];
    }
}

} // namespace
