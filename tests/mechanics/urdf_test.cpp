// Robots from URDF against the same bodies described otherwise, in the other coordinates.
#include "mechanics/mech.hpp"

#include <cmath>
#include <fstream>
#include <sstream>

using namespace daedalus;
using namespace daedalus::testing;
using ::testing::HasSubstr;

namespace {

Expected<Model> urdf(const std::string& body) {
    return Model::from_string("<?xml version='1.0'?>\n<robot name='r'>\n" + body + "</robot>\n", "test.urdf");
}
std::string refused_robot(const std::string& body) {
    const auto model = urdf(body);
    EXPECT_FALSE(model) << body;
    return model ? "" : render(model.error());
}
std::string frame_of(const std::string& name, const std::string& inertial = "") {
    return "<link name='" + name + "'>" + inertial + "</link>\n";
}
const std::string heavy =
    "<inertial><origin xyz='0.1 0.02 -0.2' rpy='0.3 -0.4 0.5'/><mass value='2'/><inertia ixx='0.1' "
    "iyy='0.12' izz='0.15' ixy='0.01' ixz='0.02' iyz='-0.01'/></inertial>";
std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& more = "") {
    return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent + "'/><child link='" + child +
           "'/>" + more + "</joint>\n";
}

} // namespace

TEST(Urdf, ArmEqualsItsDescription) {
    const auto robot = urdf(frame_of("base") + frame_of("a", heavy) + frame_of("frame") + frame_of("b", heavy) +
                            joint("i", "revolute", "base", "a",
                                  "<origin xyz='0 0 0.5' rpy='0.1 0.2 0.3'/><axis xyz='0 1 1'/>"
                                  "<dynamics damping='0.3'/>") +
                            joint("f", "fixed", "a", "frame", "<origin xyz='0.4 0 0.1' rpy='0 0.7 0.2'/>") +
                            joint("p", "prismatic", "frame", "b", "<axis xyz='1 0 0.5'/>"));
    ASSERT_TRUE(robot) << render(robot.error());
    // The inertial frame's axes are markers' business here: the tensor is turned by hand.
    const double c1 = std::cos(0.3), s1 = std::sin(0.3), c2 = std::cos(-0.4), s2 = std::sin(-0.4), c3 = std::cos(0.5),
                 s3 = std::sin(0.5);
    const double R[3][3] = {{c3 * c2, c3 * s2 * s1 - s3 * c1, c3 * s2 * c1 + s3 * s1},
                            {s3 * c2, s3 * s2 * s1 + c3 * c1, s3 * s2 * c1 - c3 * s1},
                            {-s2, c2 * s1, c2 * c1}};
    const double J[3][3] = {{0.1, 0.01, 0.02}, {0.01, 0.12, -0.01}, {0.02, -0.01, 0.15}};
    double K[3][3] = {};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l) K[i][j] += R[i][k] * J[k][l] * R[j][l];
    std::ostringstream body;
    body.precision(17);
    body << "{ mass = 2, inertia = (" << K[0][0] << ',' << K[1][1] << ',' << K[2][2] << ',' << K[0][1] << ',' << K[0][2]
         << ',' << K[1][2] << "), center = (0.1, 0.02, -0.2) } ";
    const auto rpy = [](const std::string& r, const std::string& p, const std::string& y) {
        return " turned " + r + " about (1, 0, 0) then " + p + " about (0, 1, 0) then " + y + " about (0, 0, 1)";
    };
    const Model same =
        mech("mechanism r in space coordinates absolute gravity = (0, 0, -9.81) body a " + body.str() + "body b " +
             body.str() + "revolute i between ground at (0, 0, 0.5)" + rpy("0.1", "0.2", "0.3") +
             " and a about (0, 1, 1) motor m at i { damping = 0.3 }"
             "prismatic p between a at (0.4, 0, 0.1)" +
             rpy("0", "0.7", "0.2") + " and b along (1, 0, 0.5)");
    const Solution s = solved(*robot, exact_until(0.7)), e = solved(same, exact_until(0.7));
    for (const char* name : {"a.x", "a.z", "b.x", "b.y", "b.z"})
        EXPECT_NEAR(s.final(name), e.final(name), 1e-6) << name;
    EXPECT_GT(std::abs(s.final("p.position")), 0.01);
}

