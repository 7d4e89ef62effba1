// Hamilton's equations as they are written, and any H: what is recognised, orders of the Lobatto IIIA-IIIB pairs, what
// symplectic methods keep, and what is refused.
#include "mechanics/pendulum.hpp"

#include <gmock/gmock.h>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

Solution with_steps(const std::string& model, const char* method, double h, double until, int points = 0) {
    return solved(model, {.until = until, .method = method, .points = points, .fixed_step = h});
}

/// Pendulum HW (2.1) of mass 2 in momenta: the motion of mass 1 with twice the multiplier.
const char* const pendulum_in_momenta =
    "model P parameter Real m = 2; Real x(start = 1), y(start = 0, fixed = true), px(start = 0), py(start = 0, fixed = "
    "true), lambda; equation der(x) = px/m; der(y) = py/m; der(px) = -2*x*lambda; der(py) = -m - 2*y*lambda; "
    "x^2 + y^2 = 1; end P;";

/// H = (1 + q²)(p² + 1)/2 + p q/5 + cos(q): neither separable nor quadratic in a plain way.
const char* const mixed = "model H Real q(start = 0.5, fixed = true), p(start = 0.7, fixed = true), H; equation "
                          "der(q) = (1 + q^2)*p + q/5; der(p) = -q*(p^2 + 1) - p/5 + sin(q); "
                          "H = (1 + q^2)*(p^2 + 1)/2 + p*q/5 + cos(q); end H;";

/// Spherical pendulum in angles: masses depend on the position. E and the momentum about the vertical are kept.
const char* const spherical =
    "model S Real a(start = 1, fixed = true), b(start = 0, fixed = true), u(start = 0.3, fixed = true), v(start = 1.5, "
    "fixed = true), E, L; equation der(a) = u; der(b) = v; der(u) = sin(a)*cos(a)*v^2 - sin(a); "
    "sin(a)^2*der(v) + 2*sin(a)*cos(a)*u*v = 0; E = (u^2 + sin(a)^2*v^2)/2 - cos(a); L = sin(a)^2*v; end S;";

double largest_change(const Solution& s, const char* name, bool late) {
    double worst = 0;
    const std::size_t n = s.time().size();
    for (std::size_t i = late ? n / 2 : 0; i < (late ? n : n / 2); ++i)
        worst = std::max(worst, std::abs(s[name][i] - s[name][0]));
    return worst;
}

std::string refusal(const std::string& model, const char* method) {
    auto s = solve(read(model), {.until = 1, .method = method, .fixed_step = 0.1});
    return s ? std::string("not refused") : render(s.error());
}

} // namespace

TEST(Hamilton, MomentaGiveTheMotionOfVelocities) {
    for (const char* method : {"symplectic-euler", "shake", "rattle", "rattle4", "rattle6", "lobatto3ab-3"}) {
        const Solution momenta = with_steps(pendulum_in_momenta, method, 0.05, 10),
                       velocities = with_steps(pendulum(), method, 0.05, 10);
        EXPECT_NEAR(momenta.final("x"), velocities.final("x"), 1e-11) << method;
        EXPECT_NEAR(momenta.final("px"), 2 * velocities.final("u"), 1e-11) << method;
        EXPECT_NEAR(momenta.final("lambda"), velocities.final("lambda"), 1e-10) << method;
    }
}

// Two masses on springs, one of them 1: its momentum is another name of its velocity.
TEST(Hamilton, MomentaOfMassOneAreFoundToo) {
    const std::string model =
        "model T Real a(start = 1, fixed = true), b(start = 0, fixed = true), p(start = 0, fixed = true), q(start = 0, "
        "fixed = true), E; equation der(a) = p; der(b) = q/3; der(p) = -2*a + (b - a); der(q) = -(b - a); "
        "E = p^2/2 + q^2/6 + a^2 + (b - a)^2/2; end T;";
    const Solution s = with_steps(model, "rattle", 0.05, 500);
    EXPECT_LT(largest_change(s, "E", true), 1.02 * largest_change(s, "E", false));
    EXPECT_LT(largest_change(s, "E", false), 5e-3);
}

TEST(LobattoPairs, HaveTheirOrder) {
    const Solution exact = solved(pendulum(), {.until = 10, .method = "radau", .rtol = 1e-12, .points = 1});
    const std::tuple<const char*, int, double> methods[] = {
        {"lobatto3ab-2", 2, 0.02}, {"lobatto3ab-3", 4, 0.1}, {"lobatto3ab-4", 6, 0.25}};
    for (const auto& [method, order, h] : methods) {
        const EndErrors a = end_errors(with_steps(pendulum(), method, h, 10), exact),
                        b = end_errors(with_steps(pendulum(), method, h / 2, 10), exact);
        EXPECT_NEAR(std::log2(a.q / b.q), order, 0.25) << method;
        EXPECT_NEAR(std::log2(a.v / b.v), order, 0.25) << method;
        EXPECT_NEAR(std::log2(a.lambda / b.lambda), order, 0.25) << method;
    }
}

