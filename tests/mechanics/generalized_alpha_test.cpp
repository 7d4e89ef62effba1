// The generalised-α method: order 2 also at the start, in rotations and with stiff forces; damping; tolerances.
#include "mechanics/mech.hpp"
#include "mechanics/pendulum.hpp"

#include <gmock/gmock.h>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

Solution with_steps(const std::string& model, double h, double until) {
    return solved(model, {.until = until, .method = "generalized-alpha", .points = 0, .fixed_step = h});
}

} // namespace

TEST(GeneralizedAlpha, HasOrderTwo) {
    const Solution exact = solved(pendulum(), {.until = 10, .method = "radau", .rtol = 1e-12, .points = 1});
    const EndErrors a = end_errors(with_steps(pendulum(), 0.01, 10), exact),
                    b = end_errors(with_steps(pendulum(), 0.005, 10), exact);
    EXPECT_NEAR(std::log2(a.q / b.q), 2, 0.2);
    EXPECT_NEAR(std::log2(a.v / b.v), 2, 0.2);
    EXPECT_NEAR(std::log2(a.lambda / b.lambda), 2, 0.2);
}

// From a point in motion. With a wrong start of the acceleration-like variable the errors after three steps are O(h).
TEST(GeneralizedAlpha, HasOrderTwoFromTheFirstSteps) {
    const std::string moving = pendulum(0.6, -0.8, 0.8, 0.6);
    const auto error = [&](double h) {
        const Solution exact = solved(moving, {.until = 3 * h, .method = "radau", .rtol = 1e-12, .points = 1});
        return end_errors(with_steps(moving, h, 3 * h), exact);
    };
    const EndErrors a = error(0.02), b = error(0.01);
    EXPECT_GT(std::log2(a.q / b.q), 1.8);
    EXPECT_GT(std::log2(a.v / b.v), 1.8);
    EXPECT_GT(std::log2(a.lambda / b.lambda), 1.8);
}

TEST(GeneralizedAlpha, KeepsConstraintsAndFollowsTheTolerance) {
    const Solution exact = solved(pendulum(), {.until = 10, .method = "radau", .rtol = 1e-12, .points = 77});
    for (const double rtol : {1e-3, 1e-4, 1e-5}) {
        const Solution s =
            solved(pendulum(), {.until = 10, .method = "generalized-alpha", .rtol = rtol, .atol = rtol, .points = 77});
        for (std::size_t i = 0; i < s.time().size(); ++i)
            for (const char* name : pendulum_names)
                EXPECT_NEAR(s[name][i], exact[name][i], 20 * rtol) << rtol << ' ' << s.time()[i];
        const ConstraintErrors c = constraint_errors(s);
        EXPECT_LT(c.g, 1e-10) << rtol;
        EXPECT_LT(c.Gv, 1e-10) << rtol;
    }
}

// With absolute tolerances far below, where positions and velocities begin at zero: local errors of order 3 at an error
// of order 2 ask for √10 times as many steps per digit, and nothing that constraints leave in a may be taken for an
// error.
TEST(GeneralizedAlpha, TakesRootTenTimesAsManyStepsPerDigit) {
    const Solution exact = solved(pendulum(), {.until = 5, .method = "radau", .rtol = 1e-12, .points = 1});
    double steps_before = 0;
    for (const double rtol : {1e-3, 1e-4, 1e-5, 1e-6}) {
        const Solution s = solved(pendulum(), {.until = 5, .method = "generalized-alpha", .rtol = rtol});
        const auto steps = static_cast<double>(count(s, "steps"));
        if (steps_before > 0) {
            EXPECT_NEAR(steps / steps_before, std::sqrt(10), 0.4) << rtol;
        }
        steps_before = steps;
        const EndErrors e = end_errors(s, exact);
        EXPECT_LT(std::max(e.q, e.v), 10 * rtol);
    }
}

// A force that jumps where the pendulum passes: both sides, there and back.
TEST(GeneralizedAlpha, GoesOnBehindEvents) {
    const std::string model =
        "model E Real x(start = 1, fixed = true), y(start = 0), u(start = 0), v(start = 0, fixed = true), lambda; "
        "equation der(x) = u; der(y) = v; der(u) = -x*lambda - (if x > 0.2 then 0.5 else -0.3); der(v) = -1 - "
        "y*lambda; "
        "x^2 + y^2 = 1; end E;";
    const Solution exact = solved(model, {.until = 5, .method = "radau", .rtol = 1e-11, .points = 50});
    for (const char* method : {"generalized-alpha", "mexx"}) {
        const Solution s = solved(model, {.until = 5, .method = method, .rtol = 1e-5, .points = 50});
        for (std::size_t i = 0; i < s.time().size(); ++i)
            for (const char* name : pendulum_names)
                EXPECT_NEAR(s[name][i], exact[name][i], 2e-4) << method << ' ' << name << ' ' << s.time()[i];
        EXPECT_EQ(count(s, "events"), count(exact, "events")) << method;
    }
}

