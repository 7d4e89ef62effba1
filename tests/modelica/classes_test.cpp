// The class language, feature by feature: what becomes of small models with classes, compared with the same model
// written flat, or with numbers that follow by hand.
#include "expr/evaluate.hpp"
#include "reading.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

namespace daedalus::modelica {
namespace {

/// The right side of the equation whose left side is this variable, if it is a number.
double value_of(const std::string& text, const std::string& name) {
    const auto m = read_text(text);
    if (!m) {
        ADD_FAILURE() << render(m.error());
        return NAN;
    }
    for (const model::Equation& e : m->equations)
        if (m->text(e.left) == name && m->graph->is_constant(e.right)) return m->graph->constant_value(e.right);
    ADD_FAILURE() << "no value of " << name << " in: " << equations_of(text);
    return NAN;
}

const char* circuit = R"(
package P
  connector Pin Real v; flow Real i; end Pin;
  partial model TwoPin Pin p, n; Real v, i; equation v = p.v - n.v; 0 = p.i + n.i; i = p.i; end TwoPin;
  model Resistor extends TwoPin; parameter Real R = 1; equation v = R*i; end Resistor;
  model Capacitor extends TwoPin; parameter Real C = 1; equation C*der(v) = i; end Capacitor;
  model Ground Pin p; equation p.v = 0; end Ground;
  model Loop
    Resistor r[2](R = {1, 2});
    Capacitor c(C = 0.5, v(start = 1, fixed = true));
    Ground g;
  equation
    connect(c.p, r[1].p); connect(r[1].n, r[2].p); connect(r[2].n, c.n); connect(g.p, c.n);
  end Loop;
end P;)";

TEST(Classes, ConnectionsAreSquare) {
    const auto m = read_text(circuit, {.model = "P.Loop", .libraries = {}});
    ASSERT_TRUE(m) << render(m.error());
    EXPECT_EQ(m->variables.size(), m->equations.size());
    EXPECT_TRUE(m->find_variable("r[2].p.v").has_value());
    const model::Variable& v = m->variables[static_cast<std::size_t>(*m->find_variable("c.v"))];
    EXPECT_TRUE(v.fixed);
    EXPECT_EQ(m->graph->constant_value(v.start), 1.0);
}

TEST(Classes, FlowOfOutsideConnectorsHasTheOtherSign) {
    const std::string eq = equations_of("connector Pin Real v; flow Real i; end Pin;"
                                        "model Inner Pin p; equation p.v = 2; end Inner;"
                                        "model Outer Pin p; Inner a; equation connect(p, a.p); end Outer;"
                                        "model M Outer o; end M;");
    EXPECT_NE(eq.find("o.a.p.i - o.p.i = 0"), std::string::npos) << eq;
    EXPECT_NE(eq.find("o.p.i = 0"), std::string::npos) << eq; // nothing is connected outside
}

TEST(Classes, ModificationsOfTheOuterLevelWin) {
    const std::string text = "model A parameter Real k = 1; Real y = k; end A;"
                             "model B extends A(k = 2); end B;"
                             "model M B b; B c(k = 3); end M;";
    EXPECT_EQ(value_of(text, "b.y"), 2.0);
    EXPECT_EQ(value_of(text, "c.y"), 3.0);
}

TEST(Classes, RedeclaredComponentsAndPackages) {
    const std::string text = R"(
package P
  partial package Medium constant Real d; function f input Real x; output Real y; algorithm y := d*x; end f; end Medium;
  package Water extends Medium(d = 1000); end Water;
  package Air extends Medium(d = 1.2); end Air;
  model Tank replaceable package M = Water constrainedby Medium; Real m = M.f(2); end Tank;
  model M Tank a; Tank b(redeclare package M = Air); end M;
end P;)";
    EXPECT_EQ(value_of(text, "a.m"), 2000.0);
    EXPECT_EQ(value_of(text, "b.m"), 2.4);
}

