// What small models become, feature by feature.
#include "reading.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

namespace daedalus::modelica {
namespace {

double start_of(const model::Model& m, const std::string& name) {
    return m.graph->constant_value(m.variables[static_cast<std::size_t>(*m.find_variable(name))].start);
}

TEST(Models, ExamplesAreSquare) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(DAEDALUS_SOURCE_DIR "/examples")) {
        if (entry.path().extension() != ".mo") continue;
        const auto m = read_modelica_file(entry.path().string());
        ASSERT_TRUE(m) << render(m.error());
        EXPECT_EQ(m->variables.size(), m->equations.size()) << m->name;
        EXPECT_TRUE(m->warnings.empty()) << render(m->warnings);
        EXPECT_TRUE(m->experiment.stop_time.has_value()) << m->name;
        EXPECT_FALSE(m->description.empty());
        EXPECT_TRUE(model::parameter_values(*m).has_value());
        ++count;
    }
    EXPECT_GE(count, 7);
}

TEST(Models, PendulumAsWritten) {
    const auto m = read_modelica_file(DAEDALUS_SOURCE_DIR "/examples/pendulum.mo");
    ASSERT_TRUE(m) << render(m.error());
    EXPECT_EQ(m->name, "Pendulum");
    EXPECT_EQ(m->text(m->equations[3]), "m*der(v) = -lambda*y - m*g");
    EXPECT_EQ(m->equations[4].description, "the rod keeps its length");
    EXPECT_EQ(m->equations[4].span.locate().line_text, "  x^2 + y^2 = L^2 \"the rod keeps its length\";");
    EXPECT_EQ(m->variables[0].unit, "m");
    EXPECT_EQ(start_of(*m, "x"), 1.0);
    EXPECT_TRUE(m->variables[1].fixed);
    EXPECT_EQ(m->experiment.stop_time, 10.0);
    EXPECT_EQ(m->experiment.tolerance, 1e-6);
}

TEST(Models, AttributesAndTypes) {
    const auto m = read_text(R"(
package SI
  type Length = Real(unit = "m", min = 0);
end SI;
model M "about"
  type Height = SI.Length(nominal = 10, start = 2);
  parameter Real k = 3;
  final parameter Real twice(unit = "s") = 2*k "twice k";
  Height h(start = k + 1, max = 2*k, fixed = not false, stateSelect = StateSelect.prefer, displayUnit = "cm") "hi";
  Height other;
  Modelica.Units.SI.Velocity v;
equation
  der(h) = v; other = h; v = 1;
end M;)");
    ASSERT_TRUE(m) << render(m.error());
    EXPECT_EQ(m->description, "about");
    const model::Variable& h = m->variables[0];
    EXPECT_EQ(h.unit, "m");
    EXPECT_EQ(m->text(h.start), "k + 1");
    EXPECT_EQ(m->text(h.max), "2*k");
    EXPECT_EQ(m->text(h.min), "0");
    EXPECT_EQ(m->text(h.nominal), "10");
    EXPECT_TRUE(h.fixed);
    EXPECT_EQ(h.state_select, model::StateSelect::prefer);
    EXPECT_EQ(h.description, "hi");
    EXPECT_EQ(start_of(*m, "other"), 2.0);
    EXPECT_EQ(m->variables[2].unit, "m/s");
    EXPECT_TRUE(m->parameters[1].is_final);
    EXPECT_EQ(model::parameter_values(*m).value(), (std::vector{3.0, 6.0}));
}

TEST(Models, BindingEquationsInputsAndSections) {
    EXPECT_EQ(equations_of("model M input Real u = sin(time); output Real y; protected Real z = 2*u; public Real w; "
                           "equation y = z; equation w = y; end M;"),
              "u = sin(time); z = 2*u; y = z; w = y");
    const auto m = read_text("model M Real x; initial equation x = 3; equation der(x) = -x; end M;");
    ASSERT_TRUE(m) << render(m.error());
    ASSERT_EQ(m->initial_equations.size(), 1U);
    EXPECT_EQ(m->text(m->initial_equations[0]), "x = 3");
}

TEST(Models, Derivatives) {
    EXPECT_EQ(equations_of(around("Real x;", "der(der(x)) = -x;")), "der(x, 2) = -x");
    EXPECT_EQ(equations_of(around("Real x; Real y;", "der(x*y) = 1; y = time;")), "der(x)*y + x*der(y) = 1; y = time");
    EXPECT_EQ(equations_of(around("parameter Real m = 2; Real v;", "der(m*v) = 1;")), "m*der(v) = 1");
    EXPECT_EQ(equations_of(around("Real x;", "x = der(time^2);")), "x = 2*time");
}

