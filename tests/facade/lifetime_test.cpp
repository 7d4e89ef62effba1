// Mistakes in writing a model in C++: each is refused where it is made, and none crashes.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

namespace daedalus {
namespace {

TEST(Lifetimes, ExpressionsOfTwoModelsDoNotMix) {
    Model a("A"), b("B");
    const Expression x = a.variable("x"), y = b.variable("y"), t = b.time();
    EXPECT_THROW((void)(x + y), std::invalid_argument);
    EXPECT_THROW((void)(x < t), std::invalid_argument);
    EXPECT_THROW((void)if_then_else(x > 0.0, y, 1.0), std::invalid_argument);
    EXPECT_THROW(a.equation(der(x) == y), std::invalid_argument);
    EXPECT_THROW(a.equation(y == 1.0), std::invalid_argument);
    EXPECT_THROW(a.initial_equation(y == 1.0), std::invalid_argument);
    EXPECT_THROW(a.stop_when(y > 1.0), std::invalid_argument);
    EXPECT_THROW(a.when(x > 1.0, {{x, y}}), std::invalid_argument);
    EXPECT_THROW(a.when(x > 1.0, {{y, 1.0}}), std::invalid_argument);
    EXPECT_EQ(a.equation_count(), 0U); // what was refused left nothing behind
    a.equation(der(x) == -1.0 * x);    // numbers belong to every model
    EXPECT_TRUE(analyze(a, {}));
}

TEST(Lifetimes, AnExpressionMayOutliveItsModel) {
    Expression left;
    {
        Model gone("Gone");
        left = 2.0 * gone.variable("x");
    }
    const Expression more = sin(left) + der(left) * left; // its own formulas go on
    Model m("M");
    EXPECT_THROW(m.equation(more == 0.0), std::invalid_argument);
    EXPECT_THROW((void)(m.time() + more), std::invalid_argument);
}

TEST(Lifetimes, ModelsMoveWithTheirExpressions) {
    Model first("M");
    const Expression x = first.variable("x", {.start = 1.0, .fixed = true});
    Model second = std::move(first);
    second.equation(der(x) == -1.0 * x);
    const auto solution = solve(second, {.until = 1.0, .rtol = 1e-8});
    ASSERT_TRUE(solution);
    EXPECT_NEAR((*solution)["x"].back(), std::exp(-1.0), 1e-7);
    EXPECT_THROW((void)first.variable("y"), std::logic_error);          // NOLINT(bugprone-use-after-move)
    EXPECT_THROW((void)solve(first, {.until = 1.0}), std::logic_error); // NOLINT(bugprone-use-after-move)
    EXPECT_THROW((void)analyze(first, {}), std::logic_error);           // NOLINT(bugprone-use-after-move)
}

void expect_equal_columns(const Expected<Solution>& a, const Expected<Solution>& b, const std::string& what) {
    ASSERT_TRUE(a && b) << what;
    EXPECT_EQ(a->names(), b->names()) << what;
    for (const std::string& name : a->names())
        EXPECT_TRUE(std::ranges::equal((*a)[name], (*b)[name])) << what << ": " << name;
    ASSERT_EQ(a->residuals().size(), b->residuals().size()) << what;
    for (std::size_t k = 0; k < a->residuals().size(); ++k)
        EXPECT_EQ(a->residuals()[k].equation, b->residuals()[k].equation) << what;
}

// A model that is given up is compiled in its own place, and what must compile again (derivative arrays, conditions and
// integrals from outside) sees it as it was read.
TEST(Lifetimes, AModelThatIsGivenUpHasTheSameSolution) {
    const char* const hidden = R"(model Product
  Real x(start = 0), z(start = 1);
equation
  der(x) + z = cos(time) + exp(-time);
  z*(der(x) + z - (cos(time) + exp(-time))) + x = sin(time);
end Product;
)";
    const char* const pendulum = R"(model Pendulum
  Real x(start = 1), y(start = 0, fixed = true), u, v(start = 0, fixed = true), f;
equation
  der(x) = u; der(y) = v; der(u) = -f*x; der(v) = -f*y - 9.81; x^2 + y^2 = 1;
end Pendulum;
)";
    SolveOptions plain{.until = 2.0, .points = 40};
    SolveOptions extended = plain;
    extended.stop_when = {"x > 0.9 and time > 0.1"};
    extended.integrals = {{"q", "x*x"}};
    for (const char* const text : {hidden, pendulum})
        for (const SolveOptions& options : {plain, extended}) {
            const auto kept = Model::from_string(text);
            auto given = Model::from_string(text);
            ASSERT_TRUE(kept && given);
            expect_equal_columns(solve(*kept, options), solve(*std::move(given), options), kept->name());
            EXPECT_THROW((void)solve(*given, options), std::logic_error); // NOLINT(bugprone-use-after-move)
        }
}

TEST(Lifetimes, ANameIsGivenOnce) {
    Model m("M");
    (void)m.variable("x");
    (void)m.parameter("k", 1.0);
    EXPECT_THROW((void)m.variable("x"), std::invalid_argument);
    EXPECT_THROW((void)m.variable("k"), std::invalid_argument);
    EXPECT_THROW((void)m.parameter("x", 1.0), std::invalid_argument);
    EXPECT_THROW((void)m.parameter("k", 1.0), std::invalid_argument);
    EXPECT_EQ(m.variable_count(), 1U);
    const std::vector<double> start{1.0, 2.0};
    const std::vector<std::string> names{"a", "a"};
    const auto f = [](auto, auto x, auto dx, auto r) {
        r[0] = dx[0] + x[0];
        r[1] = dx[1] + x[1];
    };
    EXPECT_THROW((void)Model::trace("T", f, start, names), std::invalid_argument);
}

TEST(Lifetimes, NamesCanBePrinted) {
    EXPECT_THROW((void)Model("M\x1b[2J"), std::invalid_argument);
    Model m("M");
    EXPECT_THROW((void)m.variable("x\n"), std::invalid_argument);
    EXPECT_THROW((void)m.parameter("\u202Ek", 1.0), std::invalid_argument);
}

TEST(Lifetimes, OnlyVariablesAreReset) {
    Model m("M");
    const Expression x = m.variable("x"), k = m.parameter("k", 1.0);
    EXPECT_THROW(m.when(x > 1.0, {{x + 1.0, 0.0}}), std::invalid_argument);
    EXPECT_THROW(m.when(x > 1.0, {{k, 0.0}}), std::invalid_argument);
    EXPECT_THROW(m.when(x > 1.0, {{1.0, 0.0}}), std::invalid_argument);
}

} // namespace
} // namespace daedalus