// Assertions that only warn: said where they are known not to hold, once for all instances.
TEST(Classes, AssertionsThatWarn) {
    const auto model = read_text("package P function f input Real x; output Real y; algorithm y := 2*x; end f; "
                                 "model A parameter Real k = 1; "
                                 "equation assert(f(k) < 3, \"k is large\", AssertionLevel.warning); end A; "
                                 "model M A a; A b(k = 2); A c(k = 4); end M; end P;");
    ASSERT_TRUE(model) << render(model.error());
    ASSERT_EQ(model->warnings.size(), 1U) << render(model->warnings);
    EXPECT_EQ(model->warnings[0].severity, Severity::warning);
    EXPECT_NE(model->warnings[0].message.find("k is large"), std::string::npos);
}

TEST(Classes, RedeclaredArraysKeepTheirSizes) {
    const std::string text = "package P record C parameter Real a = 1; end C; record D extends C(a = 2); end D;"
                             "record S parameter Integer n = 2; parameter C x; "
                             "replaceable parameter C c[n] = {x for i in 1:n}; end S;"
                             "record U extends S(n = 4, redeclare D c[3] = fill(D(), 3)); end U;"
                             "model M parameter S t(redeclare C c, x(a = 5), n = 3); Real y = sum(t.c.a); "
                             "parameter U u; Real z = size(u.c, 1); end M; end P;";
    EXPECT_EQ(value_of(text, "y"), 15.0);
    EXPECT_EQ(value_of(text, "z"), 3.0);
}

TEST(Classes, FunctionsRunLoopsAndBranches) {
    const std::string text = R"(
package P
  function power input Real x; input Integer n; output Real y = 1; algorithm for i in 1:n loop y := y*x; end for; end power;
  function first input Real v[:]; input Real limit; output Integer k = 0;
  algorithm
    for i in 1:size(v, 1) loop if v[i] > limit then k := i; break; end if; end for;
  end first;
  function factorial input Integer n; output Integer f; algorithm f := if n <= 1 then 1 else n*factorial(n - 1); end factorial;
  model M Real a = power(2, 10); Real b = first({1, 5, 7}, 4); Real c = factorial(5); end M;
end P;)";
    EXPECT_EQ(value_of(text, "a"), 1024.0);
    EXPECT_EQ(value_of(text, "b"), 2.0);
    EXPECT_EQ(value_of(text, "c"), 120.0);
}

// A return and a break under a condition that is not known before: the value of the expression says where it went.
TEST(Classes, FunctionsOfVariablesBecomeExpressions) {
    const auto m = read_text(R"(
package P
  function clip input Real x; output Real y; algorithm y := x; if x < 0 then y := 0; return; end if; y := 2*y; end clip;
  model M Real x(start = 1, fixed = true); equation der(x) = clip(x); end M;
end P;)");
    ASSERT_TRUE(m) << render(m.error());
    for (const model::Equation& e : m->equations) {
        for (const double x : {-3.0, -0.5, 0.5, 4.0})
            EXPECT_EQ(expr::evaluate(*m->graph, e.right, [&](expr::NodeId) { return x; }), x < 0 ? 0.0 : 2 * x);
    }
}

TEST(Classes, ArraysAndTheirFunctions) {
    const std::string text =
        "model M parameter Real A[2, 2] = [1, 2; 3, 4]; Real a = sum(A*{1, 1}); Real b = A[end, 1];"
        "Real c = product(linspace(1, 3, 3)); Real d[2] = cross({1, 0, 0}, {0, 1, 0})[2:3];"
        "Real e = sum(i*j for i in 1:2, j in 1:3); Real f = size(transpose([1, 2, 3]), 1);"
        "Real g = max({1, 7, 3}); end M;";
    // cross(…)[2:3] is not Modelica before 3.6: without it
    std::string plain = text;
    plain.replace(plain.find("cross({1, 0, 0}, {0, 1, 0})[2:3]"), 32, "{skew({1, 2, 3})[1, 2], 1}");
    plain.replace(plain.find("{skew({1, 2, 3})[1, 2], 1}"), 26, "{scalar({5}), 1}");
    EXPECT_EQ(value_of(plain, "a"), 10.0);
    EXPECT_EQ(value_of(plain, "b"), 3.0);
    EXPECT_EQ(value_of(plain, "c"), 6.0);
    EXPECT_EQ(value_of(plain, "d[1]"), 5.0);
    EXPECT_EQ(value_of(plain, "e"), 18.0);
    EXPECT_EQ(value_of(plain, "f"), 3.0);
    EXPECT_EQ(value_of(plain, "g"), 7.0);
}

