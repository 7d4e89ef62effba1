// Mechanisms from MJCF against the same bodies described otherwise.
#include "mechanics/mech.hpp"

#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;
using ::testing::HasSubstr;

namespace {

Expected<Model> mjcf(const std::string& inside) {
    return Model::from_string("<mujoco model=\"test\">\n" + inside + "</mujoco>\n", "test.mjcf");
}
std::string refused_file(const std::string& inside) {
    const auto model = mjcf(inside);
    EXPECT_FALSE(model) << inside;
    return model ? "" : render(model.error());
}
std::string world(const std::string& inside) { return "<worldbody>\n" + inside + "</worldbody>\n"; }
std::string body(const std::string& more) {
    return world("<body name='a' pos='0 0 1'><joint name='j' axis='0 1 0'/>"
                 "<inertial pos='0.3 0 0' mass='2' diaginertia='0.1 0.2 0.3'/>" +
                 more + "</body>\n");
}

} // namespace

TEST(Mjcf, ArmEqualsItsDescription) {
    const auto robot =
        mjcf("<compiler angle='degree'/><option gravity='0 0 -9.8'/>"
             "<default><joint damping='0.1'/><default class='stiff'><joint stiffness='3' "
             "springref='20'/></default></default>" +
             world("<body name='a' pos='0 0 0.5' euler='10 20 0'>"
                   "<joint name='i' pos='0.1 0 0' axis='0 1 1' class='stiff'/>"
                   "<inertial pos='0.1 0.02 -0.2' quat='0.9 0.1 -0.3 0.2' mass='2' diaginertia='0.1 0.12 0.15'/>"
                   "<body name='b' pos='0.4 0 0.1' axisangle='0 0 1 35'>"
                   "<joint name='p' type='slide' axis='1 0 0.5' damping='0'/><joint name='q' axis='0 0 1'/>"
                   "<geom type='box' size='0.1 0.2 0.3' pos='0 0.1 0' density='100'/><site name='tool' pos='0 0 0.4'/>"
                   "</body></body>"));
    ASSERT_TRUE(robot) << render(robot.error());
    // Numbers of the tensor and of the joint's place: rotations multiplied out by hand.
    const Model same = mech(R"(mechanism m in space coordinates absolute gravity = (0, 0, -9.8)
body a { mass = 2, inertia = (0.1177595567867036, 0.1209972299168975, 0.13124321329639888,
  0.0003988919667590046, -0.021334072022160658, -0.011335180055401652), center = (0.1, 0.02, -0.2) }
body s { mass = 1e-9, inertia = (1e-12, 1e-12, 1e-12) }
body b { mass = 4.8, inertia = (0.208, 0.16, 0.08), center = (0, 0.1, 0), marker tool = (0, 0, 0.4) }
revolute i between ground at (0.09396926207859085, 0.00593911746138847, 0.4663175911166535)
  turned 20 deg about (0, 1, 0) then 10 deg about (1, 0, 0) and a at (0.1, 0, 0) about (0, 1, 1)
prismatic p between a at (0.4, 0, 0.1) turned 35 deg about (0, 0, 1) and s along (1, 0, 0.5)
revolute q between s and b about (0, 0, 1)
torsion k at i { stiffness = 3, rest = 20 deg, damping = 0.1 }
torsion d at q { stiffness = 0, rest = 0, damping = 0.1 }
)");
    const Solution s = solved(*robot, exact_until(0.5)), e = solved(same, exact_until(0.5));
    for (const char* name : {"a.x", "a.y", "a.z", "b.x", "b.y", "b.z"})
        EXPECT_NEAR(s.final(name), e.final(name), 1e-6) << name;
    EXPECT_GT(std::abs(s.final("p.position")), 0.01);
}

// A closed form: a solid ball on a rod without mass swings as a physical pendulum.
TEST(Mjcf, InertiaOfGeomsIsThatOfTheirShapes) {
    const double pi = std::acos(-1.0);
    const auto period = [&](const std::string& geom) {
        const auto model =
            mjcf("<option gravity='0 0 -10'/>" +
                 world("<body name='a' euler='0 0.5 0'><joint name='j' axis='0 1 0'/>" + geom + "</body>"));
        EXPECT_TRUE(model) << (model ? "" : render(model.error()));
        if (!model) return 0.0;
        const Solution s = solved(*model, {.until = 6, .rtol = 1e-10, .atol = 1e-12, .points = 6000});
        const auto t = s.time(), angle = s["j.speed"];
        std::vector<double> zeros;
        for (std::size_t k = 2; k < t.size(); ++k)
            if (angle[k - 1] < 0.0 && angle[k] >= 0.0)
                zeros.push_back(t[k] - (t[k] - t[k - 1]) * angle[k] / (angle[k] - angle[k - 1]));
        return zeros.size() < 2 ? 0.0 : zeros[1] - zeros[0];
    };
    // Small swings (0.5 degrees): 2π sqrt(J/(m g l)), longer by 1 + θ²/16.
    const auto expected = [&](double inertia, double distance) {
        return 2 * pi * std::sqrt((inertia + distance * distance) / (10 * distance)) *
               (1 + std::pow(0.5 * pi / 180, 2) / 16);
    };
    EXPECT_NEAR(period("<geom type='sphere' size='0.3' pos='0 0 -1' mass='2'/>"), expected(0.4 * 0.09, 1), 1e-5);
    EXPECT_NEAR(period("<geom type='box' size='0.3 0.2 0.1' pos='0 0 -1'/>"), expected((0.09 + 0.01) / 3, 1), 1e-5);
    EXPECT_NEAR(period("<geom type='cylinder' size='0.3' fromto='0 0 -0.5 0 0 -1.5'/>"),
                expected(0.09 / 4 + 0.25 / 3, 1), 1e-5);
    EXPECT_NEAR(period("<geom type='ellipsoid' size='0.3 0.2 0.1' pos='0 0 -1'/>"), expected((0.09 + 0.01) / 5, 1),
                1e-5);
    // A capsule is a cylinder and a ball cut in two; along x here.
    const double mc = 1.0 / (1.0 + 0.4), mb = 1 - mc, r = 0.3, half = 0.5;
    EXPECT_NEAR(period("<geom type='capsule' size='0.3' fromto='-0.5 0 -1 0.5 0 -1'/>"),
                expected(mc * (r * r / 4 + half * half / 3) +
                             mb * (0.4 * r * r - std::pow(3 * r / 8, 2) + std::pow(half + 3 * r / 8, 2)),
                         1),
                1e-5);
    // Two balls as one body: Steiner.
    EXPECT_NEAR(period("<geom size='0.1' pos='0 0 -0.5' mass='1'/><geom size='0.1' pos='0 0 -1.5' mass='1'/>"),
                expected(0.4 * 0.01 + 0.25, 1), 1e-5);
}

