// Inputs that the caller gives: tables and functions against exact solutions, and what is wrong with them in words.
#include <daedalus/daedalus.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <tuple>

namespace daedalus {
namespace {

using testing::HasSubstr;

Model model_of(const char* text) {
    auto model = Model::from_string(text);
    EXPECT_TRUE(model) << render(model.error());
    return *std::move(model);
}

const char* const filter = R"(
model Filter
  input Real u;
  Real x(start = 0, fixed = true);
equation
  der(x) = -x + u;
end Filter;
)";

/// x' = −x + u from x(0) = 0 with u = t up to 1 and 2 − t behind it.
double after_the_kink(double t) {
    return t <= 1 ? t - 1 + std::exp(-t) : 3 - t + (std::exp(-1.0) - 2) * std::exp(1 - t);
}

TEST(Inputs, LinearTableStopsAtItsKink) {
    for (const char* method : {"radau", "bdf", "rodas4", "dopri5"}) {
        SolveOptions options{.until = 2.0, .method = method, .rtol = 1e-9};
        options.inputs = {Input::table("u", {0, 1, 2}, {0, 1, 0})};
        const auto solution = solve(model_of(filter), options);
        ASSERT_TRUE(solution) << method << render(solution.error());
        ASSERT_TRUE(solution->success()) << method << solution->message();
        for (const double t : {0.5, 1.0, 1.25, 2.0})
            EXPECT_NEAR(*solution->at(t, "x"), after_the_kink(t), 1e-7) << method << t;
        EXPECT_NEAR(solution->final("u"), 0.0, 1e-14);
        EXPECT_NEAR(*solution->at(1.25, "u"), 0.75, 1e-14);
    }
}

TEST(Inputs, TableThatIsHeldJumps) {
    const Model integrator = model_of("model I input Real u; Real x(start = 0, fixed = true); "
                                      "equation der(x) = u; end I;");
    SolveOptions options{.until = 3.0};
    options.inputs = {Input::table("u", {0, 1, 3}, {1, -2, 7}, Interpolation::hold)};
    const auto solution = solve(integrator, options);
    ASSERT_TRUE(solution) << render(solution.error());
    EXPECT_NEAR(solution->final("x"), 1 - 4, 1e-12);
    EXPECT_NEAR(*solution->at(0.999, "u"), 1, 0);
    EXPECT_NEAR(*solution->at(1.001, "u"), -2, 0);
    // The same as a linear table with two values at one time.
    options.inputs = {Input::table("u", {0, 1, 1, 3}, {1, 1, -2, -2})};
    EXPECT_NEAR(solve(integrator, options)->final("x"), 1 - 4, 1e-12);
}

/// Index 2: y = u'. Everything is known beforehand, or, with a state besides, followed from step to step.
const char* const follower = R"(
model Follower
  input Real u;
  Real x, y;
equation
  der(x) = y;
  x = u;
end Follower;
)";
const char* const follower_with_state = R"(
model Follower
  input Real u;
  Real x, y, z(start = 0, fixed = true);
equation
  der(x) = y;
  x = u;
  der(z) = y - z;
end Follower;
)";

TEST(Inputs, TablesAreDifferentiatedWhereTheIndexAsksForIt) {
    for (const char* text : {follower, follower_with_state}) {
        SolveOptions options{.until = 2.0, .points = 20};
        // The natural spline through (0, 0), (1, 1), (2, 0) is (3 t − t³)/2 up to 1, and symmetric.
        options.inputs = {Input::table("u", {0, 1, 2}, {0, 1, 0}, Interpolation::cubic)};
        auto solution = solve(model_of(text), options);
        ASSERT_TRUE(solution) << render(solution.error());
        ASSERT_TRUE(solution->success()) << solution->message();
        for (std::size_t k = 0; k <= 20; ++k) {
            const double at = solution->time()[k], t = at <= 1 ? at : 2 - at;
            EXPECT_NEAR((*solution)["x"][k], (3 * t - t * t * t) / 2, 1e-12) << at;
            EXPECT_NEAR((*solution)["y"][k], (at <= 1 ? 1 : -1) * (3 - 3 * t * t) / 2, 1e-12) << at;
        }
        options.inputs = {Input::table("u", {0, 1, 2}, {0, 1, 0})};
        solution = solve(model_of(text), options);
        ASSERT_TRUE(solution) << render(solution.error());
        EXPECT_NEAR((*solution)["y"][5], 1, 1e-12);
        EXPECT_NEAR((*solution)["y"][15], -1, 1e-12);
        if (text == follower) continue;
        // z' = y − z with y = 1, then −1.
        EXPECT_NEAR(solution->final("z"), -1 + (2 - std::exp(-1.0)) * std::exp(-1.0), 1e-5);
    }
}