TEST(LobattoPairs, OfTwoStagesAreRattle) {
    const Solution pair = with_steps(pendulum(), "lobatto3ab-2", 0.05, 20),
                   rattle = with_steps(pendulum(), "rattle", 0.05, 20);
    for (const char* name : {"x", "y", "u", "v", "lambda"})
        EXPECT_NEAR(pair.final(name), rattle.final(name), 1e-11) << name;
}

TEST(LobattoPairs, KeepBothConstraintsAndComeBack) {
    for (const char* method : {"lobatto3ab-2", "lobatto3ab-3", "lobatto3ab-4"}) {
        const Solution there = with_steps(pendulum(), method, 0.05, 25);
        const ConstraintErrors c = constraint_errors(there);
        EXPECT_LT(c.g, 1e-14) << method;
        EXPECT_LT(c.Gv, 1e-14) << method;
        const Solution back = with_steps(
            pendulum(there.final("x"), there.final("y"), -there.final("u"), -there.final("v")), method, 0.05, 25);
        EXPECT_NEAR(back.final("x"), 1, 1e-12) << method;
        EXPECT_NEAR(back.final("y"), 0, 1e-12) << method;
        EXPECT_NEAR(back.final("u"), 0, 1e-12) << method;
    }
}

// Orders on an H that is not T(p) + U(q), and on masses that depend on positions, by implicit forms of the methods.
TEST(LobattoPairs, IntegrateAnyHamiltonian) {
    const std::tuple<const char*, int, double> methods[] = {
        {"symplectic-euler", 1, 0.001}, {"rattle", 2, 0.01},      {"rattle4", 4, 0.05},    {"rattle6", 6, 0.1},
        {"lobatto3ab-2", 2, 0.01},      {"lobatto3ab-3", 4, 0.1}, {"lobatto3ab-4", 6, 0.1}};
    const std::pair<const char*, std::vector<const char*>> models[] = {{mixed, {"q", "p"}},
                                                                       {spherical, {"a", "b", "u", "v"}}};
    for (const auto& [model, names] : models) {
        const Solution exact = solved(model, {.until = 3, .method = "radau", .rtol = 1e-13, .points = 1});
        for (const auto& [method, order, h] : methods) {
            const auto error = [&, &model = model, &method = method, &names = names](double step) {
                const Solution s = with_steps(model, method, step, 3);
                double worst = 0;
                for (const char* name : names) worst = std::max(worst, std::abs(s.final(name) - exact.final(name)));
                return worst;
            };
            EXPECT_NEAR(std::log2(error(h) / error(h / 2)), order, 0.3) << method << " on " << model;
        }
    }
}

TEST(LobattoPairs, KeepEnergiesOfAnyHamiltonianOverLongTimes) {
    for (const char* method : {"rattle", "lobatto3ab-3"}) {
        const Solution one = with_steps(mixed, method, 0.1, 3000), other = with_steps(spherical, method, 0.1, 3000);
        EXPECT_LT(largest_change(one, "H", true), 1.02 * largest_change(one, "H", false)) << method;
        EXPECT_LT(largest_change(one, "H", false), 0.05) << method;
        EXPECT_LT(largest_change(other, "E", true), 1.02 * largest_change(other, "E", false)) << method;
        EXPECT_LT(largest_change(other, "L", true), 1e-9) << method; // b is cyclic: round-off of 30,000 steps
    }
}

TEST(Hamilton, OtherSystemsAreRefused) {
    EXPECT_THAT(refusal("model F Real q(start = 1), p; equation der(q) = p/2; der(p) = -q - 0.1*p; end F;", "rattle"),
                ::testing::HasSubstr("no equation has a second derivative or a multiplier"));
    EXPECT_THAT(refusal("model V Real x(start = 1), u; equation der(x) = u; (1 + x^2)*der(u) = -x; end V;", "rattle"),
                ::testing::HasSubstr("its mass matrix is not constant, and forces are not those of"));
    EXPECT_THAT(refusal(mixed, "shake"), ::testing::HasSubstr("'shake' needs H = T(p) + U(q)"));
    EXPECT_THAT(refusal(spherical, "shake"), ::testing::HasSubstr("its mass matrix is not constant"));
}

// The iteration for the stages converges as the step does. Where it does not, steps get shorter, and that is said.
TEST(LobattoPairs, SayWhereStepsAreTooLong) {
    const Solution s = run(mixed, {.until = 20, .method = "lobatto3ab-3", .points = 0, .fixed_step = 2.0});
    EXPECT_THAT(render(s.diagnostics()), ::testing::HasSubstr("what constant steps promise"));
    const Solution fine = run(mixed, {.until = 20, .method = "lobatto3ab-3", .points = 0, .fixed_step = 0.1});
    EXPECT_THAT(render(fine.diagnostics()), ::testing::Not(::testing::HasSubstr("what constant steps promise")));
}
