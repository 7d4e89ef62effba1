// ∂F/∂p as a facet: against differences of the residual in the numbers of the environment, and in use, as what
// sensitivities begin with.
#include "compile/compile.hpp"
#include "modelica/read_modelica.hpp"
#include "problem/parameters.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

using namespace daedalus;

namespace {

compile::CompiledModel compiled(const std::string& text, std::vector<model::ParameterOverride> given = {},
                                bool wanted = true) {
    auto m = modelica::read_modelica(std::make_shared<SourceFile>("text.mo", text));
    EXPECT_TRUE(m);
    compile::CompileOptions options;
    options.inline_definitions = true;
    options.parameter_derivatives = wanted;
    options.parameters = std::move(given);
    auto c = compile::compile(std::make_shared<const model::Model>(*std::move(m)), options);
    EXPECT_TRUE(c);
    return *std::move(c);
}

const char* const oscillator =
    "model M parameter Real a = 2; parameter Real b = 3*a^2; parameter Real c = sin(b) + a; constant Real e = 4;"
    "parameter Real unused = 1; parameter Real d = 0.5;"
    "Real x(start = 1), v(start = 0.3), y; equation der(x) = v + d*y; der(v) = -b*x^3 - c*v*exp(-a*time);"
    "y = if x > d then a*v else c*v^2*e; end M;";

/// Residuals where p, and what is defined by it, are moved.
std::vector<double> moved(const compile::CompiledModel& compiled_as, const model::ParameterOverride& p, double t,
                          const std::vector<double>& x, const std::vector<double>& dx) {
    problem::ImplicitProblem problem = compiled_as.problem;
    const auto values = model::parameter_values(*compiled_as.model, {p});
    EXPECT_TRUE(values);
    for (std::size_t k = 0; k < values->size(); ++k) problem.environment().set(k, (*values)[k]);
    std::vector<double> r(static_cast<std::size_t>(problem.kernel_rows()));
    EXPECT_EQ(problem.residual(t, x.data(), dx.data(), r.data()), problem::EvalStatus::ok);
    return r;
}

TEST(ParameterDerivatives, AreThoseOfDifferences) {
    const compile::CompiledModel c = compiled(oscillator);
    const auto& facet = c.problem.facet<problem::Parameters>();
    ASSERT_FALSE(facet.empty());
    ASSERT_EQ(facet.columns.size(), 3U); // b and c follow a
    EXPECT_EQ(facet.columns[0].name, "a");
    EXPECT_EQ(facet.columns[0].followers.size(), 2U);
    const auto rows = static_cast<std::size_t>(c.problem.kernel_rows());
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(0.2, 1.0);
    for (int round = 0; round < 5; ++round) {
        const double t = uniform(random);
        std::vector<double> x(static_cast<std::size_t>(c.problem.size())), dx(x);
        for (double& v : x) v = uniform(random);
        for (double& v : dx) v = uniform(random);
        std::vector<double> values(static_cast<std::size_t>(facet.pattern.nonzeros()));
        ASSERT_EQ(facet.derivatives(c.problem.call(), t, x.data(), dx.data(), values.data()), problem::EvalStatus::ok);
        for (std::size_t j = 0; j < facet.columns.size(); ++j) {
            const auto& column = facet.columns[j];
            const double at = c.parameters[static_cast<std::size_t>(column.place)], h = 1e-5;
            const auto above = moved(c, {column.name, at + h}, t, x, dx),
                       below = moved(c, {column.name, at - h}, t, x, dx);
            for (std::size_t i = 0; i < rows; ++i) {
                const int k = facet.pattern.find(static_cast<int>(i), static_cast<int>(j));
                const double exact = k < 0 ? 0.0 : values[static_cast<std::size_t>(k)];
                EXPECT_NEAR((above[i] - below[i]) / (2 * h), exact, 1e-6) << column.name << ", row " << i;
            }
            if (column.name == "unused") EXPECT_EQ(facet.pattern.column_start[j], facet.pattern.column_start[j + 1]);
        }
    }
}

TEST(ParameterDerivatives, AreMadeWhereAskedFor) {
    EXPECT_TRUE(compiled(oscillator, {}, false).problem.facet<problem::Parameters>().empty());
    // A value from outside follows nothing.
    const compile::CompiledModel c = compiled(oscillator, {{"b", 1.0}});
    ASSERT_EQ(c.problem.facet<problem::Parameters>().columns.size(), 4U);
    EXPECT_EQ(c.problem.facet<problem::Parameters>().columns[1].name, "b");
}

/// x' = -p x + p²: s = ∂x/∂p has s' = -p s - x + 2 p, by Runge's classical method. In closed form
/// x = p + (x0 - p) exp(-p t) and s = 1 - exp(-p t) - t (x0 - p) exp(-p t).
TEST(ParameterDerivatives, GiveSensitivities) {
    const compile::CompiledModel c = compiled("model S parameter Real p = 0.7; Real x(start = 3, fixed = true); "
                                              "equation der(x) = -p*x + p^2; end S;");
    const auto& facet = c.problem.facet<problem::Parameters>();
    ASSERT_EQ(facet.pattern.nonzeros(), 1);
    const double p = 0.7, x0 = 3.0, end = 2.0;
    const auto exact_x = [&](double t) { return p + (x0 - p) * std::exp(-p * t); };
    const auto slope = [&](double t, double s) { // of s, from the facets of the waist alone
        const double x = exact_x(t), dx = -p * (x - p);
        double f_p = 0, jx = 0, jdx = 0;
        EXPECT_EQ(facet.derivatives(c.problem.call(), t, &x, &dx, &f_p), problem::EvalStatus::ok);
        EXPECT_EQ(c.problem.jacobian(t, &x, &dx, &jx, &jdx), problem::EvalStatus::ok);
        return -(jx * s + f_p) / jdx;
    };
    constexpr int steps = 200;
    const double h = end / steps;
    double s = 0.0;
    for (int k = 0; k < steps; ++k) { // Runge's classical method
        const double t = k * h, k1 = slope(t, s), k2 = slope(t + h / 2, s + h / 2 * k1),
                     k3 = slope(t + h / 2, s + h / 2 * k2), k4 = slope(t + h, s + h * k3);
        s += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    EXPECT_NEAR(s, 1 - std::exp(-p * end) - end * (x0 - p) * std::exp(-p * end), 1e-9);
}

} // namespace
