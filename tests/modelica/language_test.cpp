// Small models, one for each part of the language, solved; the numbers follow by hand.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <cmath>

namespace daedalus {
namespace {

/// The value of a variable of the last model of the text at t = 1.
double end_of(const std::string& text, const std::string& variable) {
    const auto model = Model::from_string(text);
    if (!model) {
        ADD_FAILURE() << render(model.error());
        return NAN;
    }
    const auto solution = solve(*model, {.until = 1.0, .rtol = 1e-9});
    if (!solution || !solution->success()) {
        ADD_FAILURE() << (solution ? solution->message() : render(solution.error()));
        return NAN;
    }
    return solution->final(variable);
}
/// … of `y` in a package of declarations around `model M <body> end M;`.
double y_of(const std::string& declarations, const std::string& body) {
    return end_of("package P\n" + declarations + "\nmodel M " + body + " end M;\nend P;", "y");
}

TEST(Language, EnumerationsAreIndicesAndValues) {
    EXPECT_NEAR(y_of("type Color = enumeration(red, green, blue);",
                     "parameter Color c = Color.blue; Real v[Color] = {1, 2, 5}; Real y; Real s;"
                     "equation y = v[c] + (if c > Color.green then 10 else 0) + Integer(Color.green);"
                     "s = sum(v[i] for i in Color);"),
                17.0, 1e-12);
}

TEST(Language, SlicesEndAndComprehensions) {
    EXPECT_NEAR(
        y_of("",
             "Real a[3, 4] = {10*i + j for j in 1:4, i in 1:3}; Real y = sum(a[2:end, end]) + a[1, :]*{1, 0, 0, 1};"),
        34.0 + 24.0 + (11.0 + 14.0) - 0.0 - 0.0 + (34.0 - 34.0), 1e-12);
}

TEST(Language, ResultsOfCallsHaveSubscriptsAndFields) {
    EXPECT_NEAR(y_of("record R Real a; Real b[2]; end R;"
                     "function f input Real x; output R r; algorithm r := R(a = x, b = {2*x, 3*x}); end f;"
                     "function g input Real x; output Real v[2]; algorithm v := {x, 10*x}; end g;",
                     "Real y = (f(1)).a + (f(2)).b[2] + (g(3))[2];"),
                1.0 + 6.0 + 30.0, 1e-12);
}

TEST(Language, ArraysOfComponentsWithEach) {
    EXPECT_NEAR(y_of("model A parameter Real k = 1; parameter Real m[2] = {0, 0}; Real x(start = 0, fixed = true);"
                     " equation der(x) = k + sum(m); end A;",
                     "A a[3](k = {1, 2, 3}, each m = {0.5, 0.25}, x(each start = 1)); Real y = sum(a.x);"),
                3.0 + 6.0 + 3 * 0.75, 1e-7);
}

TEST(Language, ConditionalComponentsTakeTheirConnectionsAway) {
    EXPECT_NEAR(
        y_of("connector Pin Real v; flow Real i; end Pin;"
             "model Source Pin p; equation p.v = 6; end Source;"
             "model R Pin p, n; parameter Real r = 1; equation p.v - n.v = r*p.i; p.i + n.i = 0; end R;"
             "model Ground Pin p; equation p.v = 0; end Ground;",
             "parameter Boolean both = false; Source s; R a(r = 2), b(r = 2) if both; Ground g; Real y = -s.p.i;"
             "equation connect(s.p, a.p); connect(s.p, b.p); connect(a.n, g.p); connect(b.n, g.p);"),
        3.0, 1e-9);
}

TEST(Language, InnerAndOuterMeetThroughLevels) {
    EXPECT_NEAR(y_of("model World parameter Real g = 9.81; end World;"
                     "model Body outer World world; Real a = -world.g; end Body; model Arm Body b; end Arm;",
                     "inner World world(g = 1.5); Arm arm; Real y = arm.b.a;"),
                -1.5, 1e-12);
}

TEST(Language, RedeclarationsInAllForms) {
    EXPECT_NEAR(y_of("partial model Law Real u; end Law; model One extends Law; equation u = 1; end One;"
                     "model Two extends Law; parameter Real k = 2; equation u = k; end Two;"
                     "model Holder replaceable model L = One constrainedby Law; L l; end Holder;"
                     "model Part replaceable One p constrainedby Law; end Part;"
                     "package Base replaceable constant Real c = 1; replaceable function f input Real x; output Real z;"
                     " algorithm z := x; end f; end Base;"
                     "package Better extends Base(redeclare constant Real c = 4); redeclare function extends f"
                     " algorithm z := 3*x; end f; end Better;"
                     "model User replaceable package Q = Base; Real v = Q.c; end User;",
                     "Holder h(redeclare model L = Two(k = 7)); Part q(redeclare Two p(k = 5)); User u(redeclare "
                     "package Q = Better);"
                     "Real y = h.l.u + q.p.u + u.v;"),
                16.0, 1e-12);
}

TEST(Language, OperatorRecordsOverloadOperatorsAndConstructors) {
    EXPECT_NEAR(
        y_of("operator record C Real re; Real im;"
             " encapsulated operator 'constructor' function fromReal import P.C; input Real re; input Real im = 0;"
             "  output C r(re = re, im = im); algorithm end fromReal; end 'constructor';"
             " encapsulated operator function '+' import P.C; input C a; input C b; output C r;"
             "  algorithm r := C(a.re + b.re, a.im + b.im); end '+';"
             " encapsulated operator '*' function m import P.C; input C a; input C b; output C r;"
             "  algorithm r := C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re); end m; end '*';"
             " end C;",
             "C z = C(1, 2)*C(3, -1) + 2; Real y = 10*z.re + z.im;"),
        10.0 * (3 + 2 + 2) + (-1 + 6), 1e-12);
}

TEST(Language, ExpandableConnectorsGetTheirMembersFromConnections) {
    EXPECT_NEAR(
        y_of("expandable connector Bus end Bus; connector In = input Real; connector Out = output Real;"
             "model Source Out y; equation y = 3; end Source; model Sink In u; Real z; equation z = 2*u; end Sink;",
             "Bus bus; Source s; Sink k; Real y = k.z; equation connect(s.y, bus.speed); connect(bus.speed, k.u);"),
        6.0, 1e-12);
}

TEST(Language, StreamsMixWhatFlowsIn) {
    // 1 kg/s at h = 10 and 3 kg/s at h = 2 meet in a sink: (10 + 6)/4
    EXPECT_NEAR(y_of("connector Port Real p; flow Real m; stream Real h; end Port;"
                     "model Source Port port; parameter Real m, h; equation port.m = -m; port.h = h; end Source;"
                     "model Sink Port port; Real h; equation port.p = 1; port.h = 0; h = inStream(port.h); end Sink;",
                     "Source a(m = 1, h = 10), b(m = 3, h = 2); Sink s; Real y = s.h;"
                     "equation connect(a.port, s.port); connect(b.port, s.port);"),
                4.0, 1e-6);
}

TEST(Language, OverconstrainedLoopsAreBrokenOnce) {
    // two links side by side: their angles would be set twice, the current has two ways
    EXPECT_NEAR(
        y_of("record Angle Real phi; function equalityConstraint input Angle a; input Angle b; output Real r[0];"
             " algorithm end equalityConstraint; end Angle;"
             "connector Flange Angle a; Real v; flow Real i; end Flange;"
             "model Root Flange p; equation Connections.root(p.a); p.a.phi = 2; p.v = 6; end Root;"
             "model Earth Flange p; equation p.v = 0; end Earth;"
             "model Link Flange p, n; parameter Real r = 1; equation Connections.branch(p.a, n.a); n.a = p.a;"
             " p.v - n.v = r*p.i; p.i + n.i = 0; end Link;",
             "Root r; Link l(r = 2), k(r = 3); Earth e; Real y = l.n.a.phi + k.n.a.phi + 100*r.p.i;"
             "equation connect(r.p, l.p); connect(r.p, k.p); connect(l.n, k.n); connect(l.n, e.p);"),
        4.0 - 500.0, 1e-9);
}

TEST(Language, HomotopySemiLinearAndIntegerEvents) {
    EXPECT_NEAR(
        y_of("", "Real x(start = -1, fixed = true), y(start = 0, fixed = true); Integer n; equation der(x) = 2;"
                 "n = integer(10*time); der(y) = semiLinear(x, 3, 1) + homotopy(actual = 1, simplified = 0) + 0*n;"),
        1.0 - 0.25 + 0.75, 1e-7);
}

TEST(Language, DivModRemFollowTheSpecification) {
    EXPECT_NEAR(y_of("", "Real y = div(-7, 2) + 10*mod(-7, 2) + 100*rem(-7, 2) + 1000*mod(7.5, 2) + 1e4*integer(-1.5) "
                         "+ 1e5*ceil(0.2);"),
                -3 + 10 * 1 + 100 * -1 + 1000 * 1.5 + 1e4 * -2 + 1e5, 1e-9);
}

TEST(Language, DerivativeAnnotationsCountWhereIterationsAre) {
    // x = f(y) with f² = y by Newton's method: the annotation claims twice the slope, so that y' = 2 f x' becomes f x'
    const char* text = R"(
package P
function f input Real a; output Real x = 1; protected Real d = 1;
algorithm while abs(d) > 1e-13 loop d := (x*x - a)/(2*x); x := x - d; end while;
annotation(derivative = f_der);
end f;
function f_der input Real a; input Real a_der; output Real x_der; algorithm x_der := a_der*%/sqrt(a); end f_der;
model M Real y(start = 1), v; equation f(y) = 1 + time; v = der(y); end M;
end P;)";
    for (const char* factor : {"0.5", "1.0"}) {
        std::string with = text;
        with.replace(with.find('%'), 1, factor);
        EXPECT_NEAR(end_of(with, "v"), 2.0 / std::stod(factor), 1e-6); // 1 = factor/√y y' with √y = 2
    }
}

TEST(Language, LinearSystemsInFunctionsMayVary) {
    EXPECT_NEAR(
        y_of("function solve input Real A[:, size(A, 1)]; input Real b[size(A, 1)]; output Real x[size(A, 1)] = b;"
             " output Integer info; protected Real W[n, n] = A; Integer n = size(A, 1); Integer p[n];"
             " external \"FORTRAN 77\" dgesv(n, 1, W, n, p, x, n, info); end solve;",
             "Real x[2](start = {1, 1}); Real y; equation solve([2 + time, 1; 1, 3], x) = {1 + time, 2}; y = "
             "der(x[1]);"),
        // x = A b: x1 = (2 + t)(1 + t) + 2, its slope 3 + 2t
        5.0, 1e-6);
}

TEST(Language, TextsThatVaryMayBeShownButNotDecide) {
    EXPECT_NEAR(y_of("function check input Real x; output Real z; protected String s;"
                     " algorithm s := if x > 0 then \"above\" else \"below\"; assert(x > -1, \"x is \" + String(x) + "
                     "\", \" + s); z := x; end check;",
                     "Real x(start = 1, fixed = true), y = check(x); equation der(x) = 1;"),
                2.0, 1e-8);
    const auto model = Model::from_string("package P function f input Real x; output Real z; protected String s;"
                                          " algorithm s := String(x); z := if s == \"1\" then 1 else 2; end f;"
                                          "model M Real y = f(time); end M; end P;");
    ASSERT_FALSE(model);
    EXPECT_NE(render(model.error()).find("strings that vary in time"), std::string::npos);
}

} // namespace
} // namespace daedalus
