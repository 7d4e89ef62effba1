// Start values that contradict constraints: changed and told, or refused with the constraint's name.
#include "mechanics/mech.hpp"
#include "mechanics/pendulum.hpp"

#include <gmock/gmock.h>

namespace daedalus {
namespace {

using ::testing::HasSubstr;

/// What is said by a strict run; empty: it succeeded.
std::string strict(const Model& model, SolveOptions options = {.until = 0.1}) {
    options.strict = true;
    const auto s = solve(model, options);
    return s ? (s->success() ? "" : s->message()) : render(s.error());
}

Model pendulum(double x, double u) {
    return *Model::from_string(
        fmt::format("model P Real x(start = {}), y(start = 0.6), u(start = {}), v(start = 0), lambda; equation der(x) "
                    "= u; der(y) = v;\n"
                    "der(u) = -x*lambda; der(v) = -1 - y*lambda;\nx^2 + y^2 = 1 \"the rod\"; end P;",
                    x, u));
}

TEST(StrictStart, AcceptsWhatIsConsistent) {
    EXPECT_EQ(strict(pendulum(0.8, 0.0)), "");
    EXPECT_EQ(strict(pendulum(0.8 + 1e-9, 0.0)), ""); // within the tolerance
}

TEST(StrictStart, NamesTheConstraintOnPositions) {
    const std::string said = strict(pendulum(0.9, 0.0));
    EXPECT_THAT(said, HasSubstr("x^2 + y^2 = 1"));
    EXPECT_THAT(said, HasSubstr("text:3:1")); // where it is written
    EXPECT_THAT(said, HasSubstr("--strict"));
    // Without it they are changed as little as possible.
    const auto s = solve(pendulum(0.9, 0.0), {.until = 0.1});
    ASSERT_TRUE(s && s->success());
    EXPECT_NEAR((*s)["x"][0] / (*s)["y"][0], 1.5, 1e-6); // along the rod
}

TEST(StrictStart, NamesTheConstraintOnVelocities) {
    const std::string said = strict(pendulum(0.8, 0.5));
    EXPECT_THAT(said, HasSubstr("2*x*u + 2*y*v = 0"));
    EXPECT_THAT(said, HasSubstr("u = 0.5"));
}

TEST(StrictStart, NamesTheJointThatDoesNotClose) {
    const Model model = testing::mech(R"(mechanism m in plane
body a { mass = 1, inertia = 1, marker tip = (1, 0), angle = 60 deg }
body b { mass = 1, inertia = 1, marker tip = (1, 0), angle = -50 deg }
revolute O between ground and a
revolute A between a.tip and b
revolute C between ground at (1, 0) and b.tip)");
    const std::string said = strict(model);
    EXPECT_THAT(said, HasSubstr("test.mech:6")) << said; // the joint that closes the loop
}

TEST(StrictStart, HoldsForStartToo) {
    const auto values = initialize(pendulum(0.9, 0.0), {.strict = true});
    ASSERT_FALSE(values);
    EXPECT_THAT(render(values.error()), HasSubstr("x^2 + y^2 = 1"));
    EXPECT_TRUE(initialize(pendulum(0.9, 0.0)));
}

/// Two masses, 1 and 3, on a rod of length 1 that starts too long and is pulled.
const std::string rod =
    "model Rod Real x1(start = 0), y1(start = 0), x2(start = 1.2), y2(start = 0), u1(start = 0), v1(start = 0), "
    "u2(start = 1), v2(start = 0), l; equation der(x1) = u1; der(y1) = v1; der(x2) = u2; der(y2) = v2; "
    "der(u1) = (x2 - x1)*l; der(v1) = (y2 - y1)*l; 3*der(u2) = (x1 - x2)*l; 3*der(v2) = (y1 - y2)*l; "
    "(x1 - x2)^2 + (y1 - y2)^2 = 1; end Rod;";

TEST(StartInTheMetricOfMasses, HeavyBodiesMoveLess) {
    const auto s = solve(*Model::from_string(rod), {.until = 0.1});
    ASSERT_TRUE(s && s->success()) << (s ? s->message() : render(s.error()));
    // The centre of mass stays, and so does its velocity: (0 + 3·1.2)/4 = 0.9 and 3/4.
    EXPECT_NEAR((*s)["x1"][0], 0.15, 1e-10);
    EXPECT_NEAR((*s)["x2"][0], 1.15, 1e-10);
    EXPECT_NEAR((*s)["u1"][0], 0.75, 1e-10);
    EXPECT_NEAR((*s)["u2"][0], 0.75, 1e-10);
    EXPECT_THAT(s->to_text(), HasSubstr("x1: 0 → 0.15"));
    const auto values = initialize(*Model::from_string(rod));
    ASSERT_TRUE(values);
    EXPECT_NEAR(*(*values)["x1"], 0.15, 1e-10); // `daedalus start` says the same
}

// The nearest point of a curved constraint, whose normal is that of the point found: far from the start.
TEST(StartInTheMetricOfMasses, FindsTheNearestPointFromAfar) {
    const std::string model =
        "model Far Real x(start = 2), y(start = 1), u(start = 0), v(start = 0), l; equation der(x) = u; der(y) = v; "
        "der(u) = -2*x*l; 4*der(v) = -4 - 2*y*l; x^2 + y^2 = 1; end Far;";
    const auto s = solve(*Model::from_string(model), {.until = 0.1});
    ASSERT_TRUE(s && s->success());
    double best = 1e9, at = 0;
    for (double angle = 0; angle < 1.6; angle += 1e-6) {
        const double distance = std::pow(std::cos(angle) - 2, 2) + 4 * std::pow(std::sin(angle) - 1, 2);
        if (distance < best) best = distance, at = angle;
    }
    EXPECT_NEAR((*s)["x"][0], std::cos(at), 2e-6);
    EXPECT_NEAR((*s)["y"][0], std::sin(at), 2e-6);
}

// What is fixed holds, and what was not given follows: no metric changes that.
TEST(StartInTheMetricOfMasses, KeepsWhatIsFixed) {
    std::string held = rod;
    held.replace(held.find("x1(start = 0)"), 13, "x1(start = 0, fixed = true)");
    const auto s = solve(*Model::from_string(held), {.until = 0.1});
    ASSERT_TRUE(s && s->success());
    EXPECT_EQ((*s)["x1"][0], 0.0);
    EXPECT_NEAR((*s)["x2"][0], 1.0, 1e-10);
}

} // namespace
} // namespace daedalus
