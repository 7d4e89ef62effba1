// What is wrong in a mechanism is said with its place, several mistakes at once.
#include "mechanics/mech.hpp"

using namespace daedalus;
using namespace daedalus::testing;
using ::testing::HasSubstr;

namespace {
const std::string rod = "mechanism m in plane\nbody rod { mass = 1, inertia = 0.1 }\n";
const std::string box = "mechanism m in space\n";
} // namespace

TEST(MechanismMessages, ImpossibleBodies) {
    EXPECT_THAT(refused("mechanism m in plane\nbody b { mass = 0, inertia = 1 }"),
                HasSubstr("test.mech:2:17: error: the mass of 'b' is 0, but must be positive"));
    EXPECT_THAT(refused("mechanism m in plane parameter q = -2\nbody b { mass = q, inertia = 1 }"),
                HasSubstr("the mass of 'b' is -2"));
    EXPECT_THAT(refused(box + "body b { mass = 1, inertia = (1, 1, 3) }"),
                HasSubstr("of its principal moments 1, 1 and 3 the largest exceeds the sum of the others"));
    // Not visible on the diagonal: eigenvalues of the block are 1 ± 0.9.
    EXPECT_THAT(refused(box + "body b { mass = 1, inertia = (1, 1, 1, 0.9, 0, 0) }"), HasSubstr("0.1, 1 and 1.9"));
    EXPECT_THAT(refused(box + "body b { mass = 1, inertia = (1, 1, 1, 2, 0, 0) }"), HasSubstr("must be positive"));
    EXPECT_TRUE(Model::from_string(box + "body b { mass = 1, inertia = (1, 1, 2) }", "x.mech")) << "a plane plate";
    EXPECT_THAT(refused("mechanism m in plane body b { inertia = 1 }"), HasSubstr("'b' has no mass"));
    EXPECT_THAT(refused("mechanism m in plane body b { mass = 1 }"), HasSubstr("'particle'"));
}

TEST(MechanismMessages, UnknownAndRepeatedNames) {
    EXPECT_THAT(refused(rod + "revolute h between ground and rood"), HasSubstr("did you mean 'rod'?"));
    EXPECT_THAT(refused(rod + "revolute h between ground and rod.tip"), HasSubstr("'rod' has no marker 'tip'"));
    EXPECT_THAT(refused(rod + "revolut h between ground and rod"), HasSubstr("did you mean 'revolute'?"));
    EXPECT_THAT(refused("mechanism m in plane body rod { mas = 1, inertia = 1 }"), HasSubstr("did you mean 'mass'?"));
    EXPECT_THAT(refused(rod + "output a = rod.speed"), HasSubstr("there is no quantity 'rod.speed'"));
    EXPECT_THAT(refused(rod + "output a = stick.x"), HasSubstr("'stick' is neither"));
    EXPECT_THAT(refused(rod + "parameter rod = 1"), HasSubstr("'rod' is declared twice"));
    EXPECT_THAT(refused(rod + "parameter time = 1"), HasSubstr("is a word of the language"));
    EXPECT_THAT(refused(rod + "motor f at hinge { torque = 1 }"), HasSubstr("there is no joint 'hinge'"));
    EXPECT_THAT(refused("parameter a = b, b = a\n" + rod), HasSubstr("depend"));
}

TEST(MechanismMessages, UnknownStatementsAnywhere) {
    const std::string hinge = "revolute h between ground and rod\n";
    EXPECT_THAT(refused(rod + hinge + "sprin s between ground and rod { stiffness = 3 }"),
                HasSubstr("test.mech:4:1: error: 'sprin' begins no statement"));
    EXPECT_THAT(refused(rod + "sprin s between ground and rod\n" + hinge), HasSubstr("did you mean 'spring'?"));
}

// Masses that only the parameters of a run make impossible.
TEST(MechanismMessages, ImpossibleBodiesOfARun) {
    const auto result = [](const std::string& text, double value) {
        SolveOptions options = exact_until(0.1);
        options.parameters = {{"p", value}};
        const auto solution = solve(mech(text), options);
        return solution ? std::string("solved") : render(solution.error());
    };
    const std::string plane = "mechanism m in plane\nparameter p = 1\nbody b { mass = 2*p, inertia = p + 1 }";
    EXPECT_EQ(result(plane, 0.5), "solved");
    EXPECT_THAT(result(plane, -0.5), HasSubstr("test.mech:3:17: error: parameter 'b.log_mass' = log(2*p)"));
    const std::string space = box + "parameter p = 0.1\nbody b { mass = 1, inertia = (1, 1, 1, p, 0, 0) }";
    EXPECT_EQ(result(space, 0.5), "solved");
    EXPECT_THAT(result(space, 2.0), HasSubstr("log_inertia_2"));
}

