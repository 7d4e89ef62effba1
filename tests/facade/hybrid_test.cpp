// When-clauses, discrete variables and what becomes of them: Modelica as users write it.
#include "facade/solving.hpp"

#include <daedalus/black_box.hpp>

#include <cmath>
#include <numbers>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

std::string around(const std::string& declarations, const std::string& equations) {
    return "model M\n" + declarations + "\nequation\n" + equations + "\nend M;\n";
}

class Hybrid : public ::testing::TestWithParam<const char*> {
protected:
    [[nodiscard]] SolveOptions until(double t, double rtol = 1e-9) const {
        return {.until = t, .method = GetParam(), .rtol = rtol, .points = 20};
    }
};

// Dropped from 1 m, restitution 1/2: impact k at t1 + 2 t1 (1/2 + 1/4 + …), energy a quarter after each.
TEST_P(Hybrid, BouncingBall) {
    const Solution s =
        solved(around("Real h(start = 1, fixed = true), v(start = 0, fixed = true); Integer n(start = 0);",
                      "der(h) = v; der(v) = -9.81;"
                      "when h <= 0 then reinit(v, -0.5*pre(v)); n = pre(n) + 1; end when;"),
               until(1.2));
    const double t1 = std::sqrt(2 / 9.81), t2 = 2 * t1, t3 = t2 + t1 / 2, v0 = 9.81 * t1;
    ASSERT_LT(t3, 1.2);
    EXPECT_EQ(s.final("n"), 3);
    const double after = 1.2 - t3, up = v0 / 8;
    EXPECT_NEAR(s.final("h"), up * after - 0.5 * 9.81 * after * after, 1e-8);
}

// Nothing has to be integrated, and yet something happens: conditions on time, samples, clauses.
TEST_P(Hybrid, EventsHappenWithoutAnythingToIntegrate) {
    const Solution condition = solved(around("Real x; Boolean b;", "x = time; b = time >= 0.5;"), until(1.0));
    ASSERT_EQ(condition.time().size(), 21U);
    for (std::size_t k = 0; k <= 20; ++k) {
        EXPECT_NEAR(condition["x"][k], condition.time()[k], 1e-15);
        EXPECT_EQ(condition["b"][k], condition.time()[k] >= 0.5 ? 1.0 : 0.0);
    }
    const Solution sampled = solved(
        around("discrete Real n(start = 0, fixed = true);", "when sample(0.1, 0.2) then n = pre(n) + 1; end when;"),
        until(1.0));
    EXPECT_EQ(sampled.final("n"), 5);
    const Solution constant = solved(around("Real x(start = 2); discrete Real n(start = 0, fixed = true);",
                                            "x^2 = 4; when sample(0.1, 0.2) then n = pre(n) + x; end when;"),
                                     until(1.0));
    EXPECT_NEAR(constant.final("n"), 10, 1e-12);
}

// Between events nothing of this varies, and yet it is no constant.
TEST_P(Hybrid, WhatEventsChangeIsNotSolvedOnceAndForAll) {
    const Solution s = solved(around("Real x(start = 0, fixed = true), y, k(start = 1, fixed = true), m;"
                                     "discrete Real d(start = 2);",
                                     "der(x) = y + m; y^3 + y = d; der(k) = 0; m = 2*k;"
                                     "when time >= 1 then d = 10; reinit(k, 3); end when;"),
                              until(2));
    EXPECT_NEAR(s.final("y"), 2, 1e-12);
    EXPECT_NEAR(s.final("m"), 6, 1e-12);
    EXPECT_NEAR(s.final("x"), (1 + 2) + (2 + 6), 1e-8);
}

