// The same mechanisms in coordinates of bodies and of joints: two derivations of the equations of motion that share
// neither unknowns nor matrices must give one motion.
#include "mechanics/mech.hpp"

#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

void expect_same(const std::string& text, double until, const std::vector<std::string>& names, double tolerance) {
    const auto with = [&](const char* coordinates) {
        return solved(mech(text + " coordinates " + coordinates), exact_until(until));
    };
    const Solution bodies = with("absolute"), joints = with("joint");
    for (const std::string& name : names) {
        EXPECT_NEAR(bodies.final(name), joints.final(name), tolerance) << name << " in " << text;
        EXPECT_GT(spread(bodies, name), 1e-3) << name << " does not move";
    }
}

const std::string box = "mass = 1.3, inertia = (0.1, 0.12, 0.15, 0.01, 0.02, -0.01), center = (0.1, -0.05, 0.2), "
                        "marker m = (0.3, 0.1, 0.2) turned 0.4 about (1, 2, 0), "
                        "marker n = (-0.2, 0.1, -0.1) turned 0.3 about (0, 1, 1)";

} // namespace

TEST(Coordinates, GiveOneMotionInThePlane) {
    const std::string link = "mass = 1, inertia = 0.1, center = (0.4, 0.1), marker m = (1, 0.2) turned 0.3";
    expect_same("mechanism p in plane gravity = (0, -9.81) body a { " + link + " } body b { " + link + " } body c { " +
                    link + " } body d { " + link +
                    " }"
                    "revolute r between ground and a { angle = 0.5, speed = 1 }"
                    "prismatic s between b and a.m along (1, 2) { position = 0.3, velocity = -0.5 }" // backwards
                    "revolute t between c.m and b.m { angle = -0.7, speed = 2 } fixed f between c and d.m "
                    "torsion q at r { stiffness = 3, rest = 1, damping = 0.2 }"
                    "motor w at s { force = 2*sin(3*time), damping = 0.4 } motor v at t { torque = cos(time) }"
                    "spring z between ground at (0, 2) and d { stiffness = 5, length = 1, damping = 0.1 }"
                    "force y on c.m = (0.3, 0.2*a.omega)",
                1.2, {"a.x", "b.y", "c.angle", "d.x", "d.angle"}, 2e-7);
}

TEST(Coordinates, GiveOneMotionInSpace) {
    const std::string head =
        "mechanism p in space gravity = (0.5, -2, -9.81) body a { " + box + " } body b { " + box + " } ";
    for (const char* joints :
         {"revolute i between ground and a.m about (1, 1, 0) { angle = 0.3, speed = 2 }"
          "revolute j between b.m and a.n about (0, 0.3, 1) { angle = 0.4, speed = -1 } motor w at j { torque = time }",
          "spherical i between ground and a.m spherical j between b.m and a.n",
          "cylindrical i between ground and a.m about (1, 0, 1) { speed = 1, velocity = 0.3 }"
          "cylindrical j between b.m and a.n about (1, 1, 0) { speed = 2, velocity = 0.5 }",
          "prismatic i between ground and a.m along (1, 0, 1) revolute j between a.n and b.n about (1, 2, 3) { speed = "
          "3 }",
          "universal i between ground and a.m about (0, 0, 1) and (1, 0, 0)"
          "universal j between b.m and a.n about (0, 1, 0) and (1, 0, 1)",
          "planar i between ground and a.m normal (0.2, 0.3, 1) planar j between b.m and a.n normal (1, 0.3, 0)",
          "revolute j between a.n and b.n about (1, 2, 3) { speed = 3 }"}) // nothing holds them
        expect_same(head + joints, 0.6, {"a.x", "a.z", "b.x", "b.z"}, 1e-6);
}

TEST(Coordinates, CloseLoopsByConstraints) {
    expect_same(
        "mechanism f in plane parameter a = 0.1, b = 0.35, c = 0.25, d = 0.4 gravity = (0, -9.81)"
        "body A { mass = 0.2, inertia = 2e-4, center = (a/2, 0), angle = 1.0, marker e = (a, 0) }"
        "body B { mass = 0.7, inertia = 7e-3, center = (b/2, 0), angle = 0.48, marker e = (b, 0) }"
        "body C { mass = 0.5, inertia = 2.6e-3, center = (c/2, 0), angle = 1.72, marker e = (c, 0) }"
        "revolute O between ground and A  revolute P between A.e and B  revolute R between ground at (d, 0) and C "
        // closes itself up to round-off: the start must not differ with the coordinates
        "distance Q between B.e and C.e { length = sqrt((a*cos(1.0) + b*cos(0.48) - d - c*cos(1.72))^2 + "
        "(a*sin(1.0) + b*sin(0.48) - c*sin(1.72))^2) }",
        0.5, {"A.x", "B.y", "C.angle"}, 1e-6);
}

TEST(Coordinates, BricardMovesWithARedundantConstraint) {
    const auto model = Model::from_file(DAEDALUS_SOURCE_DIR "/examples/bricard.mech");
    ASSERT_TRUE(model) << render(model.error());
    const Solution s =
        solved(*model, {.until = 2.0, .rtol = 1e-8, .atol = 1e-10, .reduction = Reduction::projection, .points = 50});
    EXPECT_LT(spread(s, "energy"), 1e-5);
    EXPECT_GT(spread(s, "b3.x"), 0.3);
    // The ring is closed: the middle of the last bar is half a length from the hinge on the ground.
    for (std::size_t i = 0; i < s.time().size(); ++i)
        EXPECT_NEAR(std::hypot(s["b5.x"][i], s["b5.y"][i], s["b5.z"][i]), 0.5, 1e-8);
}

TEST(Coordinates, AreChosenAndReported) {
    const auto said = [](const std::string& text) {
        std::string all;
        const Model m = mech(text);
        for (const Diagnostic& d : m.warnings()) all += d.message + '\n';
        return all;
    };
    const std::string rod =
        "mechanism m in plane body rod { mass = 1, inertia = 1 } revolute h between ground and rod ";
    EXPECT_THAT(said(rod), ::testing::HasSubstr("those of joints, for the joints form a tree"));
    EXPECT_THAT(said(rod + "output f = h.force_x"),
                ::testing::HasSubstr("those of bodies, for 'h.force_x' is asked for"));
    EXPECT_THAT(said(rod + "distance d between ground at (0, 1) and rod at (1, 0)"),
                ::testing::HasSubstr("those of bodies, for joint 'd' closes a loop"));
    EXPECT_EQ(said(rod + "coordinates absolute"), "");
    EXPECT_THAT(refused(rod + "output f = h.force_x coordinates joint"), ::testing::HasSubstr("coordinates absolute"));
}

TEST(Coordinates, SayWhereABodyCannotBeWhereItIsPut) {
    const std::string text = "mechanism m in plane body rod { mass = 1, inertia = 1, at = (1, 0.5), angle = 0.3 } "
                             "revolute h between ground at (1, 0) and rod ";
    const Model joints = mech(text);
    ASSERT_FALSE(joints.warnings().empty());
    EXPECT_THAT(render(joints.warnings()), ::testing::HasSubstr("'rod' starts where joint 'h' lets it be"));
    EXPECT_THAT(render(mech(text + "coordinates absolute").warnings()),
                ::testing::Not(::testing::HasSubstr("lets it be")));
}
