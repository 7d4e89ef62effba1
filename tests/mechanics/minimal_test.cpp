// Minimal coordinates: what constraints define leaves the system, and the motion stays.
#include "mechanics/mech.hpp"
#include "mechanics/pendulum.hpp"

#include <gmock/gmock.h>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

/// Two rods in coordinates of bodies: six coordinates, four constraints of hinges.
const char* const rods =
    "mechanism d in plane gravity = (0, -9.81) body a { mass = 1, inertia = 0.1, center = (0.5, 0), marker tip = (1, "
    "0), "
    "angle = 0.5 } body b { mass = 1, inertia = 0.06, center = (0.4, 0), marker tip = (0.8, 0), angle = -0.4 } "
    "revolute s between ground and a revolute e between a.tip and b output energy = kinetic_energy + potential_energy, "
    "x = b.tip.x, y = b.tip.y ";

} // namespace

TEST(MinimalCoordinates, OfATreeAreThoseOfItsJoints) {
    const Model bodies = mech(std::string(rods) + "coordinates absolute"),
                joints = mech(std::string(rods) + "coordinates joint");
    const SolveOptions minimal{.until = 2, .rtol = 1e-9, .atol = 1e-11, .reduction = Reduction::minimal, .points = 20};
    const Solution a = solved(bodies, minimal), b = solved(joints, exact_until(2));
    for (const char* name : {"x", "y", "a.x", "b.y", "energy"}) EXPECT_NEAR(a.final(name), b.final(name), 1e-7) << name;
    // Hinges hold to round-off, since no unknown could violate them, and velocities follow from two of them.
    for (std::size_t i = 0; i < a.time().size(); ++i) {
        EXPECT_NEAR(std::hypot(a["a.x"][i], a["a.y"][i]), 0.5, 1e-14);
        EXPECT_NEAR(a["a.vx"][i], -0.5 * std::sin(a["a.angle"][i]) * a["a.omega"][i], 1e-13);
    }
    EXPECT_THAT(a.to_json(), ::testing::HasSubstr("eliminated: "));
}

// A loop: three bodies on four hinges. Six coordinates are eliminated, the two equations of the loop are solved along
// the way, and one of three angles is the state.
TEST(MinimalCoordinates, OfALoopLeaveItsClosure) {
    auto model = Model::from_file(DAEDALUS_SOURCE_DIR "/examples/four_bar.mech");
    ASSERT_TRUE(model);
    const Solution a = solved(*model, {.until = 0.5, .rtol = 1e-9, .reduction = Reduction::minimal, .points = 20}),
                   b = solved(
                       *model,
                       {.until = 0.5, .method = "radau", .rtol = 1e-9, .reduction = Reduction::ggl, .points = 20});
    for (const char* name : {"crank.x", "coupler.y", "rocker.angle"})
        for (std::size_t i = 0; i < a.time().size(); ++i) EXPECT_NEAR(a[name][i], b[name][i], 1e-7) << name;
    EXPECT_THAT(a.to_json(), ::testing::HasSubstr("2 constraints are solved for"));
}

// No constraint of a rod defines a coordinate: locally independent ones are exchanged.
TEST(MinimalCoordinates, OfAPendulumInTwoCoordinates) {
    for (const char* method : {"dop853", "radau5", "bdf"}) {
        const Solution s = solved(
            pendulum(), {.until = 10, .method = method, .rtol = 1e-8, .atol = 1e-8, .reduction = Reduction::minimal});
        for (int k = 0; k < 4; ++k)
            EXPECT_NEAR(s.final(pendulum_names[k]), pendulum_at_10[static_cast<std::size_t>(k)], 1e-6) << method;
        EXPECT_THAT(s.to_json(),
                    ::testing::HasSubstr("no constraint defines a coordinate; 1 constraint is solved for"));
    }
}

TEST(MinimalCoordinates, TakeConstraintsThatDependOnTime) {
    const std::string model =
        "model D parameter Real c = 2; Real x, y(start = 1, fixed = true), u, v(start = 0, fixed = true), l; equation "
        "der(x) = u; der(y) = v; der(u) = -x + c*l; der(v) = -4*y - sin(y)*l; c*x + cos(y) = sin(time); end D;";
    const Solution a = solved(model, {.until = 5, .rtol = 1e-9, .reduction = Reduction::minimal}),
                   b = solved(model, {.until = 5, .rtol = 1e-9, .reduction = Reduction::dummy});
    for (const char* name : {"x", "y", "u", "v", "l"}) EXPECT_NEAR(a.final(name), b.final(name), 1e-7) << name;
}

TEST(MinimalCoordinates, AreRefusedWhereThereIsNoMechanism) {
    auto s = solve(read("model R Real x(start = 1); equation der(x) = -x; end R;"),
                   {.until = 1, .reduction = Reduction::minimal});
    ASSERT_FALSE(s);
    EXPECT_THAT(render(s.error()), ::testing::HasSubstr("needs equations of motion"));
}
