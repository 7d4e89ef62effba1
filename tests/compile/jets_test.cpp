// Taylor series of F along curves as a facet: against the derivative array made by total derivatives of expressions,
// and in use, for the Taylor series of solutions.
#include "compile/compile.hpp"
#include "compile/derivative_array.hpp"
#include "modelica/read_modelica.hpp"
#include "problem/jets.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace daedalus;

namespace {

std::shared_ptr<const model::Model> read(const std::string& text) {
    auto m = modelica::read_modelica(std::make_shared<SourceFile>("text.mo", text));
    EXPECT_TRUE(m);
    return std::make_shared<const model::Model>(*std::move(m));
}

compile::CompiledModel compiled(const std::shared_ptr<const model::Model>& m, bool wanted = true) {
    compile::CompileOptions options;
    options.reduce = Reduction::none;
    options.eliminate_aliases = false;
    options.jets = wanted;
    auto c = compile::compile(m, options);
    EXPECT_TRUE(c);
    return *std::move(c);
}

/// Two algorithms for d^k F/dt^k: recurrences over numbers, and expressions that are differentiated.
void expect_array(const std::string& text) {
    constexpr int order = 5;
    const auto m = read(text);
    const compile::CompiledModel c = compiled(m);
    const auto& jets = c.problem.facet<problem::Jets>();
    ASSERT_FALSE(jets.empty());
    auto array = compile::derivative_array(m, {});
    ASSERT_TRUE(array);
    const int n = c.problem.size();
    ASSERT_EQ(array->array->unknowns(), n);
    ASSERT_TRUE(array->array->prepare(order));
    std::mt19937 random(11);
    std::uniform_real_distribution<double> uniform(0.3, 1.2);
    for (int round = 0; round < 3; ++round) {
        const double t = uniform(random);
        std::vector<double> z(static_cast<std::size_t>(array->array->columns(order)));
        for (double& v : z) v = uniform(random);
        std::vector<double> jet, r(static_cast<std::size_t>(n * (order + 1))), expected(r.size());
        for (int i = 0; i < n; ++i) {
            double factorial = 1.0;
            for (int k = 0; k <= order + 1; ++k) {
                jet.push_back(z[static_cast<std::size_t>(k * n + i)] / factorial);
                factorial *= k + 1;
            }
        }
        problem::ImplicitProblem at_point = c.problem; // on the branches that hold there
        std::vector<signed char> side;
        at_point.set_modes_at(t, z.data(), z.data() + n, true, side);
        ASSERT_EQ(jets.series(at_point.call(), t, order, jet.data(), r.data()), problem::EvalStatus::ok);
        ASSERT_EQ(array->array->residual(order, t, z.data(), expected.data()), problem::EvalStatus::ok);
        double factorial = 1.0;
        for (int k = 0; k <= order; factorial *= ++k)
            for (int i = 0; i < n; ++i) {
                const double wanted = expected[static_cast<std::size_t>(k * n + i)];
                EXPECT_NEAR(factorial * r[static_cast<std::size_t>(i * (order + 1) + k)], wanted,
                            1e-11 * (1 + std::abs(wanted)))
                    << text << " row " << i << ", derivative " << k;
            }
    }
}

TEST(Jets, AreTheDerivativeArray) {
    expect_array("model A Real x, y, l; equation der(x) = y*l + sin(x*time); der(y) = exp(-x)/(1 + y^2); "
                 "x^2 + y^3 = 1 + cos(time); end A;");
    expect_array("model B parameter Real p = 2.5; Real x, v; equation der(x)*x = v^p; der(v) = sqrt(x) - "
                 "log(v)*atan(x); end B;");
    expect_array("model C Real x, y; equation der(x*y) = tanh(y) - x; abs(x) + y = if x < y then x else y^2; end C;");
}

/// x' = y, y = x² with x(0) = 1: x = 1/(1 - t) has all coefficients 1, y = 1/(1 - t)² has k + 1. Coefficient after
/// coefficient, from residuals alone: the next one of x enters r_k of the first row linearly, that of y the second's.
TEST(Jets, GiveTheSeriesOfSolutions) {
    const compile::CompiledModel c =
        compiled(read("model T Real x(start = 1), y; equation der(x) = y; y = x^2; end T;"));
    const auto& jets = c.problem.facet<problem::Jets>();
    constexpr int order = 20;
    constexpr std::size_t length = order + 2, rows = order + 1;
    std::vector<double> jet(2 * length, 0.0), r(2 * rows);
    jet[0] = 1.0;
    for (std::size_t k = 0; k <= order; ++k) {
        ASSERT_EQ(jets.series(c.problem.call(), 0.0, order, jet.data(), r.data()), problem::EvalStatus::ok);
        jet[length + k] -= r[rows + k]; // y_k - …
        jet[k + 1] += jet[length + k] / static_cast<double>(k + 1);
        EXPECT_NEAR(jet[k], 1.0, 1e-13) << k;
        EXPECT_NEAR(jet[length + k], static_cast<double>(k + 1), 1e-12 * (k + 1.0)) << k;
    }
    ASSERT_EQ(jets.series(c.problem.call(), 0.0, order, jet.data(), r.data()), problem::EvalStatus::ok);
    for (const double v : r) EXPECT_NEAR(v, 0.0, 1e-11);
}

TEST(Jets, AreMadeWhereAskedFor) {
    const auto m = read("model A Real x(start = 1); equation der(x) = -x; end A;");
    EXPECT_TRUE(compiled(m, false).problem.facet<problem::Jets>().empty());
}

} // namespace
