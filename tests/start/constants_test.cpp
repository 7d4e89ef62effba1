// Variables that never vary are solved for at the start and leave the integrator's unknowns; results do not change.
#include <daedalus/daedalus.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace daedalus;
using ::testing::HasSubstr;

namespace {

Model model_of(const std::string& text) {
    auto model = Model::from_string(text, "test.mo");
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    return *std::move(model);
}

Solution solved(const Model& model, SolveOptions options) {
    options.rtol = options.atol = 1e-9;
    auto solution = solve(model, options);
    EXPECT_TRUE(solution) << (solution ? "" : render(solution.error()));
    EXPECT_EQ(solution->outcome(), Outcome::success) << solution->message();
    return *std::move(solution);
}

// k follows from an initial equation, a and b implicitly from it; the pendulum is of index 3.
const char* const pendulum = R"(model M
  parameter Real L(fixed = false, start = 1);
  Real a(start = 1), b;
  Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), v, lambda;
initial equation
  y = -0.8;
equation
  a^3 + a = 2*L;
  b + exp(b) = a + 2;
  der(x) = u;
  der(y) = v;
  der(u) = -lambda*x*b;
  der(v) = -lambda*y*b - 9.81;
  x^2 + y^2 = L^2;
end M;)";

} // namespace

TEST(TimeConstants, AreNotIntegratedAndDoNotChangeTheSolution) {
    const Model model = model_of(pendulum);
    for (const Reduction reduction :
         {Reduction::automatic, Reduction::none, Reduction::ggl, Reduction::projection, Reduction::baumgarte}) {
        SolveOptions options;
        options.until = 1.0;
        options.reduction = reduction;
        if (reduction == Reduction::none) options.method = "radau";
        const Solution without = solved(model, options);
        options.eliminate_aliases = false; // nor constants
        const Solution with = solved(model, options);
        for (const char* name : {"L", "a", "b"}) {
            EXPECT_DOUBLE_EQ(without.final(name), without[name].front()) << name;
            EXPECT_NEAR(without.final(name), with.final(name), 1e-12) << name;
        }
        const double tolerance = reduction == Reduction::baumgarte ? 1e-5 : 1e-6;
        for (const char* name : {"x", "y", "u", "v"})
            EXPECT_NEAR(without.final(name), with.final(name), tolerance) << name;
        EXPECT_NEAR(without.final("L"), 1.0, 1e-12);
        EXPECT_NEAR(without.final("a"), 1.0, 1e-12);
    }
}

TEST(TimeConstants, AreReported) {
    const auto e = explain(model_of(pendulum));
    ASSERT_TRUE(e) << render(e.error());
    EXPECT_THAT(e->to_text(), HasSubstr("3 variables solved for once, at the start"));
    EXPECT_THAT(e->to_text(), HasSubstr("b never varies"));
}

TEST(TimeConstants, AModelOfConstantsOnlyIsStillSolved) {
    const Model model = model_of("model M parameter Real p = 3; Real x(start=1), y; equation x^2 + y^2 = p; "
                                 "x - y = 0.5; end M;");
    SolveOptions options;
    options.until = 1.0;
    const Solution s = solved(model, options);
    EXPECT_NEAR(s.final("x") * s.final("x") + s.final("y") * s.final("y"), 3.0, 1e-10);
}

TEST(TimeConstants, InConditionsOfEvents) {
    // The level h of the event is itself solved for: h + h^3 = 2 gives 1, which x = time passes at 1.
    const Model model = model_of("model M Real h(start=0.5), x(start=0, fixed=true), y(start=0, fixed=true); equation "
                                 "h + h^3 = 2; der(x) = 1; der(y) = if x > h then 1 else 0; end M;");
    SolveOptions options;
    options.until = 2.0;
    const Solution s = solved(model, options);
    EXPECT_NEAR(s.final("y"), 1.0, 1e-9);
}
