// Points that satisfy the equations as written, and points that do not, whatever was made of the equations.
#include "compile/compile.hpp"
#include "modelica/read_modelica.hpp"
#include "simulation/written_check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace daedalus::simulation {
namespace {

compile::CompiledModel compiled(const std::string& text, compile::CompileOptions options = {}) {
    auto m = modelica::read_modelica(std::make_shared<SourceFile>("m.mo", text));
    EXPECT_TRUE(m) << (m ? "" : render(m.error()));
    auto c = compile::compile(std::make_shared<model::Model>(*std::move(m)), options);
    EXPECT_TRUE(c);
    return *std::move(c);
}

/// What a check finds at (x, x') of unknowns by name.
std::optional<WrittenViolation> found(const compile::CompiledModel& c, double t, double rtol,
                                      const std::function<double(const std::string&)>& value) {
    const problem::ImplicitProblem& p = c.problem;
    std::vector<double> x, dx;
    for (int i = 0; i < p.size(); ++i) {
        x.push_back(value(p.names().variable(i)));
        dx.push_back(value("der(" + p.names().variable(i) + ")"));
    }
    WrittenCheck check(p, rtol, 1e-3 * rtol);
    EXPECT_FALSE(check.empty());
    check.look(t, 0.01, x.data(), dx.data());
    return check.violation();
}

// y is eliminated and z defined: no row of what is integrated has their equations any more.
const char* const eliminated = R"(model M
  Real x(start = 1), y, z;
equation
  y = x;
  z = 3*y + 1;
  der(x) = -z;
end M;
)";

TEST(WrittenCheck, EquationsThatElimininatedAVariableAreEvaluated) {
    const auto c = compiled(eliminated, {.inline_definitions = true});
    EXPECT_EQ(c.problem.facet<problem::WrittenEquations>().size, 3);
    const auto at = [](double slope) {
        return [slope](const std::string& name) { return name.starts_with("der") ? slope : 0.5; };
    };
    EXPECT_FALSE(found(c, 0.0, 1e-6, at(-2.5)));
    EXPECT_FALSE(found(c, 0.0, 1e-6, at(-2.5 + 1e-6))) << "within the tolerance";
    const auto v = found(c, 0.0, 1e-6, at(-2.4));
    ASSERT_TRUE(v);
    EXPECT_NEAR(v->residual, 0.1, 1e-12);
    EXPECT_EQ(c.problem.facet<problem::WrittenEquations>().legend->equation(v->equation), "der(x) = -z");
}

// Multipliers stand between x' and u where they stabilise: what was written about x' is asked of the slope of x.
TEST(WrittenCheck, SlopesThatMultipliersKeepApartAreCompared) {
    for (const Reduction r : {Reduction::ggl, Reduction::stabilised_index1, Reduction::overdetermined}) {
        const auto c =
            compiled("model P Real x(start = 0.6), y(start = -0.8), u, v(start = 0.6), l; equation der(x) = u; "
                     "der(y) = v; der(u) = -x*l; der(v) = -1 - y*l; x^2 + y^2 = 1; end P;",
                     {.reduce = r});
        const auto at = [](double off) {
            return [off](const std::string& name) {
                const std::map<std::string, double> values{{"x", 0.6},           {"y", -0.8},
                                                           {"u", 0.8},           {"v", 0.6},
                                                           {"l", 1.8},           {"der(x)", 0.8 + off},
                                                           {"der(y)", 0.6},      {"der(u)", -1.08},
                                                           {"der(v)", 0.44},     {"der(der(x))", -1.08},
                                                           {"der(der(y))", 0.44}};
                const auto it = values.find(name);
                return it == values.end() ? 0.0 : it->second;
            };
        };
        EXPECT_FALSE(found(c, 0.0, 1e-6, at(0.0))) << to_string(r);
        const auto v = found(c, 0.0, 1e-6, at(0.05));
        ASSERT_TRUE(v) << to_string(r);
        EXPECT_EQ(c.problem.facet<problem::WrittenEquations>().legend->equation(v->equation), "der(x) = u");
    }
}

// At an event both sides of a relation agree to round-off, and what holds on the far side is right as well: held values
// that a change within the tolerance explains are no violation, whatever the signs of the changes that are tried.
TEST(WrittenCheck, EitherBranchIsRightWhereAConditionVanishes) {
    std::string text = "model M\n  Real x(start = 0), y[40];\nequation\n  der(x) = 1;\n";
    for (int k = 1; k <= 40; ++k) {
        const std::string n = std::to_string(k);
        text += "  y[" + n + "] = if x > 0.5 + " + n + "e-12 then 2 else 1;\n";
    }
    const auto c = compiled(text + "end M;\n");
    const auto at = [](double x) {
        return [x](const std::string& name) {
            return name == "der(x)" ? 1.0 : name.starts_with("der") ? 0.0 : name == "x" ? x : 1.0;
        };
    };
    EXPECT_FALSE(found(c, 0.5, 1e-6, at(0.5 - 1e-9)));
    EXPECT_FALSE(found(c, 0.5, 1e-6, at(0.5 + 1e-9)));
    EXPECT_TRUE(found(c, 0.5, 1e-6, at(0.5 + 1e-3)));
}

// A tolerance of 1e-2 explains much, and yet not a residual as large as the terms.
TEST(WrittenCheck, NothingExcusesAResidualOfTheSizeOfTheTerms) {
    const auto c = compiled(eliminated, {.inline_definitions = true});
    EXPECT_TRUE(found(c, 0.0, 1e-2, [](const std::string& name) { return name.starts_with("der") ? 2.5 : 0.5; }));
}

// The branch is chosen by the condition itself, not by what the run believes about it.
TEST(WrittenCheck, ConditionsAreLive) {
    auto c = compiled(R"(model M
  Real x(start = 0); Boolean b;
equation
  der(x) = if x > 1 then -1 else 1;
  b = x > 0.5;
end M;
)");
    const auto at = [](double x, double slope) {
        return [=](const std::string& name) { return name.starts_with("der") ? slope : x; };
    };
    std::vector<signed char> side;
    const double x = 0.2, dx = 1.0;
    c.problem.set_modes_at(0.0, &x, &dx, true, side); // as at x = 0.2, for all of the following
    EXPECT_FALSE(found(c, 0.0, 1e-6, at(0.3, 1.0)));
    EXPECT_TRUE(found(c, 0.0, 1e-6, at(0.7, 1.0))) << "b is false behind 0.5";
    EXPECT_TRUE(found(c, 0.0, 1e-6, at(1.5, 1.0))) << "the slope is that of the other branch";
    EXPECT_FALSE(found(c, 0.0, 1e-6, at(0.5 + 1e-7, 1.0))) << "a condition within the tolerance of its border";
}

// Formulations that let constraints drift do not promise them.
TEST(WrittenCheck, ConstraintsThatMayDriftAreNotDemanded) {
    const char* const text = R"(model M
  Real x(start = 1), y(start = 0), v, w, l;
equation
  der(x) = v; der(y) = w;
  der(v) = -l*x; der(w) = -l*y - 9.81;
  x^2 + y^2 = 1;
end M;
)";
    EXPECT_EQ(compiled(text, {.reduce = Reduction::dummy}).problem.facet<problem::WrittenEquations>().size, 5);
    EXPECT_EQ(compiled(text, {.reduce = Reduction::underlying_ode}).problem.facet<problem::WrittenEquations>().size, 4);
}

} // namespace
} // namespace daedalus::simulation