TEST(Urdf, SixAxesStandWhereTorquesHoldThem) {
    const auto robot = Model::from_file(DAEDALUS_SOURCE_DIR "/examples/six_axis_robot.urdf");
    ASSERT_TRUE(robot) << render(robot.error());
    // The torques that hold the start are moments of weights: with all joints at 0, about the shoulder's axis y.
    SolveOptions options = exact_until(0.2);
    const Solution falls = solved(*robot, options);
    EXPECT_GT(falls.final("shoulder.angle"), 0.05);
    const double g = 9.81, c = std::cos(-1.2), s = std::sin(-1.2); // the forearm leans up: rpy = (0, -1.2, 0)
    const auto elbow_arm = [&](double x, double z) { return c * x + s * z; };
    const double hand =
                     elbow_arm(0.5 + std::cos(0.4) * 0.03, -std::sin(0.4) * 0.03), // rolled by 0.3, then pitched by 0.4
        flange = elbow_arm(0.5 + std::cos(0.4) * 0.09, -std::sin(0.4) * 0.09);
    const double at_elbow = 4.5 * elbow_arm(0.18, 0.01) + 1.6 * elbow_arm(0.45, 0) + 1.1 * hand + 0.4 * flange;
    const double at_shoulder = 8 * 0.22 + at_elbow + 0.45 * (4.5 + 1.6 + 1.1 + 0.4);
    const double at_pitch = std::cos(0.3) * std::cos(0.8) * (1.1 * 0.03 + 0.4 * 0.09); // its axis is tilted by the roll
    options.parameters = {
        {"shoulder.torque", -g * at_shoulder}, {"elbow.torque", -g * at_elbow}, {"pitch.torque", -g * at_pitch}};
    const Solution held = solved(*robot, options);
    for (const char* name : {"waist", "shoulder", "elbow", "roll", "pitch", "turn"})
        EXPECT_NEAR(held.final(std::string(name) + ".angle"), 0.0, 1e-9) << name;
}

namespace {

/// Universal Robots' UR5: lengths, masses and inertias of ur_description/urdf/ur5_robot.urdf of
/// github.com/ros-industrial/universal_robot, with pictures, collisions, transmissions and a simulator's plugin in the
/// way, as there.
std::string ur5() {
    struct Part {
        const char *link, *joint, *place, *axis;
        double mass, centre, across, along; ///< the centre on the link's z; moments of inertia
    };
    const Part parts[] = {
        {"shoulder", "pan", "xyz='0 0 0.089159'", "0 0 1", 3.7, 0, 0.010267495893, 0.00666},
        {"upper_arm", "lift", "xyz='0 0.13585 0' rpy='0 1.570796325 0'", "0 1 0", 8.393, 0.28, 0.22689067591,
         0.0151074},
        {"forearm", "elbow", "xyz='0 -0.1197 0.425'", "0 1 0", 2.275, 0.25, 0.049443313556, 0.004095},
        {"wrist_1", "first", "xyz='0 0 0.39225' rpy='0 1.570796325 0'", "0 1 0", 1.219, 0, 0.111172755531, 0.21942},
        {"wrist_2", "second", "xyz='0 0.093 0'", "0 0 1", 1.219, 0, 0.111172755531, 0.21942},
        {"wrist_3", "third", "xyz='0 0 0.09465'", "0 1 0", 0.1879, 0, 0.0171364731454, 0.033822}};
    std::ostringstream text;
    text << "<?xml version='1.0'?><robot name='ur5' xmlns:xacro='http://www.ros.org/wiki/xacro'><gazebo><plugin "
            "filename='x.so' name='p'/></gazebo><link name='world'/><link name='base'/><joint name='stand' "
            "type='fixed'><parent link='world'/><child link='base'/></joint>";
    std::string before = "base";
    for (const Part& p : parts) {
        text << "<joint name='" << p.joint << "' type='revolute'><parent link='" << before << "'/><child link='"
             << p.link << "'/><origin " << p.place << "/><axis xyz='" << p.axis
             << "'/><limit effort='150' lower='-6.2831853' upper='6.2831853' velocity='3.15'/><dynamics damping='0.0' "
                "friction='0.0'/></joint><link name='"
             << p.link
             << "'><visual><geometry><mesh filename='package://m.dae'/></geometry></visual><collision><geometry>"
             << "<mesh filename='package://m.dae'/></geometry></collision><inertial><mass value='" << p.mass
             << "'/><origin rpy='0 0 0' xyz='0 0 " << p.centre << "'/><inertia ixx='" << p.across << "' iyy='"
             << p.across << "' izz='" << p.along
             << "' ixy='0' ixz='0' iyz='0'/></inertial></link><transmission name='t_" << p.joint
             << "'><type>S</type><joint name='" << p.joint << "'/></transmission>";
        before = p.link;
    }
    text << "<joint name='tool' type='fixed'><parent link='wrist_3'/><child link='ee'/><origin xyz='0 0.0823 0' rpy='0 "
            "0 "
            "1.570796325'/></joint><link name='ee'/></robot>";
    return text.str();
}

} // namespace

