// The same model three ways (Modelica, operators, a traced template) is the same problem; black boxes reach the solver.
#include "compile/compile.hpp"
#include "facade/access.hpp"

#include <daedalus/daedalus.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

using namespace daedalus;

namespace {

const std::string text = R"(
model Pendulum
  parameter Real g = 9.81;
  Real x(start = 1), y(start = 0), u(start = 0), v(start = 0), lambda(start = 0);
equation
  der(x) = u;
  der(y) = v;
  der(u) = -lambda*x;
  der(v) = -lambda*y - g;
  x^2 + y^2 = 1;
end Pendulum;
)";

Model in_operators() {
    Model m("Pendulum");
    const Expression g = m.parameter("g", 9.81);
    const Expression x = m.variable("x", {.start = 1}), y = m.variable("y", {.start = 0});
    const Expression u = m.variable("u", {.start = 0}), v = m.variable("v", {.start = 0});
    const Expression lambda = m.variable("lambda", {.start = 0});
    m.equation(der(x) == u);
    m.equation(der(y) == v);
    m.equation(der(u) == -lambda * x);
    m.equation(der(v) == -lambda * y - g);
    m.equation(pow(x, 2) + pow(y, 2) == 1);
    return m;
}

template <class T>
void residual(T /*t*/, std::span<const T> x, std::span<const T> dx, std::span<T> r) {
    const double g = 9.81;
    r[0] = dx[0] - x[2];
    r[1] = dx[1] - x[3];
    r[2] = dx[2] + x[4] * x[0];
    r[3] = dx[3] - (-x[4] * x[1] - g);
    r[4] = x[0] * x[0] + x[1] * x[1] - 1.0;
}

compile::CompiledModel compiled(const Model& m, Reduction reduce) {
    compile::CompileOptions options;
    options.reduce = reduce;
    auto c = compile::compile(m.impl().model, options);
    EXPECT_TRUE(c) << (c ? "" : render(c.error()));
    return *std::move(c);
}

} // namespace

TEST(Models, ModelicaAndOperatorsGiveBitIdenticalResiduals) {
    const Model a = *Model::from_string(text);
    const Model b = in_operators();
    std::mt19937 random(3);
    std::uniform_real_distribution<double> value(-2, 2);
    for (const auto reduce : {Reduction::none, Reduction::dummy}) {
        const compile::CompiledModel ca = compiled(a, reduce), cb = compiled(b, reduce);
        ASSERT_EQ(ca.problem.size(), cb.problem.size());
        const auto n = static_cast<std::size_t>(ca.problem.size());
        for (int trial = 0; trial < 100; ++trial) {
            std::vector<double> x(n), dx(n), ra(n), rb(n);
            for (std::size_t i = 0; i < n; ++i) x[i] = value(random), dx[i] = value(random);
            ASSERT_EQ(ca.problem.residual(0.5, x.data(), dx.data(), ra.data()), problem::EvalStatus::ok);
            ASSERT_EQ(cb.problem.residual(0.5, x.data(), dx.data(), rb.data()), problem::EvalStatus::ok);
            for (std::size_t i = 0; i < n; ++i)
                EXPECT_EQ(std::bit_cast<std::uint64_t>(ra[i]), std::bit_cast<std::uint64_t>(rb[i])) << i;
        }
    }
}

TEST(Models, TracedTemplateEqualsTheCompiledFunctionBitForBit) {
    const std::vector<double> start{1, 0, 0, 0, 0};
    const Model traced = Model::trace(
        "Pendulum", [](auto t, auto x, auto dx, auto r) { residual(t, x, dx, r); }, start);
    compile::CompileOptions options;
    options.reduce = Reduction::none;
    options.eliminate_aliases = false;
    const auto c = compile::compile(traced.impl().model, options);
    ASSERT_TRUE(c);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> value(-2, 2);
    for (int trial = 0; trial < 100; ++trial) {
        std::vector<double> x(5), dx(5), ra(5), rb(5);
        for (std::size_t i = 0; i < 5; ++i) x[i] = value(random), dx[i] = value(random);
        ASSERT_EQ(c->problem.residual(0, x.data(), dx.data(), ra.data()), problem::EvalStatus::ok);
        residual<double>(0, x, dx, rb);
        for (std::size_t i = 0; i < 5; ++i)
            EXPECT_EQ(std::bit_cast<std::uint64_t>(ra[i]), std::bit_cast<std::uint64_t>(rb[i])) << i;
    }
}