// The equations of an event are solved together before pre() is renewed (Modelica specification 3.5, appendix B): what
// clauses set, conditions on it, and what those decide. With `entry` still 0, y would be 1 for a moment, and be
// latched.
TEST_P(Hybrid, IntermediateValuesAreNotRemembered) {
    const Solution s = solved(around("Real x(start = 0, fixed = true), y; Boolean u, fire, latched(start = false);"
                                     "discrete Real entry(start = 0);",
                                     "der(x) = 1; u = x > 1; when u then entry = time; end when;"
                                     "y = if u then time - entry else 0; fire = y > 0.2;"
                                     "latched = fire or pre(latched);"),
                              until(2));
    ASSERT_EQ(s.time().size(), 21U);
    for (std::size_t k = 0; k <= 20; ++k) {
        if (std::abs(s.time()[k] - 1.2) < 1e-6) continue;
        EXPECT_EQ(s["latched"][k], s.time()[k] > 1.2 ? 1.0 : 0.0) << s.time()[k];
    }
    EXPECT_NEAR(s.final("entry"), 1, 1e-8);
}

// A clause whose condition held only as long as another clause had not acted has not acted.
TEST_P(Hybrid, ClausesActOnTheSolutionOfTheEvent) {
    const Solution s =
        solved(around("Real x(start = 0, fixed = true); Boolean a, b; Integer d(start = 1), n(start = 0);",
                      "der(x) = 1; a = x > 1; b = a and d > 0;"
                      "when a then d = 0; end when; when b then n = pre(n) + 1; end when;"),
               until(2));
    EXPECT_EQ(s.final("d"), 0);
    EXPECT_EQ(s.final("n"), 0);
}

// One clause sets off the next in the same instant, and each acts once.
TEST_P(Hybrid, ClausesThatSetEachOtherOff) {
    const Solution s =
        solved(around("Real x(start = 0, fixed = true); Integer a(start = 0), b(start = 0), c(start = 0);",
                      "der(x) = 1; when x > 1 then a = pre(a) + 1; end when;"
                      "when a > 0 then b = pre(b) + a; end when;"
                      "when pre(b) > 0 then c = pre(c) + 10*pre(b); end when;"),
               until(2));
    EXPECT_EQ(s.final("a"), 1);
    EXPECT_EQ(s.final("b"), 1);
    EXPECT_EQ(s.final("c"), 10);
}

// A condition on time reaches what is known in advance through another condition, too.
TEST_P(Hybrid, ConditionsOnTimeThroughKnownVariables) {
    const Solution s = solved(around("Real u, x(start = 0, fixed = true); Boolean on; Boolean late;",
                                     "on = time >= 0.3; u = if on then time - 0.3 else 0; late = u > 0.4;"
                                     "der(x) = if late then 1 else 0;"),
                              until(1));
    EXPECT_NEAR(s.final("x"), 0.3, 1e-9);
    EXPECT_EQ(s.final("late"), 1);
}

// Samples that nothing integrated depends on: methods go on with what they know.
TEST_P(Hybrid, CountingCostsNoRestarts) {
    const Solution s = solved(around("Real x(start = 1, fixed = true), v(start = 0, fixed = true);"
                                     "Integer n(start = 0);",
                                     "der(x) = v; der(v) = -x; when sample(0.1, 0.1) then n = pre(n) + 1; end when;"),
                              until(9.95));
    EXPECT_EQ(s.final("n"), 99);
    EXPECT_EQ(count(s, "restarts"), 0);
    EXPECT_NEAR(s.final("x"), std::cos(9.95), 1e-8);
}

TEST_P(Hybrid, SampledController) {
    // Held since the last multiple of 0.1: x_{k+1} = u + (x_k - u) e^{-0.1}, u = 1 - x_k
    const Solution s = solved(around("Real x(start = 0, fixed = true); discrete Real u(start = 0);",
                                     "der(x) = u - x; when sample(0, 0.1) then u = 1 - x; end when;"),
                              until(1.0));
    double x = 0;
    for (int k = 0; k < 10; ++k) {
        const double u = 1 - x;
        x = u + (x - u) * std::exp(-0.1);
    }
    EXPECT_NEAR(s.final("x"), x, 1e-8);
}