TEST(Models, FunctionsAndConditions) {
    EXPECT_EQ(equations_of(around("Real x;", "x = noEvent(if time > 1 and not time > 2 then 1 else 2);")),
              "x = if time > 1 and not time > 2 then 1 else 2");
    EXPECT_EQ(equations_of(around("Real x;", "x = smooth(1, homotopy(actual = sin(x), simplified = x));")),
              "x = sin(x)");
    EXPECT_EQ(equations_of(around("Real x;", "x = homotopy(simplified = x, actual = cos(x));")), "x = cos(x)");
    EXPECT_EQ(equations_of(around("Real x;", "x = Modelica.Math.atan2(time, 2) + min(x, 1);")),
              "x = atan2(time, 2) + min(x, 1)");
    EXPECT_EQ(equations_of(around("Real x;", "x = semiLinear(time, 2, 3);")),
              "x = if time >= 0 then 2*time else 3*time");
}

TEST(Models, IntegerFunctionsRoundAsTheLanguageSays) {
    const auto value = [](const std::string& e) {
        const auto m = read_text("model M parameter Real p = " + e + "; Real x = p; end M;");
        return m ? model::parameter_values(*m).value()[0] : std::nan("");
    };
    EXPECT_EQ(value("mod(3, 1.4)"), 3 - 2 * 1.4);
    EXPECT_EQ(value("mod(-3, 1.5)"), 0.0);
    EXPECT_EQ(value("mod(-4, 3)"), 2.0);
    EXPECT_EQ(value("rem(-4, 3)"), -1.0);
    EXPECT_EQ(value("div(-7, 2)"), -3.0);
    EXPECT_EQ(value("integer(-2.5)"), -3.0);
    EXPECT_EQ(value("1/4"), 0.25) << "division of Integers is a Real";
    EXPECT_EQ(value("2^3"), 8.0);
    EXPECT_EQ(value("Modelica.Constants.pi"), std::acos(-1.0));
}

TEST(Models, Imports) {
    EXPECT_EQ(equations_of(around("import Modelica.Constants.pi; import C = Modelica.Constants; import Modelica.Math.*;"
                                  "import Modelica.Units.SI; SI.Length x;",
                                  "x = 0*pi + C.g_n + sin(time);")),
              "x = 9.80665 + sin(time)");
}

TEST(Models, ParametersChooseBranches) {
    const std::string declarations = "parameter Boolean big = n > 2; parameter Integer n = 3; Real x;";
    const std::string equations = "if big then x = 1; elseif n == 2 then x = 2; else x = 3; end if;";
    EXPECT_EQ(equations_of(around(declarations, equations)), "x = 1");
    const auto m = read_text(around(declarations, equations));
    ASSERT_TRUE(m);
    EXPECT_TRUE(m->parameters[0].is_constant && m->parameters[1].is_constant) << "decided, not changeable any more";
    EXPECT_EQ(equations_of(around("parameter Boolean a = false; Real x = 1;", "if a then x = 2; end if;")), "x = 1");
}

TEST(Models, BranchesInTimeBecomeConditionalExpressions) {
    EXPECT_EQ(equations_of(around("Real x; Real y;", "if time > 1 then x = 1; y = 2; else x = 3; x = y; end if;")),
              "x = if time > 1 then 1 else 3; 0 = if time > 1 then y - 2 else x - y");
}

TEST(Models, ChoiceOfTheModel) {
    const std::string text = "model A Real x = 1; end A; model B Real y = 1; end B; type T = Real;"
                             "package P model C Real z = 1; end C; end P;";
    EXPECT_EQ(read_text(text)->name, "B");
    EXPECT_EQ(read_text(text, {"A"})->name, "A");
    EXPECT_EQ(read_text(text, {"P.C"})->name, "C");
    EXPECT_EQ(render(read_text(text, {"P.D"}).error()),
              "m.mo: error: the file contains no model 'P.D'\n  hint: did you mean 'P.C'?\n");
}

TEST(Models, WarningsStayWithTheModel) {
    const auto m = read_text(
        around("parameter Real p(start = 2); Real x;", "x = 2*-p; assert(x < 0, \"sign\", AssertionLevel.warning);"));
    ASSERT_TRUE(m) << render(m.error());
    ASSERT_EQ(m->warnings.size(), 3U) << render(m->warnings);
    EXPECT_EQ(model::parameter_values(*m).value()[0], 2.0);
    ASSERT_EQ(read_text(around("Real x;", "x = 2; assert(x > 0, \"sign\");"))->clauses.size(), 1U);
}

TEST(Models, ExperimentAnnotation) {
    const auto m = read_text("model M Real x = 1; annotation(Icon(coordinateSystem(extent = {{-1, 1}, {2, 3}})), "
                             "experiment(StartTime = -1, StopTime = 2*4, NumberOfIntervals = 90)); end M;");
    ASSERT_TRUE(m) << render(m.error());
    EXPECT_EQ(m->experiment.start_time, -1.0);
    EXPECT_EQ(m->experiment.stop_time, 8.0);
    EXPECT_DOUBLE_EQ(*m->experiment.interval, 0.1);
    EXPECT_FALSE(m->experiment.tolerance);
}

} // namespace
} // namespace daedalus::modelica
