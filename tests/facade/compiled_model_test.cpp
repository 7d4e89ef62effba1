// One compilation, many runs; solutions that can be evaluated anywhere; sweeps.
#include <daedalus/daedalus.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <thread>
#include <vector>

namespace daedalus {
namespace {

const char* const pendulum = R"(
model Pendulum
  parameter Real L = 1;
  parameter Real g = 9.81;
  Real x(start = L, fixed = true), y(start = 0), u(start = 0, fixed = true), v(start = 0), lambda;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -lambda*x;
  der(v) = -lambda*y - g;
  x^2 + y^2 = L^2;
end Pendulum;
)";

Model read(const char* text) {
    auto model = Model::from_string(text);
    EXPECT_TRUE(model) << render(model.error());
    return *std::move(model);
}

TEST(CompiledModel, OtherParametersGiveWhatAFreshCompilationGives) {
    const Model model = read(pendulum);
    const auto compiled = model.compile();
    ASSERT_TRUE(compiled) << render(compiled.error());
    for (const double length : {0.5, 1.0, 1.7, 3.0}) {
        const SolveOptions options{.until = 3.0, .rtol = 1e-8, .parameters = {{"L", length}}};
        const auto shared = compiled->solve(options), fresh = solve(model, options);
        ASSERT_TRUE(shared && fresh);
        ASSERT_TRUE(shared->success()) << shared->message();
        for (const char* name : {"x", "y", "u", "v", "lambda"})
            EXPECT_NEAR(shared->final(name), fresh->final(name), 1e-6 * (1 + std::abs(fresh->final(name))))
                << name << ", L = " << length;
        // The start value of x is an expression in L.
        EXPECT_EQ((*shared)["x"].front(), length);
    }
}

TEST(CompiledModel, InstantsSamplesAndBoundsFollowParameters) {
    // y grows by a jump at T and by samples; q is a running integral that starts at a parameter.
    const Model model = read(R"(
model Switching
  parameter Real T = 1;
  parameter Real P = 0.25;
  parameter Real q0 = 2;
  Real y(start = 0, fixed = true), q(start = q0, fixed = true);
  discrete Real n(start = 0);
equation
  der(y) = if time < T then 1 else 3;
  der(q) = y;
  when sample(0, P) then
    n = pre(n) + 1;
  end when;
end Switching;
)");
    const auto compiled = model.compile();
    ASSERT_TRUE(compiled) << render(compiled.error());
    for (const double T : {0.3, 1.0, 1.6}) {
        const double P = 0.1 + 0.2 * T, q0 = 5 * T;
        const auto s = compiled->solve({.until = 2.0, .rtol = 1e-9, .parameters = {{"T", T}, {"P", P}, {"q0", q0}}});
        ASSERT_TRUE(s && s->success());
        EXPECT_NEAR(s->final("y"), T + 3 * (2 - T), 1e-8);
        EXPECT_NEAR(s->final("q"), q0 + 0.5 * T * T + T * (2 - T) + 1.5 * (2 - T) * (2 - T), 1e-7);
        EXPECT_EQ(s->final("n"), std::floor(2.0 / P) + 1);
    }
}

TEST(CompiledModel, GivenStartsAndFormulationsAreCompiledWhenTheyOccur) {
    const Model model = read(pendulum);
    const auto compiled = model.compile();
    ASSERT_TRUE(compiled);
    for (const double x0 : {0.6, 0.8})
        for (const Reduction reduction : {Reduction::dummy, Reduction::projection}) {
            const SolveOptions options{
                .until = 1.0, .rtol = 1e-8, .reduction = reduction, .starts = {{"x", x0}}, .points = 10};
            const auto shared = compiled->solve(options), fresh = solve(model, options);
            ASSERT_TRUE(shared && fresh && shared->success());
            EXPECT_NEAR(shared->final("x"), fresh->final("x"), 1e-6);
            EXPECT_EQ((*shared)["x"].front(), x0);
        }
}

TEST(CompiledModel, ThreadsShareIt) {
    const auto compiled = read(pendulum).compile(); // the model is gone
    ASSERT_TRUE(compiled);
    std::vector<double> expected(8), found(8);
    const auto end = [&](std::size_t k) {
        const auto s = compiled->solve({.until = 2.0, .parameters = {{"L", 0.5 + 0.1 * static_cast<double>(k)}}});
        return s && s->success() ? s->final("lambda") : std::nan("");
    };
    for (std::size_t k = 0; k < expected.size(); ++k) expected[k] = end(k);
    std::vector<std::thread> team;
    for (std::size_t k = 0; k < found.size(); ++k) team.emplace_back([&, k] { found[k] = end(k); });
    for (std::thread& thread : team) thread.join();
    EXPECT_EQ(found, expected); // to the last bit
}

TEST(CompiledModel, StartsSolveWithItToo) {
    const auto compiled = read(pendulum).compile();
    ASSERT_TRUE(compiled);
    const auto start = compiled->start({.parameters = {{"L", 2.5}}});
    ASSERT_TRUE(start) << render(start.error());
    EXPECT_DOUBLE_EQ(start->operator[]("x").value(), 2.5);
}

class DenseSolutions : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, DenseSolutions,
                         ::testing::Values("auto", "radau", "bdf", "dopri5", "dop853", "rodas4", "esdirk4", "limex",
                                           "midpoint"));