TEST_P(Hybrid, HysteresisRemembersItself) {
    const Solution s = solved(around("Real T(start = 20, fixed = true); Boolean on(start = true);",
                                     "der(T) = if on then 1 else -1; on = if pre(on) then T < 21 else T < 19;"),
                              until(10.0));
    // up to 21 at t = 1, down to 19 at 3, up to 21 at 5, down to 19 at 7, up to 21 at 9, down
    EXPECT_NEAR(s.final("T"), 20, 1e-8);
    EXPECT_EQ(s.final("on"), 0);
}

TEST_P(Hybrid, TerminateEndsTheRun) {
    const Solution s = solved(
        around("Real x(start = 1, fixed = true);", "der(x) = -x; when x < 0.5 then terminate(\"half\"); end when;"),
        until(10.0));
    EXPECT_EQ(s.outcome(), Outcome::terminated);
    EXPECT_NEAR(s.end_time(), std::log(2.0), 1e-8);
    EXPECT_NE(s.message().find("half"), std::string::npos);
}

TEST_P(Hybrid, StopConditions) {
    SolveOptions options = until(10.0);
    options.stop_when = {"y > 0.25", "x < 0.1"};
    auto model = Model::from_string(around("Real x(start = 1, fixed = true), y;", "der(x) = -x; y = x*(1 - x);"));
    ASSERT_TRUE(model);
    auto s = solve(*model, options);
    ASSERT_TRUE(s && s->success());
    EXPECT_EQ(s->outcome(), Outcome::terminated);
    EXPECT_NEAR(s->end_time(), std::log(10.0), 1e-8); // y only touches 1/4
    options.stop_when = {"x > 0"};
    s = solve(*model, options);
    ASSERT_TRUE(s);
    EXPECT_EQ(s->end_time(), 0.0);
    options.stop_when = {"z > 0"};
    s = solve(*model, options);
    ASSERT_FALSE(s);
    EXPECT_NE(render(s.error()).find("'z' is not declared"), std::string::npos) << render(s.error());
}

TEST_P(Hybrid, SimultaneousEventsAllHappen) {
    const Solution s =
        solved(around("Real x(start = 0, fixed = true); Integer a(start = 0), b(start = 0), c(start = 0);",
                      "der(x) = 1; when x > 0.5 then a = 1; end when; when time > 0.5 then b = 1; end when;"
                      "when a + b >= 2 then c = 1; end when;"),
               until(1.0));
    EXPECT_EQ(s.final("a") + s.final("b") + s.final("c"), 3);
}

TEST_P(Hybrid, ElsewhenEdgeChangeAndInitial) {
    const Solution s =
        solved(around("Real x(start = 0, fixed = true); Integer n(start = 0), m(start = 0), k(start = 0); Boolean up;",
                      "der(x) = 1; up = mod(time, 2) < 1;"
                      "when edge(up) then n = pre(n) + 1; end when;"
                      "when change(up) then m = pre(m) + 1; end when;"
                      "when initial() then k = 5; elsewhen x > 3 then k = 7; end when;"),
               until(5.5));
    EXPECT_EQ(s.final("n"), 2); // at 2 and 4
    EXPECT_EQ(s.final("m"), 5); // at 1, 2, 3, 4, 5
    EXPECT_EQ(s.final("k"), 7);
    EXPECT_EQ(s["k"].front(), 5);
}

