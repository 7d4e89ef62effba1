// Initial values through the public interface: strengths, steady states, initial equations, parameters solved for,
// several solutions, and the words of a refusal.
#include <daedalus/daedalus.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace daedalus;
using ::testing::HasSubstr;

namespace {

Model model_of(const std::string& text) {
    auto model = Model::from_string(text, "test.mo");
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    return *std::move(model);
}

InitialValues started(const std::string& text, const SolveOptions& options = {}) {
    auto values = initialize(model_of(text), options);
    EXPECT_TRUE(values) << (values ? "" : render(values.error()));
    return values ? *std::move(values) : InitialValues{};
}

double at(const InitialValues& values, const char* name) { return values[name].value_or(std::nan("")); }

const char* const pendulum = R"(model Pendulum
  parameter Real L = 1;
  parameter Real g = 9.81;
  Real x(start = 0.6);
  Real y(start = -0.7);
  Real u(start = 0);
  Real v(start = 0);
  Real lambda;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -lambda*x;
  der(v) = -lambda*y - g;
  x^2 + y^2 = L^2;
end Pendulum;
)";

} // namespace

TEST(InitialValues, PreferredValuesMoveAsLittleAsPossible) {
    const InitialValues values = started(pendulum);
    EXPECT_NEAR(std::hypot(at(values, "x"), at(values, "y")), 1.0, 1e-15);
    EXPECT_EQ(values.degrees_of_freedom, 2);
    EXPECT_EQ(values.free_set.size(), 2u);
    EXPECT_LE(values.relative_residual, 1e-11);
    EXPECT_THAT(values.to_text(), HasSubstr("changed by"));
    EXPECT_THAT(values.to_json(), HasSubstr("\"degrees_of_freedom\": 2"));
}

TEST(InitialValues, StrengthsFromOutside) {
    const InitialValues values = started(pendulum, {.starts = {{"x", 0.8, StartStrength::fixed},
                                                               {"y", 0.1, StartStrength::guess},
                                                               {"u", 0.3, StartStrength::preferred},
                                                               {"v", 0.0, StartStrength::guess}}});
    EXPECT_EQ(at(values, "x"), 0.8);
    EXPECT_NEAR(at(values, "y"), 0.6, 1e-12); // the branch of the guess
    EXPECT_EQ(at(values, "u"), 0.3);
    EXPECT_EQ(values.values[0].strength, "fixed");
}

TEST(InitialValues, AlternativesAreAdmissibleToo) {
    const InitialValues values = started(pendulum, {.initial = {.alternatives = 8}});
    ASSERT_FALSE(values.alternatives.empty());
    for (const auto& set : values.alternatives) {
        EXPECT_EQ(set.size(), 2u);
        EXPECT_NE(set, values.free_set);
    }
}

TEST(InitialValues, SteadyStateHangs) {
    const InitialValues values = started(pendulum, {.initial = {.steady_state = true}});
    EXPECT_NEAR(at(values, "x"), 0.0, 1e-10);
    EXPECT_NEAR(at(values, "y"), -1.0, 1e-12);
    EXPECT_NEAR(at(values, "lambda"), 9.81, 1e-10);
}

TEST(InitialValues, SteadyStateByInitialEquation) {
    const InitialValues values = started(R"(model Tank
  Real h(start = 1);
  Real q;
initial equation
  der(h) = 0;
equation
  der(h) = 0.5 - q;
  q = 2*sqrt(h);
end Tank;
)");
    EXPECT_NEAR(at(values, "h"), 0.0625, 1e-14);
    EXPECT_EQ(values.degrees_of_freedom, 0);
}

TEST(InitialValues, SteadyStateThatDoesNotExistIsRefused) {
    const auto values = initialize(model_of("model Ramp\n  Real x(start = 0);\nequation\n  der(x) = 1;\nend Ramp;\n"),
                                   {.initial = {.steady_state = true}});
    ASSERT_FALSE(values);
    EXPECT_THAT(values.error()[0].message, HasSubstr("der(x) = 0 (steady state) cannot satisfy der(x) = 1 (line 4)"));
}