// Exact: x = sin t with x' = z, z + x - sin t - cos t = 0 … index 1, and a constraint between both at every time.
TEST_P(DenseSolutions, AreAsAccurateAsTheMethodAndKeepConstraints) {
    const Model model = read(R"(
model Exact
  Real x(start = 0, fixed = true), z, w;
equation
  der(x) = z;
  z + x = sin(time) + cos(time);
  w^3 + w = x;
end Exact;
)");
    const double tolerance = 1e-7;
    const auto s =
        solve(model, {.until = 4.0, .method = GetParam(), .rtol = tolerance, .atol = tolerance, .points = 3});
    ASSERT_TRUE(s && s->success());
    const Solution copy = *s;
    for (int k = 0; k <= 400; ++k) {
        const double t = 0.01 * k;
        const auto values = copy.at(t);
        ASSERT_TRUE(values) << render(values.error());
        const double x = (*values)[0], z = (*values)[1], w = (*values)[2];
        EXPECT_NEAR(x, std::sin(t), 100 * tolerance) << t;
        EXPECT_NEAR(z + x, std::sin(t) + std::cos(t), 1e-9) << t;
        EXPECT_NEAR(w * w * w + w, x, 1e-9) << t;
    }
    EXPECT_EQ(copy.at(4.0, "x").value(), s->at(4.0, "x").value());
    EXPECT_FALSE(copy.at(4.1));
    EXPECT_FALSE(copy.at(-0.1));
    EXPECT_FALSE(copy.at(1.0, "nobody"));
}

TEST(DenseSolutions, KnowWhatHeldAtEachTime) {
    const Model model = read(R"(
model Bounce
  Real h(start = 1, fixed = true), v(start = 0, fixed = true), a;
  discrete Real n(start = 0);
equation
  der(h) = v;
  der(v) = a;
  a = if time < 0.2 then -9.81 else -1.62;
  when h < 0.3 then
    n = pre(n) + 1;
    reinit(v, -0.5*pre(v));
  end when;
end Bounce;
)");
    const auto s = solve(model, {.until = 1.2, .rtol = 1e-9});
    ASSERT_TRUE(s && s->success()) << s->message();
    EXPECT_DOUBLE_EQ(s->at(0.1, "a").value(), -9.81);
    EXPECT_DOUBLE_EQ(s->at(0.3, "a").value(), -1.62);
    EXPECT_NEAR(s->at(0.1, "h").value(), 1 - 0.5 * 9.81 * 0.01, 1e-8);
    ASSERT_FALSE(s->events().empty());
    const double impact = s->events().front().t;
    EXPECT_NEAR(s->at(impact, "h").value(), 0.3, 1e-7);
    EXPECT_EQ(s->at(impact - 1e-6, "n").value(), 0);
    EXPECT_EQ(s->at(impact + 1e-6, "n").value(), 1);
    EXPECT_LT(s->at(impact - 1e-6, "v").value(), 0);
    EXPECT_GT(s->at(impact, "v").value(), 0); // behind the event
}

TEST(DenseSolutions, AreAbsentWhereNobodyAskedForThem) {
    const auto s = solve(read(pendulum), {.until = 1.0, .dense = false});
    ASSERT_TRUE(s && s->success());
    const auto refused = s->at(0.5);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().front().code, "not-dense");
}