TEST(Inputs, DerivativesThatNobodyKnowsAreRefused) {
    for (const char* text : {follower, follower_with_state}) {
        SolveOptions options{.until = 2.0, .points = 20};
        options.inputs = {Input::table("u", {0, 1, 2}, {0, 1, 0}, Interpolation::hold)};
        auto refused = solve(model_of(text), options);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().front().code, "input-derivative");
        EXPECT_THAT(refused.error().front().message, HasSubstr("the first derivative of the input 'u'"));

        options.inputs = {Input::of("u", {[](double t) { return std::sin(t); }})};
        refused = solve(model_of(text), options);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().front().code, "input-derivative");

        options.inputs = {
            Input::of("u", {[](double t) { return std::sin(t); }, {[](double t) { return std::cos(t); }}})};
        const auto solution = solve(model_of(text), options);
        ASSERT_TRUE(solution) << render(solution.error());
        EXPECT_NEAR((*solution)["y"][13], std::cos(1.3), 1e-9);
    }
    // Index 3 with a linear table: u'' is an impulse at the kink.
    SolveOptions options{.until = 2.0};
    options.inputs = {Input::table("u", {0, 1, 2}, {0, 1, 0})};
    const auto refused =
        solve(model_of("model M input Real u; Real x, v, f; equation der(x) = v; der(v) = f; x = u; end M;"), options);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().front().message, HasSubstr("derivative number 2"));
    EXPECT_THAT(refused.error().front().hint, HasSubstr("cubics"));
}

TEST(Inputs, FunctionsOfTheCaller) {
    for (const char* method : {"radau", "bdf", "rodas4", "dopri5"}) {
        SolveOptions options{.until = 3.0, .method = method, .rtol = 1e-9};
        options.inputs = {Input::of("u", {[](double t) { return std::sin(t); }})};
        const auto solution = solve(model_of(filter), options);
        ASSERT_TRUE(solution) << method << render(solution.error());
        const double t = 3.0;
        EXPECT_NEAR(solution->final("x"), (std::sin(t) - std::cos(t) + std::exp(-t)) / 2, 1e-7) << method;
        EXPECT_NEAR(*solution->at(1.7, "u"), std::sin(1.7), 1e-12) << method;
    }
    // A jump that is announced is reached exactly: x' = −x + (t < 1 ? 0 : 1).
    SolveOptions options{.until = 2.0, .rtol = 1e-9};
    options.inputs = {Input::of("u", {[](double t) { return t < 1 ? 0.0 : 1.0; }, {}, {1.0}})};
    const auto solution = solve(model_of(filter), options);
    ASSERT_TRUE(solution) << render(solution.error());
    EXPECT_NEAR(solution->final("x"), 1 - std::exp(-1.0), 1e-7);
}

TEST(Inputs, DecideConditions) {
    const Model m = model_of("model M input Real u; Real x(start = 0, fixed = true); "
                             "equation der(x) = if u > 0.5 then 1 else 0; end M;");
    SolveOptions options{.until = 2.0, .rtol = 1e-9};
    options.inputs = {Input::table("u", {0, 1, 2}, {0, 1, 0})};
    EXPECT_NEAR(solve(m, options)->final("x"), 1.0, 1e-9); // from 0.5 to 1.5
    options.inputs = {Input::of("u", {[](double t) { return t / 2; }})};
    EXPECT_NEAR(solve(m, options)->final("x"), 1.0, 1e-9); // from 1 on
}

TEST(Inputs, CompiledOnceAndStepByStep) {
    const auto compiled = model_of("model I input Real u; Real x(start = 0, fixed = true); "
                                   "equation der(x) = u; end I;")
                              .compile();
    ASSERT_TRUE(compiled) << render(compiled.error());
    SolveOptions options{.until = 4.0};
    options.inputs = {Input::constant("u", 1.0)};
    auto run = compiled->begin(options);
    ASSERT_TRUE(run) << render(run.error());
    ASSERT_TRUE(run->advance_to(1.0));
    EXPECT_NEAR(run->value("x"), 1, 1e-12);
    EXPECT_FALSE(run->set_input("u", 3.0));
    EXPECT_NEAR(run->value("u"), 3, 0);
    ASSERT_TRUE(run->advance_to(2.0));
    EXPECT_NEAR(run->value("x"), 4, 1e-12);
    EXPECT_FALSE(run->set_input("u", 0.0, 2.0)); // u = 2 (t − 2)
    ASSERT_TRUE(run->advance_to(3.0));
    EXPECT_NEAR(run->value("x"), 5, 1e-9);
    const auto unknown = run->set_input("v", 1.0);
    ASSERT_TRUE(unknown);
    EXPECT_EQ(unknown->code, "unknown-input");
    for (const double u : {1.0, 2.0}) {
        options.inputs = {Input::constant("u", u)};
        EXPECT_NEAR(compiled->solve(options)->final("x"), 4 * u, 1e-12);
    }
}

std::string complaint(const Model& m, Input input, double until = 1.0) {
    SolveOptions options{.until = until};
    options.inputs = {std::move(input)};
    const auto solution = solve(m, options);
    return solution ? "none" : solution.error().front().message;
}

