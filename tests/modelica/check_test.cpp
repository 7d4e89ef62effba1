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

TEST(Plot, NamesHaveDotsAndBrackets) {
    EXPECT_EQ(split_names("R1.i, x[1,2],'a, b' ,"), (std::vector<std::string>{"R1.i", "x[1,2]", "'a, b'"}));
    const auto model =
        Model::from_string("package P model A Real x[2] = {time, 2*time}; end A; model M A a; A bb; end M; "
                           "end P;",
                           "m.mo");
    ASSERT_TRUE(model) << render(model.error());
    EXPECT_TRUE(check_names(*model, {"a.x[1]", "bb.x[2]"}).empty());
    EXPECT_THAT(render(check_names(*model, {"a"})), HasSubstr("it has 'a.x[1]'"));
    EXPECT_THAT(render(check_names(*model, {"bb.y[2]"})), HasSubstr("did you mean 'bb.x[2]'?"));
}

// Time runs from 0 to 1: the curve of 2 t goes from the lower left to the upper right of its plot.
TEST(Plot, DrawsWhatWasAskedFor) {
    const auto model =
        Model::from_string("model M Real x = 2*time; Real y(start = 1, fixed = true); equation der(y) = -y; end "
                           "M;",
                           "m.mo");
    ASSERT_TRUE(model);
    SolveOptions options;
    options.until = 1.0;
    const auto s = solve(*model, options);
    ASSERT_TRUE(s);
    const std::string text = plot_text(*s, {"x"}, 60, 4);
    EXPECT_THAT(text, HasSubstr("  x\n"));
    EXPECT_EQ(text.find("  y\n"), std::string::npos);
    EXPECT_THAT(text, HasSubstr("2")); // the largest value
}

// Three hundred classes that each lack an equation: what is said fits on a screen.
TEST(Check, MessagesOfManyClassesAreFew) {
    std::string text = "package P\n";
    std::string parts;
    for (int k = 0; k < 300; ++k) {
        text +=
            "  model A" + std::to_string(k) + " Real x, y; equation x = y + time; end A" + std::to_string(k) + ";\n";
        parts += "    A" + std::to_string(k) + " a" + std::to_string(k) + ";\n";
    }
    text += "  model M\n" + parts + "  end M;\nend P;\n";
    const auto model = Model::from_string(text, "m.mo");
    ASSERT_TRUE(model);
    SolveOptions options;
    options.until = 1.0;
    const auto s = solve(*model, options);
    ASSERT_FALSE(s);
    const std::string said = render(s.error());
    EXPECT_THAT(said, HasSubstr("the class 'P.A0' has 2 unknowns but 1 equation"));
    EXPECT_LT(std::count(said.begin(), said.end(), '\n'), 60) << said;
}

// Far larger than their texts, or without end.
TEST(Check, WhatIsTooLargeIsRefusedSoon) {
    const auto refused = [](const std::string& text) { return render(check_text(text, "m.mo").diagnostics); };
    EXPECT_THAT(refused("model M Real x[1000000000]; end M;"), HasSubstr("more than 4,000,000 elements"));
    EXPECT_THAT(refused("model M Real x; equation for i in 1:1000000000 loop x = i; end for; end M;"),
                HasSubstr("more than 4,000,000 elements"));
    EXPECT_THAT(refused("package P model M M m[3]; Real x = 1; end M; end P;"),
                HasSubstr("the class 'M' contains itself"));
    std::string twice = "package P model A0 Real x = 1; end A0;\n";
    for (int k = 1; k <= 40; ++k) {
        const std::string before = "A" + std::to_string(k - 1), now = "A" + std::to_string(k);
        twice += "model " + now + " extends " + before + "; extends " + before + "; end " + now + ";\n";
    }
    EXPECT_THAT(refused(twice + "model M extends A40; end M; end P;"), HasSubstr("inherits more than 10,000 times"));
}
