// Methods with constant steps, ends of steps, numerically consistent starts and observed orders on a user's model.
#include "daedalus/model_orders.hpp"
#include "daedalus/solve.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace daedalus;

namespace {

/// x1 = e^t, x2 = e^{-2t}, y = e^{2t} (HLR 1989).
constexpr const char* index_2 = R"(model H2
  Real x1(start = 1, fixed = true); Real x2(start = 1); Real y(start = 1);
equation
  der(x1) = x1*x2^2*y^2;
  der(x2) = x1^2*x2^2 - 3*x2^2*y;
  0 = x1^2*x2 - 1;
end H2;)";

/// NC (5.1): λ = -4 (1 + t)².
constexpr const char* index_3 = R"(model NC51
  Real x(start = sin(1), fixed = true); Real y(start = cos(1));
  Real u(start = 2*cos(1), fixed = true); Real v(start = -2*sin(1)); Real lambda(start = -4);
equation
  der(x) = u;
  der(y) = v;
  der(u) = 2*y + x*lambda;
  der(v) = -2*x + y*lambda;
  x^2 + y^2 = 1;
end NC51;)";

Model model(const char* text) {
    auto read = Model::from_string(text);
    EXPECT_TRUE(read.has_value());
    return *std::move(read);
}

double observed(const Reproduction& result, const std::string& method, const std::string& variable) {
    for (const auto& row : result.tables.front().rows)
        if (std::get<std::string>(row[0]) == method && std::get<std::string>(row[1]) == variable)
            return std::holds_alternative<double>(row[5]) ? std::get<double>(row[5]) : NAN;
    return NAN;
}

TEST(ModelOrders, AreTheTheoremsOnIndex2AsWritten) {
    ModelOrderOptions options;
    options.solve.until = 0.5;
    options.solve.reduction = Reduction::none;
    options.methods = {"gauss-3", "radau1a-3", "radau2a-2", "lobatto3c-2", "bdf2"};
    const auto result = orders(model(index_2), options);
    ASSERT_TRUE(result.has_value()) << result.error().front().message;
    EXPECT_EQ(result->verdict, StudyVerdict::agrees);
    const struct {
        const char* method;
        double x, y;
    } theorems[] = {{"gauss-3", 4, 2}, {"radau1a-3", 3, 2}, {"radau2a-2", 3, 2}, {"lobatto3c-2", 2, 1}, {"bdf2", 2, 2}};
    for (const auto& t : theorems) {
        EXPECT_NEAR(observed(*result, t.method, "x1"), t.x, 0.2) << t.method;
        EXPECT_NEAR(observed(*result, t.method, "y"), t.y, 0.2) << t.method;
    }
}

TEST(ModelOrders, ProjectionGivesGaussItsFullOrder) {
    ModelOrderOptions options;
    options.solve.until = 0.5;
    options.solve.reduction = Reduction::none;
    options.solve.end_of_step = "projected";
    options.methods = {"gauss-2"};
    const auto result = orders(model(index_2), options);
    ASSERT_TRUE(result.has_value()) << result.error().front().message;
    EXPECT_NEAR(observed(*result, "gauss-2", "x1"), 4.0, 0.2);
    EXPECT_NEAR(observed(*result, "gauss-2", "y"), 4.0, 0.2);
}

/// |error of λ| at the first steps of implicit Euler, NC Table 5.1: O(1) from exact values, O(h) from shifted ones.
TEST(ModelOrders, NumericallyConsistentStartOfAModel) {
    const Model m = model(index_3);
    const auto first_error = [&](const std::string& start_up) {
        SolveOptions options;
        options.until = 0.01;
        options.method = "bdf1";
        options.fixed_step = 0.001;
        options.reduction = Reduction::none;
        options.points = 0;
        options.rtol = options.atol = 1e-10;
        options.start_up = start_up;
        const auto solution = solve(m, options);
        EXPECT_TRUE(solution.has_value());
        if (!solution) return double(NAN);
        const double t = solution->time()[1];
        return std::abs((*solution)["lambda"][1] + 4 * (1 + t) * (1 + t));
    };
    EXPECT_GT(first_error("exact"), 0.5);
    EXPECT_LT(first_error("numerical"), 0.02);
    EXPECT_LT(first_error("corrected"), 0.02);
}

TEST(ModelOrders, RefusalsSayWhy) {
    const Model two = model(index_2), three = model(index_3);
    const auto refused = [](const Model& m, auto change) {
        SolveOptions options;
        options.until = 0.1;
        options.reduction = Reduction::none;
        change(options);
        const auto solution = solve(m, options);
        EXPECT_FALSE(solution.has_value());
        return solution ? std::string() : solution.error().front().code;
    };
    EXPECT_EQ(refused(two, [](SolveOptions& o) { o.method = "am2"; }), "method-and-steps");
    EXPECT_EQ(refused(two, [](SolveOptions& o) { o.method = "gauss-2"; }), "method-and-index");
    EXPECT_EQ(refused(two, [](SolveOptions& o) { o.method = "lobatto3b-3"; }), "method-and-index");
    EXPECT_EQ(refused(three, [](SolveOptions& o) { o.method = "gauss-4"; }), "method-and-index");
    EXPECT_EQ(refused(three, [](SolveOptions& o) { o.method = "gauss-4", o.end_of_step = "projected"; }),
              "end-of-step");
    EXPECT_EQ(refused(two, [](SolveOptions& o) { o.method = "radau5", o.end_of_step = "direct"; }), "end-of-step");
    EXPECT_EQ(refused(two, [](SolveOptions& o) { o.method = "gauss-3", o.end_of_step = "indirect"; }), "end-of-step");
    EXPECT_EQ(refused(two, [](SolveOptions& o) { o.method = "gauss-3", o.end_of_step = "sideways"; }), "end-of-step");
    EXPECT_EQ(refused(two, [](SolveOptions& o) { o.method = "bdf1", o.fixed_step = 0.01, o.start_up = "numerical"; }),
              "start-up");
    EXPECT_EQ(refused(three, [](SolveOptions& o) { o.method = "bdf2", o.fixed_step = 0.01, o.start_up = "corrected"; }),
              "start-up");
}

/// With step-size control: the error at the end is near the tolerance, on index 1 after reduction.
TEST(MethodsByTableau, KeepTheTolerance) {
    const Model m = model(index_2);
    for (const char* method :
         {"gauss-1",     "gauss-2",     "gauss-3",     "gauss-4",     "gauss-5",     "radau1a-2",   "radau1a-3",
          "radau2a-2",   "radau2a-4",   "lobatto3a-2", "lobatto3a-3", "lobatto3a-4", "lobatto3b-3", "lobatto3c-2",
          "lobatto3c-3", "lobatto3c-4", "sdirk2",      "sdirk3",      "sdirk4",      "crouzeix3"}) {
        SolveOptions options;
        options.until = 0.5;
        options.method = method;
        options.rtol = 1e-6;
        const auto solution = solve(m, options);
        ASSERT_TRUE(solution.has_value()) << method << ": " << solution.error().front().message;
        ASSERT_TRUE(solution->success()) << method << ": " << solution->message();
        EXPECT_LT(std::abs(solution->final("x1") / std::exp(0.5) - 1), 2e-5) << method;
        EXPECT_LT(std::abs(solution->final("y") / std::exp(1.0) - 1), 2e-5) << method;
    }
}

} // namespace
