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

} // namespace
} // namespace daedalus