TEST(Classes, OperatorRecords) {
    const std::string text = R"(
package P
  operator record C Real re; Real im;
    encapsulated operator function '*' import P.C; input C a; input C b; output C c;
      algorithm c := C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re); end '*';
  end C;
  model M C z = C(1, 2)*C(3, 4); end M;
end P;)";
    EXPECT_EQ(value_of(text, "z.re"), -5.0);
    EXPECT_EQ(value_of(text, "z.im"), 10.0);
}

TEST(Classes, InnerOuterAndConditionalComponents) {
    const std::string text =
        "model W parameter Real g = 9; end W;"
        "model B outer W world; parameter Boolean on = false; Real y = world.g; Real z = 4 if on; end B;"
        "model M inner W world(g = 3); B b; end M;";
    EXPECT_EQ(value_of(text, "b.y"), 3.0);
    EXPECT_EQ(equations_of(text).find("b.z"), std::string::npos);
}

TEST(Classes, HostileTextsAreRefusedInBoundedMemory) {
    EXPECT_NE(messages("model M Real x[1000000000]; equation x = x; end M;").find("more than 4,000,000 elements"),
              std::string::npos);
    EXPECT_NE(messages("model A extends A; end A; model M A a; end M;").find("inherits from itself"),
              std::string::npos);
    EXPECT_NE(messages("model A A a; end A; model M A a; end M;").find("contains itself"), std::string::npos);
    EXPECT_NE(
        messages("function f input Real x; output Real y; algorithm y := f(x); end f; model M Real y = f(1); end M;")
            .find("deeper than"),
        std::string::npos);
    EXPECT_NE(messages("function f input Real x; output Real y; algorithm while true loop y := 1; end while; end f; "
                       "model M Real y = f(1); end M;")
                  .find("20,000,000 statements"),
              std::string::npos);
}

TEST(Classes, MessagesNameTheClassAndWhatWasMeant) {
    EXPECT_NE(messages("model A Real speed = 1; end A; model M A a(sped = 2); end M;").find("did you mean 'speed'?"),
              std::string::npos);
    EXPECT_NE(messages("model M Modelica.Blocks.Sources.Step s; end M;").find("--library names the folder"),
              std::string::npos);
    EXPECT_NE(messages("model M Real x = Foo.bar(1); end M;").find("there is no function"), std::string::npos);
    const std::string external = messages("package P function f input Real x; output Real y; external \"C\" y = "
                                          "foo(x); end f; model M Real x = f(1); end M; end P;");
    EXPECT_NE(external.find("not supported yet: the external function 'foo'"), std::string::npos) << external;
}

TEST(Classes, LibrariesAreFoldersOfPackages) {
    namespace fs = std::filesystem;
    const fs::path root = fs::temp_directory_path() / "daedalus_library_test";
    fs::create_directories(root / "Lib/Parts");
    std::ofstream(root / "Lib/package.mo") << "package Lib end Lib;";
    std::ofstream(root / "Lib/Parts/package.mo") << "within Lib; package Parts constant Real k = 7; end Parts;";
    std::ofstream(root / "Lib/Parts/Source.mo") << "within Lib.Parts; model Source Real y = k; end Source;";
    std::ofstream(root / "Lib/Test.mo")
        << "within Lib; model Test Parts.Source s; annotation(experiment(StopTime = 3)); end Test;";
    const auto m = read_modelica_class("Lib.Test", {.model = {}, .libraries = {root.string()}});
    ASSERT_TRUE(m) << render(m.error());
    EXPECT_EQ(m->equations.size(), 1U);
    EXPECT_EQ(m->experiment.stop_time, 3.0);
    const auto missing = read_modelica_class("Lib.Tst", {.model = {}, .libraries = {root.string()}});
    ASSERT_FALSE(missing);
    EXPECT_NE(render(missing.error()).find("there is no class 'Lib.Tst'"), std::string::npos);
    fs::remove_all(root);
}

} // namespace
} // namespace daedalus::modelica