TEST(Models, AllWaysSolveToTheSameEnd) {
    SolveOptions options{.until = 2, .rtol = 1e-8};
    const Solution a = *solve(*Model::from_string(text), options);
    const Solution b = *solve(in_operators(), options);
    EXPECT_TRUE(a.success() && b.success());
    EXPECT_EQ(a.final("x"), b.final("x"));
    EXPECT_EQ(a.final("lambda"), b.final("lambda"));
}

TEST(Models, PrintsAsModelicaThatReadsBack) {
    const Model m = in_operators();
    auto again = Model::from_string(m.to_modelica());
    ASSERT_TRUE(again) << render(again.error());
    EXPECT_EQ(again->to_modelica(), m.to_modelica());
}

TEST(Models, ParametersAndStartsFromOutside) {
    SolveOptions options{.until = 0.1, .rtol = 1e-8};
    options.parameters = {{"g", 0.0}};
    options.starts = {{"x", 0.6, StartStrength::fixed}};
    const Solution s = *solve(*Model::from_string(text), options);
    ASSERT_TRUE(s.success());
    EXPECT_NEAR(s["x"][0], 0.6, 1e-15);
    EXPECT_NEAR(std::abs(s["y"][0]), 0.8, 1e-12);
    EXPECT_NEAR(s.final("x"), 0.6, 1e-9); // no gravity, at rest
    options.parameters = {{"gg", 1}};
    auto wrong = solve(*Model::from_string(text), options);
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error()[0].hint, "did you mean 'g'?");
}

TEST(BlackBoxes, SolveWithAndWithoutJacobian) {
    BlackBox box;
    // x' = -x + z, 0 = z - 2 x: x = exp(t)
    box.residual = [](double, std::span<const double> x, std::span<const double> dx, std::span<double> r) {
        r[0] = dx[0] + x[0] - x[1];
        r[1] = x[1] - 2 * x[0];
    };
    box.x0 = {1, 0}; // z is not consistent: the start repairs it
    box.names = {"x", "z"};
    for (const bool jacobian : {false, true}) {
        if (jacobian) {
            box.pattern = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};
            box.jacobian = [](double, std::span<const double>, std::span<const double>, std::span<double> jx,
                              std::span<double> jdx) {
                jx[0] = 1, jx[1] = -2, jx[2] = -1, jx[3] = 1;
                jdx[0] = 1, jdx[1] = jdx[2] = jdx[3] = 0;
            };
        }
        auto s = solve(box, {.until = 1, .rtol = 1e-9});
        ASSERT_TRUE(s) << render(s.error());
        EXPECT_TRUE(s->success()) << s->message();
        EXPECT_NEAR(s->final("x"), std::exp(1.0), 1e-7);
        EXPECT_NEAR((*s)["z"][0], 2, 1e-12);
    }
}

TEST(Events, ChatteringIsNamedInsteadOfEndlesslySmallSteps) {
    const Model m = *Model::from_string(
        "model M Real v(start = 0, fixed = true); equation der(v) = if v > 0.5 then -1 else 0.2; end M;");
    const auto s = solve(m, {.until = 5});
    ASSERT_TRUE(s);
    EXPECT_EQ(s->outcome(), Outcome::failed);
    EXPECT_THAT(s->message(), testing::HasSubstr("v > 0.5 switches back and forth"));
    EXPECT_NEAR(s->end_time(), 2.5, 1e-3);
}

TEST(Events, ConditionsOnTimeAndStateAreHitExactly) {
    const Model m = *Model::from_string("model M Real x(start = 0, fixed = true); equation der(x) = if time < 1 then 1 "
                                        "else if x < 2 then 2 else 0.5; end M;");
    for (const char* method : {"radau5", "bdf"}) {
        const auto s = solve(m, {.until = 3, .method = method, .rtol = 1e-9});
        ASSERT_TRUE(s);
        EXPECT_TRUE(s->success()) << s->message();
        // 1 at t = 1, 2 at t = 1.5; a branch is not frozen within a step, which costs digits at the crossing
        EXPECT_NEAR(s->final("x"), 2 + 0.5 * 1.5, 1e-6) << method;
    }
}