// Discontinuities of inputs, none of them listed by anybody: integrals are exact only if every jump is hit.
TEST_P(Hybrid, PiecewiseInputsAreHit) {
    const struct {
        const char* input;
        double integral; ///< from 0 to 4.3
    } cases[] = {
        {"if mod(time, 1) < 0.25 then 1 else 0", 4 * 0.25 + 0.25},
        {"if mod(time, 1) < 0.001 then 1 else 0", 4 * 0.001 + 0.001},
        {"if sin(2*3.14159265358979323846*time) > 0 then 1 else 0", 4 * 0.5 + 0.3},
        {"if cos(4*time)*exp(-time) > 0 then 1 else -1", 0.0},
        {"floor(time)", 0 + 1 + 2 + 3 + 4 * 0.3},
        {"integer(time/0.5)", 0.5 * (0 + 1 + 2 + 3 + 4 + 5 + 6 + 7) + 0.3 * 8},
        {"ceil(time)", 1 + 2 + 3 + 4 + 5 * 0.3},
        {"mod(time, 1)", 4 * 0.5 + 0.5 * 0.3 * 0.3},
        {"sign(time - 2)", -2 + 2.3},
        {"if time < 1 then 0 else if time < 1.0001 then 1e4 else 0", 1},
    };
    for (const auto& c : cases) {
        SolveOptions options = until(4.3, 1e-10);
        for (const bool quadratures : {true, false}) {
            options.quadratures = quadratures;
            const Solution s = solved(around("Real q(start = 0, fixed = true), z(start = 1, fixed = true), u;",
                                             std::string("der(q) = u; der(z) = -0.001*z; u = ") + c.input + ";"),
                                      options);
            double expected = c.integral;
            if (expected == 0.0) { // cos(4t) changes its sign at π/8 + k π/4
                double t = 0, sign = 1;
                for (double next = std::numbers::pi / 8; next < 4.3; next += std::numbers::pi / 4) {
                    expected += sign * (next - t);
                    t = next;
                    sign = -sign;
                }
                expected += sign * (4.3 - t);
            }
            EXPECT_NEAR(s.final("q"), expected, 2e-9) << c.input << (quadratures ? "" : " in the system");
        }
    }
}

// An output point at an edge is behind it, on whatever multiple of the period it lies.
TEST_P(Hybrid, OutputPointsAtEdgesAreBehindThem) {
    const Solution s =
        solved("model P Real x(start = 0, fixed = true), u; equation u = if mod(time, 10) < 5 then 1 else 2;"
               "der(x) = u - x; end P;",
               {.until = 62.5, .method = GetParam(), .points = 25});
    const auto t = s.time(), u = s["u"];
    for (std::size_t k = 0; k < t.size(); ++k) EXPECT_EQ(u[k], std::fmod(t[k], 10.0) < 5 ? 1.0 : 2.0) << t[k];
}

TEST_P(Hybrid, InstantsThatDependOnDiscreteVariables) {
    const Solution s = solved(around("Real x(start = 0, fixed = true); Integer k(start = 1);",
                                     "der(x) = k; when time > 0.5*pre(k)^2 then k = pre(k) + 1; end when;"),
                              until(5.0));
    // k = 1 until 0.5, 2 until 2, 3 until 4.5, 4
    EXPECT_NEAR(s.final("x"), 0.5 * 1 + 1.5 * 2 + 2.5 * 3 + 0.5 * 4, 1e-9);
}

TEST_P(Hybrid, IntegerPartOfAState) {
    const Solution s = solved(around("Real x(start = 0.5, fixed = true), y(start = 0, fixed = true);",
                                     "der(x) = cos(time)*3; der(y) = floor(x);"),
                              until(6.0));
    double y = 0, dt = 1e-6;
    for (int k = 0; k < 6000000; ++k) y += dt * std::floor(0.5 + 3 * std::sin((k + 0.5) * dt));
    EXPECT_NEAR(s.final("y"), y, 1e-5);
}

TEST_P(Hybrid, BranchNotTakenIsNotEvaluated) {
    for (const char* f : {"sqrt(x)", "x^0.5", "x*log(x)", "1/(x + abs(x))"})
        for (const char* condition : {"x > 0.01", "noEvent(x > 0.01)"}) {
            const Solution s =
                solved(around("Real x(start = 1, fixed = true), y(start = 0, fixed = true);",
                              "der(x) = -1; der(y) = if " + std::string(condition) + " then " + f + " else -x;"),
                       until(2.0, 1e-7));
            EXPECT_NEAR(s.final("x"), -1.0, 1e-6) << f << condition;
        }
}