TEST(Urdf, APublicRobotIsTheSameInBothCoordinates) {
    const std::string path = ::testing::TempDir() + "daedalus_ur5.urdf";
    std::ofstream(path) << ur5();
    const auto arm = [&](const char* coordinates) {
        return mech(
            "mechanism m in space gravity = (0, 0, -9.81) robot \"" + path + "\" coordinates " + coordinates +
            " motor a at pan { torque = 3 } motor b at elbow { torque = 20*sin(2*time) }"
            " output x = wrist_3.ee.x, y = wrist_3.ee.y, z = wrist_3.ee.z, energy = kinetic_energy + potential_energy");
    };
    const SolveOptions options{.until = 1, .rtol = 1e-9, .points = 20};
    const Solution joints = solved(arm("joint"), options), bodies = solved(arm("absolute"), options);
    for (std::size_t i = 0; i < joints.time().size(); ++i)
        for (const char* name : {"x", "y", "z", "energy"})
            EXPECT_NEAR(bodies[name][i], joints[name][i], 1e-6) << name << ' ' << joints.time()[i];
    // At the start the arm is stretched: flange and tool beside the axis, at the height of the shoulder.
    EXPECT_NEAR(joints["x"][0], 0.425 + 0.39225, 1e-8);
    EXPECT_NEAR(joints["y"][0], 0.13585 - 0.1197 + 0.093 + 0.0823, 1e-8);
    EXPECT_NEAR(joints["z"][0], 0.089159 - 0.09465, 1e-8);
    EXPECT_GT(spread(joints, "z"), 0.5);
}

TEST(Urdf, FloatingMimicAndMasslessLinks) {
    const auto drop = urdf(frame_of("world") + frame_of("a", heavy) + joint("free", "floating", "world", "a"));
    ASSERT_TRUE(drop) << render(drop.error());
    EXPECT_NEAR(solved(*drop, exact_until(1)).final("a.vz"), -9.81, 1e-8);
    // A cross without mass between two axes, and a finger that follows.
    const auto hand =
        urdf(frame_of("base") + frame_of("cross") + frame_of("a", heavy) + frame_of("b", heavy) +
             joint("i", "continuous", "base", "cross", "<axis xyz='1 0 0'/>") +
             joint("j", "continuous", "cross", "a", "<axis xyz='0 1 0'/>") +
             joint("k", "continuous", "base", "b", "<axis xyz='0 1 0'/><mimic joint='j' multiplier='-2'/>"));
    ASSERT_TRUE(hand) << render(hand.error());
    const Solution s = solved(*hand, exact_until(0.5));
    EXPECT_NEAR(s.final("k.angle"), -2 * s.final("j.angle"), 1e-9);
    EXPECT_GT(spread(s, "i.angle"), 0.01);
}

