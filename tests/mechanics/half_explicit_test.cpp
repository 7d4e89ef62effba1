// Half-explicit methods: observed orders in positions, velocities and multipliers, what they keep, and their estimates.
#include "mechanics/pendulum.hpp"

#include <gmock/gmock.h>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

const Solution& exact() {
    static const Solution s = solved(pendulum(), {.until = 10, .method = "radau", .rtol = 1e-12, .points = 1});
    return s;
}

Solution with_steps(const char* method, double h) {
    return solved(pendulum(), {.until = 10, .method = method, .points = 0, .fixed_step = h});
}

} // namespace

TEST(HalfExplicitEuler, ErrorsAndDriftAsStated) {
    const double errors[] = {3.62e-1, 1.67e-1, 7.96e-2, 3.88e-2, 1.92e-2};
    double tau = 0.01;
    for (const double stated : errors) {
        const Solution s = with_steps("half-explicit-euler", tau);
        double error = 0;
        for (const char* name : pendulum_names) error = std::max(error, std::abs(s.final(name) - exact().final(name)));
        EXPECT_NEAR(error, stated, 2e-3 * stated) << tau;
        const ConstraintErrors c = constraint_errors(s);
        EXPECT_LT(c.Gv, 1e-15);
        // d|q|²/dt = τ |v|² of the scheme: ∫ |v|² = 9.70834814.
        EXPECT_NEAR(c.g_at_end / tau, 9.70834814, 66 * tau);
        tau /= 2;
    }
}

TEST(HalfExplicitRungeKutta, HasItsOrderInPositionsVelocitiesAndMultipliers) {
    const std::tuple<const char*, int, double> methods[] = {
        {"hem4", 4, 0.0125}, {"hem5", 5, 0.05}, {"phem56", 5, 0.05}};
    for (const auto& [method, order, h] : methods) {
        const EndErrors a = end_errors(with_steps(method, h), exact()),
                        b = end_errors(with_steps(method, h / 2), exact());
        EXPECT_NEAR(std::log2(a.q / b.q), order, 0.25) << method;
        EXPECT_NEAR(std::log2(a.v / b.v), order, 0.25) << method;
        EXPECT_NEAR(std::log2(a.lambda / b.lambda), order, 0.25) << method;
    }
}

TEST(HalfExplicitRungeKutta, KeepsVelocitiesAndFollowsTheTolerance) {
    for (const char* method : {"hem4", "hem5", "phem56", "mexx"})
        for (const double rtol : {1e-5, 1e-7, 1e-9}) {
            const Solution s = solved(pendulum(), {.until = 10, .method = method, .rtol = rtol, .atol = rtol});
            const EndErrors e = end_errors(s, exact());
            EXPECT_LT(std::max(e.q, e.v), 20 * rtol) << method << ' ' << rtol;
            EXPECT_LT(constraint_errors(s).Gv, rtol) << method; // between steps; at the steps to round-off:
            for (const ResidualSummary& r : s.residuals())
                if (r.differentiations == 1) EXPECT_LT(r.at_steps, 1e-14) << r.equation;
        }
}

TEST(HalfExplicitRungeKutta, ProjectsWhereAsked) {
    for (const char* method : {"hem4", "hem5", "phem56", "mexx"}) {
        const Solution s = solved(
            pendulum(), {.until = 50, .method = method, .rtol = 1e-6, .reduction = Reduction::projection, .points = 0});
        const ConstraintErrors c = constraint_errors(s);
        EXPECT_LT(c.g, 1e-12) << method; // as tests/facade/reduction_test.cpp has it for this projection
        EXPECT_LT(c.Gv, 1e-11) << method;
    }
}

// Full and varying masses, friction, a rheonomic constraint, a controller state, a force that is a variable of its own.
TEST(HalfExplicitRungeKutta, OnAMechanismThatIsNotSimple) {
    const std::string model =
        "model M Real x(start = 1), y(start = 0), u, v(start = 0.3), s(start = 0.2), F, l; equation der(x) = u; der(y) "
        "= v; "
        "(2 + x^2)*der(u) + 0.5*der(v) = F - 0.1*u - 2*x*l; 0.5*der(u) + 3*der(v) = -9.81 - 2*y*l + s; "
        "der(s) = -s + u; F = -2*x + sin(time); x^2 + y^2 = (1 + 0.1*sin(time))^2; end M;";
    const Solution exact = solved(model, {.until = 5, .method = "radau", .rtol = 1e-11, .points = 1});
    for (const char* method : {"hem4", "hem5", "phem56", "mexx"}) {
        const Solution s = solved(model, {.until = 5, .method = method, .rtol = 1e-8, .atol = 1e-8});
        for (const std::string& name : s.names()) EXPECT_NEAR(s.final(name), exact.final(name), 1e-5) << method << name;
    }
}

// The skate: a non-holonomic constraint.
TEST(HalfExplicitRungeKutta, OnANonHolonomicConstraint) {
    const std::string model =
        "model Skate Real x(start = 0, fixed = true), y(start = 0, fixed = true), phi(start = 0, fixed = true), "
        "u(start = 0), v(start = 0), w(start = 1, fixed = true), l; equation der(x) = u; der(y) = v; der(phi) = w; "
        "der(u) = 0.5 + l*sin(phi); der(v) = -l*cos(phi); der(w) = 0; u*sin(phi) - v*cos(phi) = 0; end Skate;";
    const Solution exact = solved(model, {.until = 6, .method = "radau", .rtol = 1e-11, .points = 1});
    for (const char* method : {"hem4", "hem5", "phem56", "mexx"}) {
        const Solution s = solved(model, {.until = 6, .method = method, .rtol = 1e-8, .atol = 1e-8});
        for (const char* name : {"x", "y", "u", "v", "l"})
            EXPECT_NEAR(s.final(name), exact.final(name), 1e-6) << method << name;
    }
}

TEST(MethodsForMechanisms, RefuseOtherModelsAndSayWhatIsMissing) {
    const auto refusal = [](const std::string& model, const char* method, double h = 0) {
        auto s = solve(read(model), {.until = 1, .method = method, .fixed_step = h});
        return s ? std::string("not refused") : render(s.error());
    };
    EXPECT_THAT(refusal("model R Real x(start = 1); equation der(x) = -x; end R;", "hem5"),
                ::testing::HasSubstr("no equation has a second derivative or a multiplier"));
    const std::string friction = "model F Real x(start = 1), u; equation der(x) = u; der(u) = -x - 0.1*u; end F;";
    EXPECT_THAT(refusal(friction, "rattle", 0.1), ::testing::HasSubstr("depend on velocities or on time"));
    EXPECT_THAT(
        refusal("model V Real x(start = 1), u; equation der(x) = u; (1 + x^2)*der(u) = -x; end V;", "rattle", 0.1),
        ::testing::HasSubstr("mass matrix is not constant")); // and its derivative is missing
    EXPECT_THAT(refusal(pendulum(), "rattle"), ::testing::HasSubstr("constant steps only"));
}