TEST(InitialValues, InitialEquationsReachDownThroughTheStages) {
    // The force at the start determines the angle: a multiplier fixes positions.
    const InitialValues values = started(R"(model Pendulum
  Real x(start = 0.5);
  Real y(start = -0.8);
  Real u(start = 0, fixed = true);
  Real v(start = 0);
  Real lambda;
initial equation
  lambda = 5;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -lambda*x;
  der(v) = -lambda*y - 9.81;
  x^2 + y^2 = 1;
end Pendulum;
)");
    EXPECT_NEAR(at(values, "lambda"), 5.0, 1e-12);
    EXPECT_NEAR(at(values, "y"), -5.0 / 9.81, 1e-12); // λ = v² - g y for unit length, at rest
    EXPECT_EQ(values.degrees_of_freedom, 1);
}

TEST(InitialValues, ParameterSolvedForIsConstant) {
    const Model model = model_of(R"(model Decay
  parameter Real k(fixed = false, start = 1);
  Real x(start = 2, fixed = true);
initial equation
  der(x) = -6;
equation
  der(x) = -k*x;
end Decay;
)");
    const auto solution = solve(model, {.until = 1.0, .rtol = 1e-9});
    ASSERT_TRUE(solution) << render(solution.error());
    EXPECT_TRUE(solution->success()) << solution->message();
    EXPECT_NEAR((*solution)["k"].front(), 3.0, 1e-12);
    EXPECT_NEAR(solution->final("k"), 3.0, 1e-12);
    EXPECT_NEAR(solution->final("x"), 2.0 * std::exp(-3.0), 1e-7);
}

// Two solutions k = ±3: a value given for a parameter that is solved for decides from where it is searched.
TEST(InitialValues, ValueForAParameterSolvedForIsAGuess) {
    const Model model = model_of(R"(model Square
  parameter Real k(fixed = false, start = 1);
  Real x(start = 2, fixed = true);
initial equation
  k^2 = 9;
equation
  der(x) = -k*x;
end Square;
)");
    SolveOptions options;
    options.parameters = {{"k", -2.0}};
    const auto values = initialize(model, options);
    ASSERT_TRUE(values) << render(values.error());
    EXPECT_NEAR(at(*values, "k"), -3.0, 1e-12);
}

TEST(InitialValues, LinearBlocksAreSolvedOnce) {
    const Model model = model_of(R"(model Blocks
  Real x(start = 2, fixed = true), a, b, c, d;
equation
  der(x) = -a;
  a + b = x;
  a - 2*b = 1;
  c + 0.1*sin(c) = a;
  c*d = b + 3;
end Blocks;
)");
    const auto explanation = explain(model);
    ASSERT_TRUE(explanation) << render(explanation.error());
    const auto& passes = explanation->analysis.passes;
    const auto pass =
        std::find_if(passes.begin(), passes.end(), [](const auto& p) { return p.name == "blocks of the start"; });
    ASSERT_NE(pass, passes.end());
    std::string text;
    for (const std::string& line : pass->details) text += line + "\n";
    EXPECT_NE(text.find("linear, solved once; 1 nonlinear, at most 1 equation at a time"), std::string::npos) << text;
    const auto values = initialize(model);
    ASSERT_TRUE(values) << render(values.error());
    EXPECT_NEAR(at(*values, "a"), 5.0 / 3.0, 1e-14);
    EXPECT_NEAR(at(*values, "c") * at(*values, "d"), at(*values, "b") + 3, 1e-14);
    EXPECT_TRUE(std::any_of(values->attempts.begin(), values->attempts.end(), [](const InitialAttempt& a) {
        return a.success && a.note.find("linear, solved once") != std::string::npos;
    }));
}

TEST(InitialValues, MultistartFindsBothPositions) {
    const InitialValues values =
        started(pendulum, {.starts = {{"x", 0.6, StartStrength::fixed}}, .initial = {.multistart = 20}});
    ASSERT_EQ(values.solutions.size(), 2u);
    EXPECT_NEAR(at(values, "y"), -0.8, 1e-12); // nearer to -0.7
    EXPECT_LT(values.solutions[0].distance, values.solutions[1].distance);
    EXPECT_THAT(values.to_text(), HasSubstr("2 distinct solutions"));
    // the same again: nothing is left to chance
    const InitialValues again =
        started(pendulum, {.starts = {{"x", 0.6, StartStrength::fixed}}, .initial = {.multistart = 20}});
    EXPECT_EQ(again.solutions[1].values, values.solutions[1].values);
}

