// Mechanisms written in C++ are those of files, equation by equation.
#include "mechanics/mech.hpp"

#include <stdexcept>

using namespace daedalus;
using namespace daedalus::testing;

TEST(MechanismInCpp, EqualsTheFile) {
    auto c = Mechanism::in_plane("m");
    const auto L = c.parameter("L", 1.5);
    c.gravity({0, -9.81});
    const auto rod = c.body("rod", {.mass = 2, .inertia = {0.3}, .center = {L / 2, 0}, .turned = Turned{.angle = 0.4}});
    const auto bob = c.body("bob", {.mass = 1});
    c.joint("hinge", JointType::revolute, c.ground(), rod);
    c.joint("string", JointType::distance, rod.at({L, 0}), bob, {.length = 0.5});
    c.joint_force("brake", "hinge", {.damping = 0.1, .effort = sin(c.time())});
    c.line_force("spring", c.ground().at({0, 1}), rod.at({L, 0}), {.stiffness = 3, .length = 1});
    c.force("wind", bob, {0.1 * c.quantity("rod.omega"), 0});
    c.output("height", c.quantity("rod.y") + L);
    const auto from_cpp = c.model();
    ASSERT_TRUE(from_cpp) << render(from_cpp.error());
    const Model file = mech("mechanism m in plane parameter L = 1.5 gravity = (0, -9.81)"
                            "body rod { mass = 2, inertia = 0.3, center = (L/2, 0), angle = 0.4, marker e = (L, 0) }"
                            "particle bob { mass = 1 } revolute hinge between ground and rod "
                            "distance string between rod.e and bob { length = 0.5 }"
                            "motor brake at hinge { damping = 0.1, torque = sin(time) }"
                            "spring spring between ground at (0, 1) and rod.e { stiffness = 3, length = 1 }"
                            "force wind on bob = (0.1*rod.omega, 0) output height = rod.y + L");
    EXPECT_EQ(from_cpp->to_modelica(), file.to_modelica());
    const Solution s = solved(*from_cpp, exact_until(1));
    // The equations as Modelica are the same model again.
    const Solution again = solved(read(file.to_modelica()), exact_until(1));
    EXPECT_NEAR(again.final("'rod.angle'"), s.final("rod.angle"), 1e-8);
}

TEST(MechanismInCpp, RefusesWhatCannotBeMeant) {
    auto m = Mechanism::in_plane("m");
    const auto rod = m.body("rod", {.mass = 1, .inertia = {1}});
    EXPECT_THROW(m.body("rod", {.mass = 1}), std::invalid_argument);
    EXPECT_THROW(m.body("b", {.mass = 1, .inertia = {1, 2, 3}}), std::invalid_argument);
    EXPECT_THROW(m.joint("j", JointType::spherical, m.ground(), rod), std::invalid_argument);
    EXPECT_THROW(m.joint("k", JointType::revolute, Place{.body = "other"}, rod), std::invalid_argument);
    EXPECT_THROW(m.joint_force("f", "nothing", {}), std::invalid_argument);
    m.body("heavy", {.mass = -1});
    const auto model = m.model();
    ASSERT_FALSE(model);
    EXPECT_THAT(render(model.error()), ::testing::HasSubstr("the mass of 'heavy' is -1"));
}