// A rod of stiffness 1e8 that starts stretched: steps of 0.01 are 16 periods of its oscillation, which is damped, while
// the motion is that of the rigid pendulum up to O(1/k) and h². An explicit method needs 1e4 steps per second.
TEST(GeneralizedAlpha, DampsWhatIsStiff) {
    const std::string elastic =
        "model E parameter Real k = 1e8; Real x(start = 1.000001), y(start = 0), u(start = 0), v(start = 0), r; "
        "equation der(x) = u; der(y) = v; r = sqrt(x^2 + y^2); der(u) = -k*(r - 1)*x/r; der(v) = -1 - k*(r - 1)*y/r; "
        "end E;";
    const Solution s = with_steps(elastic, 0.01, 10);
    EXPECT_NEAR(s.final("x"), pendulum_at_10[0], 2e-3);
    EXPECT_NEAR(s.final("y"), pendulum_at_10[1], 2e-3);
    EXPECT_NEAR(s.final("r"), 1 + 1.753e-8, 1e-9); // stretched by (|v|² - y)/k
}

// Orientation: a body that spins about a principal axis turns by exactly ω t, whatever the step; a heavy top has
// order 2.
TEST(GeneralizedAlpha, TurnsBodiesAsALieGroup) {
    const std::string spinning = "mechanism s in space body b { mass = 1, inertia = (1, 2, 2.5), omega = (0, 0, 3), "
                                 "marker m = (1, 0, 0) } output x = b.m.x, y = b.m.y";
    const SolveOptions coarse{.until = 10, .method = "generalized-alpha", .points = 0, .fixed_step = 0.1};
    const Solution s = solved(mech(spinning), coarse);
    EXPECT_NEAR(s.final("x"), std::cos(30), 1e-11);
    EXPECT_NEAR(s.final("y"), std::sin(30), 1e-11);

    const std::string top = "mechanism t in space gravity = (0, 0, -9.81) body top { mass = 1, inertia = (0.02, 0.02, "
                            "0.01), center = (0, 0, 0.3), marker crown = (0, 0, 0.6), turned = 30 deg about (1, 0, 0), "
                            "omega = (0, 0, 20) } spherical tip between ground and top output x = top.crown.x, y = "
                            "top.crown.y, z = top.crown.z coordinates absolute";
    const Solution exact = solved(mech(top), {.until = 0.5, .rtol = 1e-11, .atol = 1e-12, .points = 1});
    const auto error = [&](double h) {
        const Solution run =
            solved(mech(top), {.until = 0.5, .method = "generalized-alpha", .points = 0, .fixed_step = h});
        double worst = 0;
        for (const char* name : {"x", "y", "z"}) worst = std::max(worst, std::abs(run.final(name) - exact.final(name)));
        return worst;
    };
    EXPECT_NEAR(std::log2(error(0.005) / error(0.0025)), 2, 0.25);
}

// The skate: its constraint is one of velocities.
TEST(GeneralizedAlpha, OnANonHolonomicConstraint) {
    const std::string model =
        "model Skate Real x(start = 0, fixed = true), y(start = 0, fixed = true), phi(start = 0, fixed = true), "
        "u(start = 0), v(start = 0), w(start = 1, fixed = true), l; equation der(x) = u; der(y) = v; der(phi) = w; "
        "der(u) = 0.5 + l*sin(phi); der(v) = -l*cos(phi); der(w) = 0; u*sin(phi) - v*cos(phi) = 0; end Skate;";
    const Solution exact = solved(model, {.until = 6, .method = "radau", .rtol = 1e-11, .points = 1});
    const auto error = [&](double h) {
        const Solution s = with_steps(model, h, 6);
        double worst = 0;
        for (const char* name : {"x", "y", "u", "v", "l"})
            worst = std::max(worst, std::abs(s.final(name) - exact.final(name)));
        return worst;
    };
    EXPECT_NEAR(std::log2(error(0.02) / error(0.01)), 2, 0.25);
}

TEST(GeneralizedAlpha, RefusesWhatIsNoMechanism) {
    auto s = solve(read("model R Real x(start = 1); equation der(x) = -x; end R;"),
                   {.until = 1, .method = "generalized-alpha"});
    ASSERT_FALSE(s);
    EXPECT_THAT(render(s.error()), ::testing::HasSubstr("no equation has a second derivative or a multiplier"));
}