TEST(Inputs, WhatIsWrongWithThem) {
    const Model m = model_of(filter);
    EXPECT_THAT(complaint(m, Input::constant("v", 1)), HasSubstr("has no input 'v'"));
    EXPECT_THAT(complaint(m, Input::constant("x", 1)), HasSubstr("'x' is no input"));
    EXPECT_THAT(complaint(m, Input::table("u", {0, 2, 1}, {0, 0, 0})), HasSubstr("goes back in time at entry 3"));
    EXPECT_THAT(complaint(m, Input::table("u", {0, 1}, {0, NAN})), HasSubstr("not finite at entry 2"));
    EXPECT_THAT(complaint(m, Input::table("u", {0, 1}, {0})), HasSubstr("2 times and 1 values"));
    EXPECT_THAT(complaint(m, Input::table("u", {0, 1}, {0, 1}), 3.0), HasSubstr("reaches from t = 0 to 1"));
    Input held = Input::table("u", {0, 1}, {0, 1});
    held.hold_ends = true;
    EXPECT_EQ(complaint(m, held, 3.0), "none");
    const auto missing = solve(m, {.until = 1.0});
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().front().code, "free-input");
}

TEST(Inputs, AnalysisTakesThemAsGiven) {
    // x = u and y = der(x): whoever prescribes u prescribes its derivative too, so that y needs one differentiation of
    // the first equation (index 2), as with u = sin(t) in its place. A chain of integrators that a wish for its end
    // drives is the inverse problem: index 4 = 3 integrations + 1.
    const Model differentiator =
        model_of("model D\n  input Real u;\n  Real x, y;\nequation\n  x = u;\n  y = der(x);\nend D;\n");
    const Model inverse = model_of("model C\n  input Real wish;\n  Real a, b, c, force;\nequation\n  der(a) = b;\n"
                                   "  der(b) = c;\n  der(c) = force;\n  a = wish;\nend C;\n");
    for (const auto& [model, index, freedom] : {std::tuple{&differentiator, 2, 0}, {&inverse, 4, 0}}) {
        const auto found = analyze(*model);
        ASSERT_TRUE(found) << render(found.error());
        EXPECT_EQ(found->structural_index, index);
        EXPECT_EQ(found->degrees_of_freedom, freedom);
        EXPECT_EQ(found->differentiation_index.value, index);
        ASSERT_FALSE(found->warnings.empty());
        EXPECT_THAT(found->warnings.back(), HasSubstr("is an input and taken as given"));
    }
    const auto filtered = analyze(model_of(filter));
    ASSERT_TRUE(filtered);
    EXPECT_EQ(filtered->degrees_of_freedom, 1);
    EXPECT_TRUE(explain(model_of(filter)));
}

TEST(Inputs, TablesFromFiles) {
    const std::string path = testing::TempDir() + "daedalus_inputs_test.csv";
    const auto write = [&](const char* text) { std::ofstream(path) << text; };
    write("time,u,v\n0,1,2\n\n1.5,3,-4e1\n");
    auto read = read_inputs(path);
    ASSERT_TRUE(read) << render(read.error());
    ASSERT_EQ(read->size(), 2U);
    EXPECT_EQ((*read)[1].name, "v");
    EXPECT_EQ((*read)[1].values, (std::vector<double>{2, -40}));
    EXPECT_EQ((*read)[1].lines, (std::vector<int>{2, 4}));
    write("0;1\n1;nan\n");
    read = read_inputs(path, "u");
    ASSERT_FALSE(read);
    EXPECT_THAT(read.error().front().message, HasSubstr("_test.csv:2: 'nan' is not a finite number"));
    write("time,u\n0,1,2\n");
    EXPECT_THAT(read_inputs(path).error().front().message, HasSubstr(":2: 3 columns, the first line has 2"));
    std::remove(path.c_str());
    EXPECT_THAT(read_inputs(path).error().front().message, HasSubstr("cannot read"));
}

TEST(Outputs, OnlyWhatIsAskedForIsRecorded) {
    const Model m = model_of("model M Real x(start = 1, fixed = true), y, z; "
                             "equation der(x) = -x; y = 2*x; z = x^2; end M;");
    SolveOptions options{.until = 1.0, .points = 40};
    const auto all = solve(m, options);
    options.variables = {"z", "x"};
    const auto some = solve(m, options);
    ASSERT_TRUE(all && some);
    EXPECT_EQ(some->names(), (std::vector<std::string>{"z", "x"}));
    ASSERT_EQ((*some)["z"].size(), 41U);
    for (std::size_t k = 0; k < 41; ++k) {
        EXPECT_EQ((*some)["z"][k], (*all)["z"][k]);
        EXPECT_EQ((*some)["x"][k], (*all)["x"][k]);
    }
    EXPECT_EQ(*some->at(0.3, "z"), *all->at(0.3, "z"));
    EXPECT_EQ(some->at(0.3)->size(), 2U);
    options.variables = {"zz"};
    const auto unknown = solve(m, options);
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().front().code, "unknown-variable");
}

} // namespace
} // namespace daedalus