TEST(Mjcf, EqualitiesCloseLoops) {
    // A four-bar: two cranks and a coupler whose end is connected.
    const std::string bar = "<geom type='capsule' size='0.02' fromto='0 0 0 0.2 0 0'/>";
    const auto loop =
        mjcf("<compiler angle='radian'/>" +
             world("<body name='crank' euler='0 -1.2 0'><joint name='A' axis='0 1 0'/>" + bar +
                   "<body name='coupler' pos='0.2 0 0' euler='0 1.2 0'><joint name='B' axis='0 1 0'/>" + bar +
                   "</body></body><body name='rocker' pos='0.2 0 0' euler='0 -1.2 0'>"
                   "<joint name='C' axis='0 1 0'/>" +
                   bar + "</body>") +
             "<equality><connect name='pin' body1='coupler' body2='rocker' anchor='0.2 0 0'/></equality>");
    ASSERT_TRUE(loop) << render(loop.error());
    const Solution s = solved(*loop, exact_until(0.2)); // before it lies flat
    // A parallelogram: both cranks turn alike, the coupler keeps its direction.
    EXPECT_GT(spread(s, "A.angle"), 0.05);
    for (std::size_t k = 0; k < s.time().size(); ++k) {
        EXPECT_NEAR(s["A.angle"][k], s["C.angle"][k], 1e-9);
        EXPECT_NEAR(s["A.angle"][k], -s["B.angle"][k], 1e-9);
    }
}

TEST(Mjcf, JointsAreCoupledByPolynomials) {
    const auto gears = mjcf(world("<body name='a'><joint name='A' axis='1 0 0'/><geom size='0.1' pos='0 0.3 0'/></body>"
                                  "<body name='b' pos='1 0 0'><joint name='B' axis='1 0 0'/>"
                                  "<geom size='0.1' pos='0 0.2 0.1'/></body>") +
                            "<equality><joint joint1='A' joint2='B' polycoef='0 2 0.5'/></equality>");
    ASSERT_TRUE(gears) << render(gears.error());
    const Solution s = solved(*gears, exact_until(0.5));
    EXPECT_GT(spread(s, "A.angle"), 0.1);
    for (std::size_t k = 0; k < s.time().size(); ++k) {
        const double b = s["B.angle"][k];
        EXPECT_NEAR(s["A.angle"][k], 2 * b + 0.5 * b * b, 1e-9);
    }
}

TEST(Mjcf, FreeBodyFalls) {
    const auto model =
        mjcf(world("<body name='a' pos='0 0 2'><freejoint/><geom type='box' size='0.1 0.2 0.3'/></body>"));
    ASSERT_TRUE(model) << render(model.error());
    const Solution s = solved(*model, exact_until(1));
    EXPECT_NEAR(s.final("a.z"), 2 - 0.5 * 9.81, 1e-8);
}

TEST(Mjcf, RefusesByNameWhatWouldMoveBodiesOtherwise) {
    EXPECT_THAT(refused_file(world("<body name='a'><joint axis='0 1 0' armature='0.1'/><geom size='1'/></body>")),
                HasSubstr("'armature' of a <joint>"));
    EXPECT_THAT(refused_file(body("") + "<tendon><fixed/></tendon>"), HasSubstr("<tendon> is not read"));
    EXPECT_THAT(refused_file(body("") + "<actuator><position joint='j' kp='5'/></actuator>"), HasSubstr("<position>"));
    EXPECT_THAT(refused_file(world("<body name='a'><joint/><geom type='mesh' mesh='m'/></body>")),
                HasSubstr("'mesh' has no inertia"));
    EXPECT_THAT(refused_file(body("<composite/>")), HasSubstr("<composite>"));
    EXPECT_THAT(refused_file("<option density='1.2'/>" + body("")), HasSubstr("'density'"));
    EXPECT_THAT(refused_file(body("") + "<equality><connect body1='b' anchor='0 0 0'/></equality>"),
                HasSubstr("there is no body 'b'"));
    EXPECT_THAT(refused_file(world("<body name='a'><joint type='screw'/><geom size='1'/></body>")),
                HasSubstr("'screw' is no type of joint"));
    EXPECT_THAT(refused_file(world("<body name='a'><joint class='x'/><geom size='1'/></body>")),
                HasSubstr("no default class 'x'"));
    EXPECT_THAT(refused_file(world("<body name='a'><joint/></body>")), HasSubstr("has a mass"));
    EXPECT_THAT(refused_file("<worldbody><body></worldbody>"), HasSubstr("test.mjcf:2"));
}
