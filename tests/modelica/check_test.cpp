// Counts of unknowns and equations, class by class, and one style of text.
#include <daedalus/daedalus.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace daedalus;
using testing::HasSubstr;

namespace {

const std::string electric = R"(
package E
  connector Pin Real v; flow Real i; end Pin;
  connector In = input Real; connector Out = output Real;
  partial model Two Pin p, n; Real u = p.v - n.v; equation p.i + n.i = 0; end Two;
  model R extends Two; parameter Real R = 1; equation u = R*p.i; end R;
  model Broken extends Two; end Broken;
  model Twice extends Two; equation u = p.i; u = 2*p.i; end Twice;
  model Source extends Two; In e; equation u = e; end Source;
  model Ground Pin p; equation p.v = 0; end Ground;
  block Wave Out y = sin(time); end Wave;
  block Pulse Boolean b = time > 0.5; Integer n(start = 0); Out y = if b then n else 0;
    equation when b then n = pre(n) + 1; end when; end Pulse;
)";

ModelCheck check(const std::string& model) { return check_text(electric + model + "end E;", "m.mo"); }

const ClassCount* count(const ModelCheck& found, const std::string& name) {
    for (const ClassCount& c : found.classes)
        if (c.class_name == name) return &c;
    return nullptr;
}

std::string formatted(const std::string& text) {
    const auto made = format_modelica(text);
    return made ? *made : render(made.error());
}

} // namespace

TEST(Check, CountsClassesOfABalancedModel) {
    const ModelCheck found = check(R"(
  model M R r[2]; Source s; Wave w; Pulse q; Ground g; Real x(start = 0, fixed = true);
  equation connect(s.p, r[1].p); connect(r[1].n, r[2].p); connect(r[2].n, g.p); connect(s.n, g.p); connect(w.y, s.e);
    der(x) = q.y; end M;
)");
    EXPECT_TRUE(found.passed()) << render(found.diagnostics);
    EXPECT_EQ(found.unknowns, found.equations);
    for (const ClassCount& c : found.classes) EXPECT_EQ(c.unknowns, c.equations) << c.class_name;
    // By hand: 4 variables of the pins and u; 2 flows given from outside, u = p.v - n.v, p.i + n.i = 0, u = R i.
    ASSERT_NE(count(found, "E.R"), nullptr);
    EXPECT_EQ(count(found, "E.R")->unknowns, 5);
    EXPECT_EQ(count(found, "E.R")->components, 2);
    EXPECT_EQ(count(found, "E.Pulse")->unknowns, 3);
    // x, 2 flows of each two-pin, one of the ground, and the input of the source.
    EXPECT_EQ(count(found, "E.M")->unknowns, 1 + 3 * 2 + 1 + 1);
}

TEST(Check, NamesTheClassThatLacksAnEquation) {
    const ModelCheck found = check("  model M Broken b; R r; Ground g; equation connect(b.p, r.p); connect(r.n, g.p); "
                                   "connect(b.n, g.p); end M;\n");
    EXPECT_FALSE(found.passed());
    EXPECT_THAT(render(found.diagnostics), HasSubstr("the class 'E.Broken' has 5 unknowns but 4 equations"));
    EXPECT_EQ(count(found, "E.M")->unknowns, count(found, "E.M")->equations);
}

TEST(Check, OneClassTooManyAndOneTooFewAreWarnings) {
    const ModelCheck found = check("  model M Broken b; Twice r; Ground g; equation connect(b.p, r.p); connect(r.n, "
                                   "g.p); connect(b.n, g.p); end M;\n");
    EXPECT_TRUE(found.passed());
    EXPECT_THAT(render(found.diagnostics), HasSubstr("warning: the class 'E.Twice' has 5 unknowns but 6 equations"));
    EXPECT_THAT(render(found.diagnostics), HasSubstr("'E.Broken'"));
}

TEST(Check, WhatIsNotConnectedDoesNotFlow) {
    EXPECT_TRUE(check("  model M R r, s; Ground g; equation connect(r.n, s.p); connect(s.n, g.p); end M;\n").passed());
}

TEST(Check, ReportsEverythingOfAModelThatCannotBeRead) {
    const ModelCheck found = check_text("model M Real x; equation der(x) = y; x = f(x); end M;", "m.mo");
    EXPECT_FALSE(found.passed());
    EXPECT_THAT(render(found.diagnostics), HasSubstr("'y' is not declared"));
    EXPECT_THAT(render(found.diagnostics), HasSubstr("there is no function 'f'"));
}

TEST(Format, IndentsAndSpacesByTheWords) {
    EXPECT_EQ(
        formatted("model M   \"a\"  // first\n Real x ( start=1 ) ;\n\n\n/* of\n   two */ parameter Real a=-1,b = 2 "
                  ";\nequation\n   if a>b then\nder( x )=-x*( a+b ) ^2;\nelse\n x=if a<0 then a else\n"
                  "b;  // last\n  end if ;\nfor i in 1 : 2 loop\nassert(x>-i,\"s  s\");\nend for;\nend M;"),
        R"(model M "a" // first
  Real x(start = 1);

  /* of
   two */ parameter Real a = -1, b = 2;
equation
  if a > b then
    der(x) = -x*(a + b)^2;
  else
    x = if a < 0 then a else
      b; // last
  end if;
  for i in 1:2 loop
    assert(x > -i, "s  s");
  end for;
end M;
)");
}

TEST(Format, KnowsShortAndNestedClasses) {
    EXPECT_EQ(formatted("package P\ntype L=Real(unit=\"m\");\nreplaceable package Q=P;\nencapsulated model A\n"
                        "extends B(redeclare model C=D);\nfunction f=g;\nprotected\nReal x;\nend A;\nmodel extends E\n"
                        "Real z[:,2]={{1,2}};\nend E;\nend P;\n"),
              R"(package P
  type L = Real(unit = "m");
  replaceable package Q = P;
  encapsulated model A
    extends B(redeclare model C = D);
    function f = g;
  protected
    Real x;
  end A;
  model extends E
    Real z[:, 2] = {{1, 2}};
  end E;
end P;
)");
}

TEST(Format, IsStableAndKeepsWords) {
    int count = 0;
    for (const char* const folder : {"examples", "tests/golden/broken"})
        for (const auto& entry : std::filesystem::directory_iterator(std::string(DAEDALUS_SOURCE_DIR "/") + folder)) {
            if (entry.path().extension() != ".mo") continue;
            std::ifstream in(entry.path());
            std::stringstream text;
            text << in.rdbuf();
            const auto once = format_modelica(text.str());
            if (!once) continue; // broken on purpose
            EXPECT_EQ(formatted(*once), *once) << entry.path();
            ++count;
        }
    EXPECT_GT(count, 30);
}
