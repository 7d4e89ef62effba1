// What a method of a given order integrates as written (W 2.1, Thm 3.6), on NC Problem 5.1, whose solution is known: a
// run is right or refused.
#include "daedalus/solve.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace daedalus {
namespace {

Model nc_problem_5_1() {
    auto m = Model::from_string(
        "model NC\n  Real x(start=0.8414709848078965), y(start=0.5403023058681398), u(start=1.0806046117362795, "
        "fixed=true), v(start=-1.682941969615793), lambda(start=-4);\nequation\n  der(x) = u;\n  der(y) = v;\n"
        "  der(u) = 2*y + x*lambda;\n  der(v) = -2*x + y*lambda;\n  x^2 + y^2 = 1;\nend NC;\n");
    EXPECT_TRUE(m);
    return *std::move(m);
}

SolveOptions as_written(const std::string& method, int max_order = 5) {
    SolveOptions o;
    o.reduction = Reduction::none;
    o.method = method;
    o.max_order = max_order;
    o.rtol = o.atol = 1e-5;
    o.until = 1.0;
    return o;
}

TEST(OrderLimits, BdfOnIndex3) {
    for (int k = 1; k <= 6; ++k) {
        const auto s = solve(nc_problem_5_1(), as_written("bdf", k));
        if (k == 1) { // q = k − ν + 2 = 0
            ASSERT_FALSE(s);
            EXPECT_EQ(s.error().front().code, "method-and-index");
            EXPECT_THAT(s.error().front().message, testing::HasSubstr("W 2.1"));
            continue;
        }
        ASSERT_TRUE(s) << k;
        ASSERT_TRUE(s->success()) << k;
        const auto t = s->time(), lambda = (*s)["lambda"];
        for (std::size_t n = 0; n < t.size(); ++n)
            EXPECT_NEAR(lambda[n], -4 * (1 + t[n]) * (1 + t[n]), 0.02) << "order " << k << " at t = " << t[n];
        EXPECT_NEAR(s->final("x"), std::sin(4.0), 1e-4) << k;
    }
}

TEST(OrderLimits, ImplicitEulerOnIndex3) {
    const auto s = solve(nc_problem_5_1(), as_written("radau1"));
    ASSERT_FALSE(s);
    EXPECT_EQ(s.error().front().code, "method-and-index");
    EXPECT_THAT(s.error().front().message, testing::HasSubstr("W Thm 3.6"));
    EXPECT_TRUE(solve(nc_problem_5_1(), as_written("radau5")));
}

TEST(OrderLimits, ErrorsGrantedToMultipliersAreTold) {
    SolveOptions o = as_written("radau5");
    o.rtol = o.atol = 1e-8;
    const auto s = solve(nc_problem_5_1(), o);
    ASSERT_TRUE(s && s->success());
    const auto t = s->time(), lambda = (*s)["lambda"];
    double error = 0.0;
    for (std::size_t n = 0; n < t.size(); ++n)
        error = std::max(error, std::abs(lambda[n] + 4 * (1 + t[n]) * (1 + t[n])) / (1 + std::abs(lambda[n])));
    ASSERT_GT(error, 100 * 1e-8); // so there is something to tell
    bool told = false;
    for (const Diagnostic& d : s->diagnostics()) {
        if (d.code != "granted-errors") continue;
        told = true;
        EXPECT_THAT(d.message, testing::HasSubstr("lambda is of index 3"));
    }
    EXPECT_TRUE(told);
}

TEST(OrderLimits, AutoOnIndex5AsWritten) {
    // x1 + x1³/10 = sin t, and each further one from the derivative of the one before.
    const auto chain = Model::from_string("model C\n  Real x1, x2, x3, x4, x5;\nequation\n  der(x1) = x2 + 0.1*x1^2;\n"
                                          "  der(x2) = x3 + 0.1*x2*x1;\n  der(x3) = x4 + 0.1*x3*x1;\n  der(x4) = x5;\n"
                                          "  x1 + 0.1*x1^3 = sin(time);\nend C;\n");
    ASSERT_TRUE(chain);
    for (const char* method : {"auto", "radau", "bdf", "radau17"}) {
        const auto s = solve(*chain, as_written(method));
        ASSERT_FALSE(s) << method;
        EXPECT_EQ(s.error().front().code, "method-and-index") << method;
        EXPECT_THAT(s.error().front().message, testing::HasSubstr("index 5")) << method;
    }
    SolveOptions reduced = as_written("auto");
    reduced.reduction = Reduction::automatic;
    EXPECT_TRUE(solve(*chain, reduced));
    // Where time alone determines everything, nothing is integrated, and the result is right.
    const auto known =
        Model::from_string("model C\n  Real x1, x2, x3, x4, x5;\nequation\n  der(x1) = x2;\n  der(x2) = x3;\n"
                           "  der(x3) = x4;\n  der(x4) = x5;\n  x1 = sin(time);\nend C;\n");
    const auto s = solve(*known, as_written("auto"));
    ASSERT_TRUE(s && s->success());
    EXPECT_NEAR(s->final("x5"), std::sin(1.0), 1e-12);
}

} // namespace
} // namespace daedalus