// Water runs out: the root of the level is not defined beyond the end, and the end is an event.
TEST_P(Hybrid, TankRunsEmpty) {
    for (const char* condition : {"x > 0", "noEvent(x > 0)"}) {
        const Solution s = solved(around("Real x(start = 1, fixed = true);",
                                         "der(x) = if " + std::string(condition) + " then -sqrt(x) else 0;"),
                                  until(4.0, 1e-7));
        EXPECT_NEAR(s.final("x"), 0.0, 1e-5) << condition;
    }
}

INSTANTIATE_TEST_SUITE_P(Methods, Hybrid, ::testing::Values("radau", "bdf", "rodas4"));

TEST(HybridMessages, NameTheMistake) {
    const struct {
        std::string declarations, equations, message;
    } cases[] = {
        {"Boolean b; Real x;", "x = 1;", "nothing says what 'b' is"},
        {"Boolean a, b; Real x;", "a = not b; b = not a; x = 1;", "is defined by itself"},
        {"Real x(start = 1);", "der(x) = 1; reinit(x, 1);", "outside a when-clause"},
        {"Real x(start = 1);", "der(x) = 1; when x > 2 then reinit(y, 1); end when;", "reinit needs the name"},
        {"Real x(start = 1); Integer n;", "der(x) = 1; n = x;", "must be an Integer"},
        {"Real x(start = 1); parameter Real p = 1;", "der(x) = 1; when x > 2 then p = 1; end when;", "p"},
        {"Real x(start = 1);", "der(x) = if sample(0, x) then 1 else 0;", "must not vary in time"},
    };
    for (const auto& c : cases) {
        const auto model = Model::from_string(around(c.declarations, c.equations));
        ASSERT_FALSE(model) << c.equations;
        EXPECT_NE(render(model.error()).find(c.message), std::string::npos) << render(model.error());
    }
}

TEST(ModelInCpp, WhenAndStop) {
    Model m("Ball");
    const Expression h = m.variable("h", {.start = 1, .fixed = true}), v = m.variable("v", {.start = 0, .fixed = true});
    m.equation(der(h) == v);
    m.equation(der(v) == Expression(-9.81));
    m.when(h <= 0, {{v, -0.5 * v}});
    m.stop_when(v > 2, "fast enough");
    const auto s = solve(m, {.until = 3, .rtol = 1e-9});
    ASSERT_TRUE(s && s->success());
    EXPECT_EQ(s->outcome(), Outcome::terminated);
    EXPECT_NEAR(s->end_time(), std::sqrt(2 / 9.81), 1e-8);
}

TEST(Assertion, StopsTheRunWithItsMessageAndPlace) {
    const std::string text = R"(model Tank
  Real level(start = 1, fixed = true);
equation
  der(level) = -0.5;
  assert(level > 0.25, "the tank runs dry");
end Tank;)";
    const auto model = Model::from_string(text, "tank.mo");
    ASSERT_TRUE(model) << render(model.error());
    const auto s = solve(*model, {.until = 5, .rtol = 1e-8});
    ASSERT_TRUE(s) << render(s.error());
    EXPECT_EQ(s->outcome(), Outcome::failed);
    EXPECT_NEAR(s->end_time(), 1.5, 1e-9);
    const std::string told = render(s->diagnostics());
    EXPECT_NE(told.find("the tank runs dry (level > 0.25)"), std::string::npos) << told;
    EXPECT_NE(told.find("tank.mo:5"), std::string::npos) << told;
    const auto holds = solve(*model, {.until = 1, .rtol = 1e-8});
    ASSERT_TRUE(holds && holds->success());
}

