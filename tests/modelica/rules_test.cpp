// What the language forbids is refused with the place of it, and what lies just beside it is not. Each pair differs in
// what the rule is about.
#include "reading.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace daedalus::modelica {
namespace {

struct Rule {
    const char* name;
    const char* code;
    const char* says; ///< in the message
    const char* broken;
    const char* right;
};

std::ostream& operator<<(std::ostream& out, const Rule& rule) { return out << rule.name; }

class Rules : public ::testing::TestWithParam<Rule> {};

TEST_P(Rules, BrokenIsRefusedAndItsNeighbourIsNot) {
    const Rule& rule = GetParam();
    const auto broken = read_text(rule.broken);
    ASSERT_FALSE(broken) << "accepted: " << rule.broken;
    const auto found = std::find_if(broken.error().begin(), broken.error().end(),
                                    [&](const Diagnostic& d) { return d.code == rule.code; });
    ASSERT_NE(found, broken.error().end()) << render(broken.error());
    EXPECT_NE(found->message.find(rule.says), std::string::npos) << found->message;
    EXPECT_TRUE(found->where.has_value());
    const auto right = read_text(rule.right);
    EXPECT_TRUE(right) << render(right.error()) << rule.right;
}

const Rule rules[] = {
    {"RecordsHaveNoEquations", "specialized-class", "'R' has equations",
     "model M record R Real x; equation x = 1; end R; R r; end M;",
     "model M record R Real x; end R; R r(x = 1); end M;"},
    {"RecordsHideNothing", "specialized-class", "protected",
     "model M record R Real x = 1; protected Real y = 2; end R; R r; end M;",
     "model M record R Real x = 1; Real y = 2; end R; R r; end M;"},
    {"ConnectorsHaveNoEquations", "specialized-class", "'C' has equations",
     "model M connector C Real e; flow Real f; equation e = 1; end C; C c; end M;",
     "model M connector C Real e; flow Real f; end C; C c(e = 1); end M;"},
    {"ConnectorsHaveNoOuterVariables", "specialized-class", "outer",
     "model M connector C outer Real e; flow Real f; end C; inner Real e = 1; C c; end M;",
     "model M connector C Real e; flow Real f; end C; inner Real e = 1; C c(e = e); end M;"},
    {"ConnectorsAreBalanced", "unbalanced-connector", "1 flow variables and 2 others",
     "model M connector C Real e = 1; Real d = 2; flow Real f; end C; model A C c; end A; A a; end M;",
     "model M connector C Real e = 1; input Real d = 2; flow Real f; end C; model A C c; end A; A a; end M;"},
    {"StreamsNeedAFlow", "stream", "one flow variable",
     "model M connector S Real p; flow Real f[2]; stream Real s; end S; S s(p = 1, s = 2); end M;",
     "model M connector S Real p; flow Real f; stream Real s; end S; S s(p = 1, s = 2); end M;"},
    {"StreamsAreAskedFor", "stream", "'c' is no stream variable",
     "model M connector C flow Real f; Real e; end C; C c; Real i = inStream(c); end M;",
     "model M connector C flow Real f; Real e; stream Real s; end C; C c(e = 1, s = 2); Real i = inStream(c.s); end "
     "M;"},
    {"PackagesHoldConstants", "specialized-class", "no constant",
     "model M package P parameter Real p = 1; end P; Real x = P.p; end M;",
     "model M package P constant Real p = 1; end P; Real x = P.p; end M;"},
    {"InputsOfFunctionsAreNotSet", "assigned-input", "'a' is an input",
     "model M function f input Real a; output Real b; algorithm a := 1; b := a; end f; Real x = f(2); end M;",
     "model M function f input Real a; output Real b; algorithm b := 1; b := a + b; end f; Real x = f(2); end M;"},
    {"LocalsOfFunctionsAreProtected", "specialized-class", "neither input nor output",
     "model M function f input Real a; output Real b; Real c; algorithm c := a; b := c; end f; Real x = f(2); end M;",
     "model M function f input Real a; output Real b; protected Real c; algorithm c := a; b := c; end f; Real x = "
     "f(2); "
     "end M;"},
    {"FunctionsHaveOneAlgorithm", "specialized-class", "more than one algorithm",
     "model M function f input Real a; output Real b; algorithm b := a; algorithm b := 2*a; end f; Real x = f(2); end "
     "M;",
     "model M function f input Real a; output Real b; algorithm b := a; b := 2*a; end f; Real x = f(2); end M;"},
    {"PartialFunctionsAreNotCalled", "partial-class", "'f' is partial",
     "model M partial function f input Real a; output Real b; algorithm b := a; end f; Real x = f(2); end M;",
     "model M partial function p input Real a; output Real b; end p; function f extends p; algorithm b := a; end f; "
     "Real x = f(2); end M;"},
    {"FunctionsKnowNoTime", "time", "'time' cannot be used in a function",
     "model M function f output Real b; algorithm b := time; end f; Real x = f(); end M;",
     "model M function f input Real t; output Real b; algorithm b := t; end f; Real x = f(time); end M;"},
    {"BreakLeavesALoop", "misplaced-statement", "'break'", "model M Real x; algorithm x := 1; break; end M;",
     "model M Real x; algorithm x := 0; for i in 1:3 loop x := x + 1; break; end for; end M;"},
    {"EnumerationsHaveEachValueOnce", "declared-twice", "'two' twice",
     "model M type E = enumeration(one, two, two); E e = E.one; end M;",
     "model M type E = enumeration(one, two, three); E e = E.one; end M;"},
    {"EnumerationsDiffer", "type", "of the enumeration 'E'",
     "model M type E = enumeration(a, b); type F = enumeration(a, b, c); parameter E e = F.a; end M;",
     "model M type E = enumeration(a, b); type F = enumeration(a, b); parameter E e = F.a; end M;"},
    {"PredefinedTypesAreNotDeclared", "reserved-name", "'Integer' is a predefined type",
     "model M Real Integer = 1; end M;", "model M Real integer_ = 1; end M;"},
    {"NothingIsModifiedTwice", "modified-twice", "'x' is modified twice",
     "model M model A parameter Real x = 1; end A; A a(x = 1, x = 2); end M;",
     "model M model A parameter Real x = 1, y = 2; end A; A a(x = 1, y = 2); end M;"},
    {"ModelsDoNotInheritFromFunctions", "inheritance", "the function 'F'",
     "model M function F input Real x = 1; output Real y = x; end F; model D extends F; end D; D d; end M;",
     "model M record F Real x = 1; Real y = x; end F; model D extends F; end D; D d; end M;"},
    {"BlocksDoNotInheritFromModels", "inheritance", "the model 'F'",
     "model M model F Real x = 1; end F; block D extends F; end D; D d; end M;",
     "model M block F output Real x = 1; end F; block D extends F; end D; D d; end M;"},
    {"BaseClassesAreNotReplaceable", "inheritance", "replaceable class 'A'",
     "model M replaceable model A Real x = 2; end A; extends A; end M;",
     "model M model A Real x = 2; end A; extends A; end M;"},
    {"BaseClassesDoNotSeeWhatInheritsThem", "unknown-identifier", "'y' is not declared",
     "model M model B Real x = y; end B; model D Real y = 2; extends B; end D; D d; end M;",
     "model M model B Real y; Real x = y; end B; model D extends B(y = 2); end D; D d; end M;"},
    {"InheritedAlongTwoWaysIsSeenByBoth", "unknown-identifier", "'z' is not declared",
     "model M model A parameter Real y = 1; end A; model B extends A; Real u = y; end B; model C extends A; Real v = y "
     "+ "
     "z; end C; model D extends B; extends C; Real z = 2; end D; D d; end M;",
     "model M model A parameter Real y = 1; end A; model B extends A; Real u = y; end B; model C extends A; Real v = "
     "2*y; "
     "end C; model D extends B; extends C; end D; D d; end M;"},
    {"InheritedTwiceIsTheSame", "declared-twice", "'x' is inherited",
     "model M model B Real x = 2; end B; Integer x = 1; extends B; end M;",
     "model M model B Real x = 2; end B; Real x = 2; extends B; end M;"},
    {"FinalIsNotModified", "final", "'b' of 't' is final",
     "model M model T parameter Real b = 1; end T; model P T t(final b = 3); end P; P p(t(b = 4)); end M;",
     "model M model T parameter Real b = 1; end T; model P T t(b = 3); end P; P p(t(b = 4)); end M;"},
    {"FinalComponentsAreNotModified", "final", "'n' is declared final",
     "model M record R final parameter Integer n = 1; end R; R r(n = 3); end M;",
     "model M record R parameter Integer n = 1; end R; R r(n = 3); end M;"},
    {"FinalUnitsAreNotModified", "final", "'unit' of 'a' is final",
     "model M type Angle = Real(final unit = \"rad\"); Angle a(unit = \"deg\") = 1; end M;",
     "model M type Angle = Real(final unit = \"rad\"); Angle a(displayUnit = \"deg\") = 1; end M;"},
    {"ProtectedIsNotSeen", "protected", "'x' is protected in 'a'",
     "model M model A protected Real x = 1; end A; A a; Real y = a.x; end M;",
     "model M model A Real x = 1; end A; A a; Real y = a.x; end M;"},
    {"ProtectedExtendsHides", "protected", "'x' is protected",
     "model M model A Real x = 2; end A; model B protected extends A; end B; B b; Real y = b.x; end M;",
     "model M model A Real x = 2; end A; model B extends A; end B; B b; Real y = b.x; end M;"},
    {"ProtectedIsNotModified", "protected", "'x' is protected in 'A'",
     "model M model A protected parameter Real x = 1; end A; A a(x = 2); end M;",
     "model M model A protected parameter Real x = 1; end A; model B extends A(x = 2); end B; B b; end M;"},
    {"OnlyReplaceableIsRedeclared", "redeclare", "'C' is not replaceable",
     "model M model A model C Real x = 1; end C; C c; end A; model D Real x = 2; end D; A a(redeclare model C = D); "
     "end M;",
     "model M model A replaceable model C Real x = 1; end C; C c; end A; model D Real x = 2; end D; A a(redeclare "
     "model C "
     "= D); end M;"},
    {"RedeclaredOnceIsFixed", "redeclare", "redeclared already",
     "model M model A Real x = 1; end A; model B Real x = 2; end B; model C replaceable A m; end C; model D extends "
     "C(redeclare A m); end D; D d(redeclare B m); end M;",
     "model M model A Real x = 1; end A; model B Real x = 2; end B; model C replaceable A m; end C; model D extends "
     "C(redeclare replaceable A m); end D; D d(redeclare B m); end M;"},
    {"ConstraintsHold", "constraint", "missing: 'y'",
     "model M model A Real x = 1; end A; model B Real x = 2, y = 3; end B; model C replaceable model D = B; D d; end "
     "C; "
     "C c(redeclare model D = A); end M;",
     "model M model A Real x = 1; end A; model B Real x = 2, y = 3; end B; model C replaceable model D = B "
     "constrainedby "
     "A; D d; end C; C c(redeclare model D = A); end M;"},
    {"OuterIsNotModified", "outer", "cannot be modified",
     "model M model A outer parameter Real p = 2; end A; inner parameter Real p = 1; A a; end M;",
     "model M model A outer parameter Real p; end A; inner parameter Real p = 1; A a; end M;"},
    {"OuterHasTheTypeOfInner", "outer", "the kind of variable",
     "model M inner Real t = 1; model B outer Integer t; end B; B b; end M;",
     "model M inner Real t = 1; model B outer Real t; end B; B b; end M;"},
    {"OuterHasTheSizeOfInner", "outer", "has the size",
     "model M inner Real t[3] = {1, 2, 3}; model B outer Real t[2]; end B; B b; end M;",
     "model M inner Real t[3] = {1, 2, 3}; model B outer Real t[3]; end B; B b; end M;"},
    {"ClassesSeeConstantsAroundThem", "scope", "'x' is declared in a class around",
     "model M Real x = 4; model A Real y = x; end A; A a; end M;",
     "model M constant Real x = 4; model A Real y = x; end A; A a; end M;"},
    {"ConditionalComponentsAreConnected", "conditional-component", "'x' has a condition",
     "model M Real x = 2 if true; Real y = x; end M;", "model M Real x = 2 if true; Real y = 2; end M;"},
    {"ModelsAreNoParameters", "prefix", "'a' is of a model", "model M model A Real x = 1; end A; parameter A a; end M;",
     "model M model A Real x = 1; end A; A a; end M;"},
    {"InputsOfInputs", "prefix", "its part 'x'", "model M connector C input Real x; end C; input C c(x = 1); end M;",
     "model M connector C Real x; end C; input C c(x = 1); end M;"},
    {"ConstantsDependOnConstants", "variability", "depends on a parameter",
     "model M parameter Real x = 6; constant Real y = x; end M;",
     "model M constant Real x = 6; constant Real y = x; end M;"},
    {"ParametersDoNotDependOnDiscreteVariables", "variability", "depends on a discrete variable",
     "model M model A discrete Real x; parameter Real y = x; equation when sample(0.1, 0.1) then x = time; end when; "
     "end A; "
     "A a; Real z = a.y; end M;",
     "model M model A discrete Real x; Real y = x; equation when sample(0.1, 0.1) then x = time; end when; end A; A a; "
     "Real "
     "z = a.y; end M;"},
    {"ConnectorsAreConnected", "connect", "'x' is not a connector",
     "model M Real x = 1, y; equation connect(x, y); end M;",
     "model M connector R = Real; R x = 1, y; equation connect(x, y); end M;"},
    {"ConnectionsReachOneLevel", "connect", "a component of a component",
     "model M connector C Real e; flow Real f; end C; model B C p, q; end B; model A B b; end A; A a; equation "
     "connect(a.b.p, a.b.q); a.b.p.e = 1; a.b.p.f = 2; end M;",
     "model M connector C Real e; flow Real f; end C; model B C p, q; end B; B b; equation connect(b.p, b.q); b.p.e = "
     "1; "
     "b.p.f = 2; end M;"},
    {"ConnectedParametersAreEqual", "connect", "different values",
     "model M connector C Real e; flow Real f; parameter Real c; end C; model A C p(c = 1), q(c = 2); end A; A a; "
     "equation "
     "connect(a.p, a.q); a.p.e = 1; a.p.f = 3; end M;",
     "model M connector C Real e; flow Real f; parameter Real c; end C; model A C p(c = 2), q(c = 2); end A; A a; "
     "equation "
     "connect(a.p, a.q); a.p.e = 1; a.p.f = 3; end M;"},
    {"SignalsHaveOneSource", "connect-sources", "two sources",
     "model M connector O = output Real; connector I = input Real; block S O y = 1; end S; block U I u; end U; S a, b; "
     "U u; "
     "equation connect(a.y, u.u); connect(b.y, u.u); end M;",
     "model M connector O = output Real; connector I = input Real; block S O y = 1; end S; block U I u; end U; S a; U "
     "u, v; "
     "equation connect(a.y, u.u); connect(a.y, v.u); end M;"},
    {"ImportsComeFromPackages", "import", "imports come from packages",
     "package T model P constant Real c = 1; end P; model M import T.P.c; Real x = c; end M; end T;",
     "package T package P constant Real c = 1; end P; model M import T.P.c; Real x = c; end M; end T;"},
    {"ImportsAreNotAmbiguous", "import", "in two packages",
     "package T package P constant Real c = 1; end P; package Q constant Real c = 2; end Q; model M import T.P.*; "
     "import "
     "T.Q.*; Real x = c; end M; end T;",
     "package T package P constant Real c = 1; end P; package Q constant Real d = 2; end Q; model M import T.P.*; "
     "import "
     "T.Q.*; Real x = c; end M; end T;"},
};

INSTANTIATE_TEST_SUITE_P(Language, Rules, ::testing::ValuesIn(rules),
                         [](const auto& instance) { return std::string(instance.param.name); });

} // namespace
} // namespace daedalus::modelica