TEST(Urdf, RobotInAMechanismIsMovedByItsMotors) {
    const std::string head = "mechanism m in space robot \"" DAEDALUS_SOURCE_DIR "/examples/six_axis_robot.urdf\" ";
    // No gravity, a motor that the file does not have, and a spring from the flange to the ground.
    const Model m = mech(head + "motor m at waist { torque = 5*sin(3*time) } coordinates joint "
                                "spring s between flange and ground at (1, 0, 1) { stiffness = 10, length = 0 }"
                                "output swing = waist.angle, stretch = s.length");
    const Solution s = solved(m, {.until = 0.5});
    EXPECT_GT(std::abs(s.final("swing")), 0.01);
    EXPECT_GT(spread(s, "stretch"), 1e-3);
    EXPECT_THAT(refused("mechanism m in space robot \"/no/such.urdf\""), HasSubstr("'/no/such.urdf' cannot be read"));
    EXPECT_THAT(refused(head + "body flange { mass = 1, inertia = (1, 1, 1) }"), HasSubstr("flange"));
}

TEST(Urdf, SaysWhatIsWrong) {
    EXPECT_THAT(refused_robot(frame_of("a", heavy) + joint("i", "revolute", "a", "aa")),
                HasSubstr("there is no link 'aa'"));
    EXPECT_THAT(refused_robot(frame_of("a", heavy) + frame_of("b", heavy)), HasSubstr("two roots, 'a' and 'b'"));
    EXPECT_THAT(refused_robot(frame_of("a", heavy) + frame_of("b", heavy) + joint("i", "revolute", "a", "b") +
                              joint("j", "revolute", "b", "a")),
                HasSubstr("hangs on itself"));
    EXPECT_THAT(refused_robot(frame_of("a") + frame_of("b", heavy) + joint("i", "gliding", "a", "b")),
                HasSubstr("no type of joint"));
    EXPECT_THAT(refused_robot(frame_of("a") + frame_of("b", "<inertial><mass value='-1'/></inertial>") +
                              joint("i", "revolute", "a", "b")),
                HasSubstr("the mass of 'b' is negative"));
    EXPECT_THAT(
        refused_robot(frame_of("a") +
                      frame_of("b", "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='3'/></inertial>") +
                      joint("i", "revolute", "a", "b")),
        HasSubstr("no body has the inertia of 'b'"));
    EXPECT_THAT(
        refused_robot(frame_of("a") + frame_of("b", heavy) + joint("i", "revolute", "a", "b", "<axis xyz='0 1'/>")),
        HasSubstr("'xyz' needs 3 numbers"));
    EXPECT_THAT(
        refused_robot(frame_of("a") + frame_of("b", heavy) + joint("i", "revolute", "a", "b", "<axis xyz='0 0 0'/>")),
        HasSubstr("axis of 'i' is zero"));
    EXPECT_THAT(refused_robot("<link name='a'>"), HasSubstr("test.urdf:3:16: error: </robot> closes <link>"));
    const auto bomb =
        Model::from_string("<!DOCTYPE r [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><robot name='&b;'/>", "x.urdf");
    ASSERT_FALSE(bomb);
    EXPECT_THAT(render(bomb.error()), HasSubstr("no link"));
    const std::string whole = "<?xml version='1.0'?><!-- c --><robot name='r'>" + frame_of("a") + frame_of("b", heavy) +
                              joint("i", "revolute", "a", "b", "<axis xyz='0 1 0'/>") + "</robot>";
    for (std::size_t n = 0; n < whole.size(); ++n) {
        (void)Model::from_string(whole.substr(0, n), "x.urdf");
        (void)Model::from_string(whole.substr(0, n) + whole.substr(std::min(n + 9, whole.size())), "x.urdf");
    }
    EXPECT_FALSE(Model::from_string(std::string(200000, '<'), "x.urdf"));
}