TEST(MechanismMessages, WrongKinds) {
    EXPECT_THAT(refused(rod + "revolute h between ground at (0, 0, 1) and rod"), HasSubstr("has two components"));
    EXPECT_THAT(refused(rod + "spherical h between ground and rod"), HasSubstr("no spherical joint in the plane"));
    EXPECT_THAT(refused(rod + "revolute h between rod and rod"), HasSubstr("both ends are on 'rod'"));
    EXPECT_THAT(refused("mechanism m in plane body b { mass = time, inertia = 1 }"), HasSubstr("without 'time'"));
    EXPECT_THAT(refused(rod + "constraint c: rod.omega = 1"), HasSubstr("constraints are on positions"));
    EXPECT_THAT(refused(box + "body b { mass = 1, inertia = (1, 1, 1) } revolute h between ground and b"),
                HasSubstr("'about' and an axis"));
    EXPECT_THAT(
        refused(box + "body b { mass = 1, inertia = (1, 1, 1) } revolute h between ground and b about (0, 0, 0)"),
        HasSubstr("axis of 'h' is zero"));
    EXPECT_THAT(refused(rod + "distance d between ground at (1, 0) and rod { length = 0 }"),
                HasSubstr("must be positive"));
    EXPECT_THAT(refused("mechanism m in plane particle p { mass = 1 } prismatic s between ground and p along (1, 0)"),
                HasSubstr("no orientation"));
}

TEST(MechanismMessages, SeveralPerRunAndNoCrash) {
    const std::string text =
        refused("mechanism m in plane\nbody a { mass = , inertia = 1 }\nbody b { mass = 1 inertia 2 }\n"
                "revolute h between ground and c\nspring s between a and b { stiffness = 1 }\n");
    for (const char* place : {":2:17:", ":3:27:", ":4:31:", ":5:8:"}) EXPECT_THAT(text, HasSubstr(place)) << text;
    const std::string whole =
        "mechanism m in plane \"x\" parameter a = 1 + (2*3) gravity = (0, -9) body b { mass = 1, "
        "inertia = 1, marker t = (1, 2) turned 3 deg, at = (0, 1) fixed } revolute r between ground "
        "and b.t { angle = 1 } motor q at r { torque = if time < 1 then 1 else sin(time) }";
    ASSERT_TRUE(Model::from_string(whole, "x.mech"));
    for (std::size_t n = 0; n < whole.size(); ++n) { // cut anywhere, and with a word missing
        (void)Model::from_string(whole.substr(0, n), "x.mech");
        (void)Model::from_string(whole.substr(0, n) + whole.substr(std::min(n + 7, whole.size())), "x.mech");
    }
    EXPECT_THAT(refused("mechanism m parameter a = " + std::string(100000, '(')), HasSubstr("too deeply"));
    EXPECT_THAT(refused("\xff\xfe mechanism"), HasSubstr("has no meaning here"));
}

TEST(MechanismMessages, ContradictingJointsAreNamed) {
    const Model m =
        mech(rod + "revolute h between ground and rod\nrevolute k between ground at (1, 0) and rod at (2, 0)\n"
                   "revolute l between ground at (0, 1) and rod at (0, 3)\n");
    const auto s = solve(m, {.until = 1.0});
    ASSERT_TRUE(!s || !s->success());
    const std::string said = s ? s->message() : render(s.error());
    EXPECT_THAT(said, HasSubstr("test.mech:")) << said;
}

TEST(MechanismMessages, InconsistentPositionsAreMovedAndTold) {
    const Model m = mech(rod + "revolute h between ground at (0.1, 0) and rod at (0, 0)\n"
                               "revolute k between ground at (1, 0) and rod at (0.95, 0)\n");
    // One rod on two hinges whose distance is not its own: nothing can close that.
    const auto s = solve(m, {.until = 1.0});
    EXPECT_TRUE(!s || !s->success());
    const Model loop = mech("mechanism l in plane gravity = (0, -9.81)"
                            "particle p { mass = 1, at = (1.01, 0) } distance d between ground and p { length = 1 }");
    const Solution moved = solved(loop, {.until = 1.0});
    EXPECT_NEAR(moved["p.x"].front(), 1.0, 1e-12);
    const std::string text = moved.to_text();
    EXPECT_THAT(text, HasSubstr("p.x: 1.01 → 1"));
}