TEST(Sweeps, DependOnNoThread) {
    const auto compiled = read(pendulum).compile();
    ASSERT_TRUE(compiled);
    SweepOptions options{.solve = {.until = 2.0}, .names = {"L", "g"}};
    options.points = grid({{"L", equally_spaced(0.5, 2, 4)}, {"g", {1.62, 9.81}}});
    ASSERT_EQ(options.points.size(), 8U);
    EXPECT_EQ(options.points[1], (std::vector<double>{0.5, 9.81}));
    options.threads = 1;
    const auto one = sweep(*compiled, options);
    options.threads = 4;
    const auto four = sweep(*compiled, options);
    ASSERT_TRUE(one && four);
    EXPECT_EQ(one->to_csv(), four->to_csv());
    EXPECT_EQ(one->failures(), 0U);
    for (const SweepRun& run : one->runs) {
        const auto alone =
            solve(read(pendulum), {.until = 2.0, .parameters = {{"L", run.point[0]}, {"g", run.point[1]}}});
        ASSERT_TRUE(alone && alone->success());
        for (std::size_t v = 0; v < one->variables.size(); ++v)
            EXPECT_NEAR(run.finals[v], alone->final(one->variables[v]), 1e-4 * (1 + std::abs(run.finals[v])));
    }
}

TEST(Sweeps, SayWhichRunsFailAndWhy) {
    const auto compiled = read("model M parameter Real p = 1; Real x(start = 1, fixed = true); equation der(x) = "
                               "p*x^2; end M;")
                              .compile();
    ASSERT_TRUE(compiled);
    const auto result = sweep(*compiled, {.solve = {.until = 1.0}, .names = {"p"}, .points = {{0.5}, {2.0}, {-1.0}}});
    ASSERT_TRUE(result);
    EXPECT_EQ(result->failures(), 1U); // x = 1/(1 - p t) has a pole at t = 1/2
    EXPECT_FALSE(result->runs[1].message.empty());
    EXPECT_NEAR(result->runs[1].end_time, 0.5, 1e-3);
    EXPECT_NEAR(result->runs[0].finals[0], 2.0, 1e-4);
    EXPECT_NEAR(result->runs[2].finals[0], 0.5, 1e-4);
    EXPECT_NE(result->to_html().find("not complete"), std::string::npos);
    EXPECT_FALSE(sweep(*compiled, {.solve = {.until = 1.0}, .names = {"q"}, .points = {{1.0}}}));
    EXPECT_FALSE(sweep(*compiled, {.solve = {.until = 1.0}, .names = {"p"}, .points = {{1.0, 2.0}}}));
}

TEST(Sweeps, LatinHypercubesHitEveryStratumOnce) {
    const auto points = latin_hypercube({{"a", {0, 1}}, {"b", {-5, 5}}}, 50, 7);
    std::vector<int> a(50), b(50);
    for (const auto& p : points) {
        ++a[static_cast<std::size_t>(p[0] * 50)];
        ++b[static_cast<std::size_t>((p[1] + 5) / 10 * 50)];
    }
    EXPECT_EQ(a, std::vector<int>(50, 1));
    EXPECT_EQ(b, std::vector<int>(50, 1));
    EXPECT_EQ(points, latin_hypercube({{"a", {0, 1}}, {"b", {-5, 5}}}, 50, 7));
    EXPECT_NE(points, latin_hypercube({{"a", {0, 1}}, {"b", {-5, 5}}}, 50, 8));
}

TEST(FixedSteps, ShowTheOrderOfTheMethod) {
    const Model model = read("model M Real x(start = 1, fixed = true); equation der(x) = -x + cos(time); end M;");
    const auto error = [&](double h) {
        const auto s = solve(model, {.until = 1.0, .method = "dopri5", .fixed_step = h});
        EXPECT_TRUE(s && s->success());
        return std::abs(s->final("x") - (0.5 * (std::cos(1.0) + std::sin(1.0)) + 0.5 * std::exp(-1.0)));
    };
    EXPECT_NEAR(std::log2(error(0.1) / error(0.05)), 5.0, 0.3);
    EXPECT_FALSE(solve(model, {.until = 1.0, .fixed_step = -0.1}));
}

TEST(Certificates, AreWhatWasAskedFor) {
    const auto with = [&](Certify certify) {
        auto s = solve(read(pendulum), {.until = 1.0, .certify = certify});
        EXPECT_TRUE(s && s->success());
        return *std::move(s);
    };
    EXPECT_TRUE(with(Certify::none).residuals().empty());
    EXPECT_EQ(with(Certify::none).diagnostics().back().code, "not-checked");
    double between = 0.0;
    const Solution at_steps = with(Certify::steps), everywhere = with(Certify::all);
    for (const ResidualSummary& r : at_steps.residuals()) between += r.between;
    EXPECT_EQ(between, 0.0);
    for (const ResidualSummary& r : everywhere.residuals()) between += r.between;
    EXPECT_GT(between, 0.0);
}

} // namespace
} // namespace daedalus