TEST(InitialValues, ConflictInTheWordsOfTheModel) {
    const auto values = initialize(model_of(R"(model Circle




  parameter Real r = 1;
  Real x(start = 1, fixed = true);
  Real y(start = 0.5, fixed = true);


equation
  x^2 + y^2 = 1;
  der(x) + der(y) = 1;
end Circle;
)"));
    ASSERT_FALSE(values);
    EXPECT_EQ(values.error()[0].message,
              "x = 1 (fixed, line 7) and y = 0.5 (fixed, line 8) cannot both satisfy x^2 + y^2 = 1 (line 12): "
              "residual 0.25");
}

TEST(InitialValues, TheRootWithinTheBoundsIsFoundFromAGuessOutside) {
    const InitialValues values =
        started("model M Real x(start=-2, min=0), y(start=1, fixed=true); equation der(y) = -y; "
                "x^2 = 4*y; end M;");
    EXPECT_NEAR(at(values, "x"), 2.0, 1e-12);
    EXPECT_TRUE(values.warnings.empty());
}

TEST(InitialValues, LevelsAreOrderedWhereRootsNeedIt) {
    // At the guesses every sqrt has an infinite slope; values exist only where h1 > h2 > h3 > h4 > 0.
    const InitialValues values =
        started("model Tanks parameter Real k = 0.5; Real h1(start=1, min=0), h2(start=1, min=0), h3(start=1, min=0), "
                "h4(start=1, min=0); initial equation der(h1) = 0; der(h2) = 0; der(h3) = 0; der(h4) = 0; equation "
                "der(h1) = 1 - k*sqrt(h1 - h2); der(h2) = k*sqrt(h1 - h2) - k*sqrt(h2 - h3); "
                "der(h3) = k*sqrt(h2 - h3) - k*sqrt(h3 - h4); der(h4) = k*sqrt(h3 - h4) - k*sqrt(h4); end Tanks;");
    EXPECT_NEAR(at(values, "h4"), 4.0, 1e-9);
    EXPECT_NEAR(at(values, "h1"), 16.0, 1e-9);
}

TEST(InitialValues, AValueThatWouldFitIsNearby) {
    auto model = model_of("model M parameter Real r = 2, l = 1; Real phi(start=1.5707963, fixed=true), th(start=0); "
                          "equation der(phi) = 1; r*sin(phi) = l*sin(th); end M;");
    const auto values = initialize(model);
    ASSERT_FALSE(values);
    const std::string text = render(values.error());
    const auto from = text.find("phi = ", text.find("set fixed = false"));
    ASSERT_NE(from, std::string::npos) << text;
    EXPECT_LE(std::abs(std::stod(text.substr(from + 6))), 10.0) << text;
}

TEST(InitialValues, SolveSaysWhatItChanged) {
    const auto solution = solve(model_of(pendulum), {.until = 0.1});
    ASSERT_TRUE(solution) << render(solution.error());
    EXPECT_THAT(solution->to_text(), HasSubstr("start values changed to satisfy the equations"));
}

TEST(InitialValues, LargeLadder) {
    // 5,000 RC sections, written as equations: 20,000 variables.
    constexpr int sections = 5000;
    Model model("Ladder");
    Expression previous = model.variable("v0");
    model.equation(previous == sin(model.time()) + 1.0);
    for (int k = 1; k <= sections; ++k) {
        const std::string n = std::to_string(k);
        const Expression v = model.variable("v" + n, {.start = 0.01 * (k % 7)});
        const Expression i = model.variable("i" + n), ic = model.variable("ic" + n), r = model.variable("r" + n);
        model.equation(previous - v == 10.0 * i + 0.1 * i * i * i);
        model.equation(0.001 * der(v) == ic);
        model.equation(r == v / 100.0);
        model.equation(i == ic + r);
        previous = v;
    }
    const auto values = initialize(model, {});
    ASSERT_TRUE(values) << render(values.error());
    EXPECT_EQ(values->degrees_of_freedom, sections);
    EXPECT_LE(values->relative_residual, 1e-11);
}