TEST(Assertion, IsCheckedAtTheStartAndInClauses) {
    const auto start = Model::from_string(around("Real x(start = 1, fixed = true); parameter Real k = -1;",
                                                 "der(x) = k; assert(k > 0, \"k must be positive\");"));
    ASSERT_TRUE(start) << render(start.error());
    auto s = solve(*start, {.until = 1});
    ASSERT_TRUE(s) << render(s.error());
    EXPECT_EQ(s->outcome(), Outcome::failed);
    EXPECT_EQ(s->end_time(), 0.0);
    EXPECT_NE(s->message().find("k must be positive"), std::string::npos) << s->message();
    const auto clause =
        Model::from_string(around("Real x(start = 0, fixed = true), y(start = 0, fixed = true);",
                                  "der(x) = 1; der(y) = 2; when x > 1 then assert(y < 1, \"late\"); end when;"));
    ASSERT_TRUE(clause) << render(clause.error());
    s = solve(*clause, {.until = 3});
    ASSERT_TRUE(s);
    EXPECT_EQ(s->outcome(), Outcome::failed);
    EXPECT_NEAR(s->end_time(), 1.0, 1e-9);
}

TEST(Terminal, ClausesActAtTheEnd) {
    const auto model =
        Model::from_string(around("Real x(start = 0, fixed = true); discrete Real last(start = -1, fixed = true);",
                                  "der(x) = 1; when terminal() then last = 2*x; end when;"));
    ASSERT_TRUE(model) << render(model.error());
    const auto s = solve(*model, {.until = 3});
    ASSERT_TRUE(s && s->success()) << s->message();
    EXPECT_NEAR(s->final("last"), 6.0, 1e-9);
    EXPECT_EQ((*s)["last"].front(), -1.0);
}

/// A pendulum to which something happens at an instant.
Model struck(double when, const std::string& strike) {
    return read(R"(
model Struck
  Real x(start = 1, fixed = true), y(start = 0), u(start = 0, fixed = true), v, lambda;
  discrete Real given(start = 0, fixed = true);
equation
  der(x) = u;
  der(y) = v;
  der(u) = -lambda*x;
  der(v) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
  when time > )" +
                std::to_string(when) + " then " + strike + " end when;\nend Struck;");
}

// Whichever of x and y is a state when the pendulum is struck, it keeps the value that it is given.
TEST(Reinit, OfADummyDerivativeMakesItAState) {
    for (const char* velocity : {"u", "v"})
        for (const double when : {0.05, 0.3, 0.5, 0.62}) {
            const std::string strike =
                std::string("given = 0.75*") + velocity + "; reinit(" + velocity + ", 0.75*" + velocity + ");";
            const Model model = struck(when, strike);
            SolveOptions options{.until = when, .rtol = 1e-9, .points = 0};
            options.until = when + 1e-7;
            const auto s = solve(model, options);
            ASSERT_TRUE(s) << render(s.error());
            ASSERT_TRUE(s->success()) << velocity << " at " << when << ": " << s->message();
            EXPECT_NEAR(s->final(velocity), s->final("given"), 2e-6 * (1 + std::abs(s->final("given"))))
                << velocity << " at " << when;
            EXPECT_NEAR(s->final("x") * s->final("u") + s->final("y") * s->final("v"), 0.0, 1e-9);
        }
}

