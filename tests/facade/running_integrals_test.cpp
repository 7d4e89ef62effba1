// The rule's degree, halving where it must, and integrals that stand outside the system.
#include "facade/solving.hpp"

#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

Solution integrated(const std::string& integrand, const SolveOptions& options) {
    return solved(
        "model M Real x(start = 1, fixed = true), q(start = 0.5, fixed = true); equation der(x) = -x; der(q) = " +
            integrand + "; end M;",
        options);
}

// Kronrod's 7 points are exact to degree 11: one step over the whole interval.
TEST(RunningIntegrals, DegreeOfTheRule) {
    SolveOptions options{.until = 1, .rtol = 1e-3, .first_step = 1.0};
    options.quadratures = true;
    const Solution s = integrated("12*time^11", options);
    EXPECT_NEAR(s.final("q"), 1.5, 1e-14);
}

TEST(RunningIntegrals, MatchTheSystem) {
    for (const char* method : {"radau", "radau5", "bdf", "rodas4", "rodas5", "esdirk4", "limex"})
        for (const double rtol : {1e-4, 1e-6, 1e-8}) {
            SolveOptions options{.until = 3, .method = method, .rtol = rtol, .points = 7};
            const Solution outside = integrated("x^2*cos(5*time)", options);
            options.quadratures = false;
            const Solution inside = integrated("x^2*cos(5*time)", options);
            // ∫ e^{-2t} cos 5t = e^{-2t} (5 sin 5t - 2 cos 5t)/29 + 2/29
            for (std::size_t k = 0; k < outside.time().size(); ++k) {
                const double t = outside.time()[k];
                const double exact =
                    0.5 + 2.0 / 29 + std::exp(-2 * t) * (5 * std::sin(5 * t) - 2 * std::cos(5 * t)) / 29;
                EXPECT_NEAR(outside["q"][k], exact, 10 * rtol) << method << " " << rtol << " at " << t;
                EXPECT_NEAR(inside["q"][k], exact, 10 * rtol) << method << " " << rtol << " at " << t;
            }
        }
}

// A peak that the steps of x do not see.
TEST(RunningIntegrals, HalvesWhereItMust) {
    const Solution s = integrated("exp(-((time - 1.3)/0.001)^2)", {.until = 3, .rtol = 1e-6, .max_step = 0.05});
    EXPECT_NEAR(s.final("q"), 0.5 + 0.001 * std::sqrt(3.14159265358979323846), 1e-6);
}

// No rule may step over a pole, where the integral does not exist: halving shows that it does not help.
TEST(RunningIntegrals, APoleIsNotSteppedOver) {
    auto model = Model::from_string("model M Real x(start = -1, fixed = true), q(start = 0, fixed = true); equation "
                                    "der(x) = 1; der(q) = 1/x; end M;");
    ASSERT_TRUE(model);
    for (const char* method : {"auto", "radau", "bdf", "esdirk4", "dop853"}) {
        const auto s = solve(*model, {.until = 3, .method = method});
        ASSERT_TRUE(s) << method;
        EXPECT_FALSE(s->success()) << method;
        EXPECT_NEAR(s->end_time(), 1.0, 1e-3) << method;
    }
}

// Whoever is asked for by something else stays in the system.
TEST(RunningIntegrals, StayWhereSomethingDepends) {
    auto model = Model::from_string("model M Real x(start = 1, fixed = true), q(start = 0, fixed = true); equation "
                                    "der(x) = -x; der(q) = x; when q > 0.5 then terminate(\"half\"); end when; end M;");
    ASSERT_TRUE(model);
    const auto s = solve(*model, {.until = 3, .rtol = 1e-8});
    ASSERT_TRUE(s && s->success());
    EXPECT_NEAR(s->end_time(), std::log(2.0), 1e-7);
}

TEST(RunningIntegrals, OnRequest) {
    auto model = Model::from_string("model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;");
    ASSERT_TRUE(model);
    SolveOptions options{.until = 2, .rtol = 1e-9};
    options.integrals = {{"area", "x"}, {"energy", "x*x"}};
    auto s = solve(*model, options);
    ASSERT_TRUE(s && s->success());
    EXPECT_NEAR(s->final("area"), 1 - std::exp(-2), 1e-8);
    EXPECT_NEAR(s->final("energy"), 0.5 * (1 - std::exp(-4)), 1e-8);
    options.integrals = {{"x", "x"}};
    EXPECT_FALSE(solve(*model, options));
    options.integrals = {{"a", "x +"}};
    EXPECT_FALSE(solve(*model, options));
}

} // namespace
