// Conditions at the end of the run: optimality conditions (HW (1.36), (1.39)) have them, they survive the text, and an
// initial value solve refuses them. And what derivations cannot carry over, they refuse.
#include "daedalus/derived_models.hpp"
#include "daedalus/solve.hpp"
#include "daedalus/stabilize.hpp"

#include <gmock/gmock.h>

namespace daedalus {
namespace {

Model read(const std::string& text) {
    auto model = Model::from_string(text, "given.mo");
    EXPECT_TRUE(model) << text;
    return *std::move(model);
}

const char* const plant = "model Plant\n  Real x(start=1, fixed=true);\n  Real u;\nequation\n  der(x) = -x + u;\n"
                          "  annotation(experiment(StopTime=1));\nend Plant;\n";

TEST(BoundaryValues, AdjointsVanishAtTheEnd) {
    const auto derived = optimality_conditions(read(plant), "0.5*(x^2 + u^2)");
    ASSERT_TRUE(derived);
    const std::string text = derived->to_modelica();
    EXPECT_THAT(text, testing::HasSubstr("Real v_x(start=0) \"adjoint of x\" annotation(__Daedalus(finalValue=0));"));
    EXPECT_THAT(text, testing::HasSubstr("StopTime=1"));
    EXPECT_THAT(text, testing::HasSubstr("Real x(start=1, fixed=true);")); // y(0) = y0 has no second condition
    EXPECT_EQ(read(text).to_modelica(), text);
    const Model again = read(text);
    for (const Model* m : {&*derived, &again}) {
        const auto s = solve(*m);
        ASSERT_FALSE(s);
        EXPECT_EQ(s.error().front().code, "boundary-value-problem");
        EXPECT_THAT(s.error().front().message, testing::HasSubstr("v_x"));
    }
    const auto s = solve(read(text)); // read from a file, the place is named
    ASSERT_FALSE(s);
    ASSERT_TRUE(s.error().front().where);
    EXPECT_GT(s.error().front().where->line, 1);
}

TEST(BoundaryValues, UnknownAnnotationsOfOursAreErrors) {
    EXPECT_FALSE(Model::from_string(
        "model M\n  Real x annotation(__Daedalus(finalvalue=0));\nequation\n  der(x) = 1;\nend M;\n"));
    EXPECT_TRUE(
        Model::from_string("model M\n  Real x annotation(__Other(thing=0));\nequation\n  der(x) = 1;\nend M;\n"));
}

TEST(Derivations, InitialEquationsAreKept) {
    const auto derived = optimality_conditions(
        read("model P\n  Real x, u;\ninitial equation\n  x^2 = 4;\nequation\n  der(x) = u;\nend P;\n"), "u^2");
    ASSERT_TRUE(derived);
    EXPECT_THAT(derived->to_modelica(), testing::HasSubstr("initial equation\n  x^2 = 4;"));
    // x(0) = eps + 2 eps², written in both ways: x_0(0) = 0, x_1(0) = 1, x_2(0) = 2.
    for (const char* text : {"model P\n  parameter Real eps = 0.1;\n  Real x;\ninitial equation\n  x = eps + 2*eps^2;\n"
                             "equation\n  der(x) = -x;\nend P;\n",
                             "model P\n  parameter Real eps = 0.1;\n  Real x(start=eps + 2*eps^2, fixed=true);\n"
                             "equation\n  der(x) = -x;\nend P;\n"}) {
        const auto terms = perturbation_hierarchy(read(text), "eps", 2);
        ASSERT_TRUE(terms);
        SolveOptions o;
        o.until = 1.0;
        const auto s = solve(*terms, o);
        ASSERT_TRUE(s && s->success());
        EXPECT_NEAR((*s)["x_0"].front(), 0.0, 1e-12) << text;
        EXPECT_NEAR((*s)["x_1"].front(), 1.0, 1e-12) << text;
        EXPECT_NEAR((*s)["x_2"].front(), 2.0, 1e-12) << text;
    }
}

TEST(Derivations, RefuseWhatTheyCannotCarryOver) {
    const Model bouncing =
        read("model B\n  parameter Real eps = 0.1;\n  Real h(start=1), v, u;\nequation\n  der(h) = v;\n"
             "  der(v) = -9.81 + u;\n  u = eps*v;\n  when h < 0 then\n    reinit(v, -0.8*v);\n"
             "  end when;\nend B;\n");
    for (const auto& derived :
         {optimality_conditions(bouncing, "u^2"), perturbation_hierarchy(bouncing, "eps", 1), stabilized(bouncing)}) {
        ASSERT_FALSE(derived);
        EXPECT_EQ(derived.error().front().code, "events-not-carried-over");
        EXPECT_THAT(derived.error().front().message, testing::HasSubstr("when-clause"));
    }
}

} // namespace
} // namespace daedalus