// Velocities that agree with the constraint may be given together, and each of them alone says the same: whatever is
// not given follows, however far.
TEST(Reinit, OfVelocitiesAtAWall) {
    const auto bounced = [](const std::string& strike, const std::string& method) {
        return solved("model M Real x(start = 1), y(start = 0), u(start = 0), v(start = 0), lambda; Integer n(start = "
                      "0, fixed = true); equation der(x) = u; der(y) = v; der(u) = -lambda*x; der(v) = -lambda*y - "
                      "9.81; x^2 + y^2 = 1; when x < -0.3 then n = pre(n) + 1; " +
                          strike + " end when; end M;",
                      {.until = 4, .method = method, .rtol = 1e-8});
    };
    const std::string of_u = "reinit(u, -0.8*pre(u));", of_v = "reinit(v, -0.8*pre(v));";
    for (const char* method : {"auto", "radau", "bdf", "rodas4"}) {
        const Solution first = bounced(of_u, method);
        EXPECT_EQ(first.final("n"), 3) << method;
        for (const std::string& strike : {of_v, of_u + of_v, of_v + of_u}) {
            const Solution s = bounced(strike, method);
            for (const char* name : {"x", "y", "u", "v", "n"})
                EXPECT_NEAR(s.final(name), first.final(name), 1e-6) << method << " " << strike << " " << name;
        }
    }
}

TEST(Reinit, ThatContradictsTheEquationsIsNamed) {
    const Model model = struck(0.3, "given = 1; reinit(u, 1); reinit(v, 1);");
    const auto s = solve(model, {.until = 1});
    ASSERT_TRUE(s) << render(s.error());
    EXPECT_EQ(s->outcome(), Outcome::failed);
    EXPECT_NE(s->message().find("reinit gives to"), std::string::npos) << s->message();
}

TEST(Clauses, AreRefusedBackwardInTime) {
    const auto model = Model::from_string(
        around("Real x(start = 1, fixed = true);", "der(x) = 1; when x > 2 then reinit(x, 1); end when;"));
    ASSERT_TRUE(model);
    const auto s = solve(*model, {.from = 1, .until = 0});
    ASSERT_FALSE(s);
    EXPECT_NE(render(s.error()).find("backward"), std::string::npos) << render(s.error());
    const auto branch =
        Model::from_string(around("Real x(start = 1, fixed = true);", "der(x) = if x > 0.5 then 1 else 2;"));
    const auto back = solve(*branch, {.from = 1, .until = 0, .rtol = 1e-8});
    ASSERT_TRUE(back && back->success());
    EXPECT_NEAR(back->final("x"), -0.5, 1e-7);
}

// Event functions of a residual that is only a function: direction and action.
TEST(BlackBoxEvents, DirectionTerminalAction) {
    BlackBox box;
    box.residual = [](double, std::span<const double> x, std::span<const double> dx, std::span<double> r) {
        r[0] = dx[0] - x[1];
        r[1] = dx[1] + x[0];
    };
    box.x0 = {0.0, 1.0}; // sin, cos
    box.dx0 = {1.0, 0.0};
    const auto value = [](double, std::span<const double> x, std::span<const double>) { return x[0] - 0.5; };
    using Direction = EventFunction::Direction;
    for (const char* method : {"radau", "bdf"})
        for (const auto& [direction, expected] : {std::pair{Direction::both, std::numbers::pi / 6},
                                                  {Direction::rising, std::numbers::pi / 6},
                                                  {Direction::falling, 5 * std::numbers::pi / 6}}) {
            box.events = {{value, direction, true, "x = 1/2"}};
            const auto s = solve(box, {.until = 20, .method = method, .rtol = 1e-10});
            ASSERT_TRUE(s) << render(s.error());
            EXPECT_EQ(s->outcome(), Outcome::terminated);
            EXPECT_NEAR(s->end_time(), expected, 1e-8);
            EXPECT_NE(s->message().find("x = 1/2"), std::string::npos);
        }
    int seen = 0;
    box.events = {{value, Direction::rising, false, "", [&](double, std::span<double> x, std::span<double>) {
                       ++seen;
                       x[1] = -x[1];
                   }}};
    const auto s = solve(box, {.until = 2, .rtol = 1e-10});
    ASSERT_TRUE(s && s->success()) << s->message();
    EXPECT_EQ(seen, 1); // reflected: it goes back through the other side
    EXPECT_NEAR(s->final("x[0]"), std::sin(std::numbers::pi / 3 - 2), 1e-7);
}

} // namespace
