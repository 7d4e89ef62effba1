// A platform on six legs, a gyroscope in gimbals, a chain: constraints, energy, and a second formulation.
#include "mechanics/mech.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

namespace daedalus {
namespace {

Model example(const std::string& name) {
    auto model = Model::from_file(std::string(DAEDALUS_SOURCE_DIR) + "/examples/" + name);
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    return *std::move(model);
}

/// Largest difference of variables at the end, each in units of its size or 1.
double difference(const Solution& a, const Solution& b, const std::vector<std::string>& names) {
    double worst = 0.0;
    for (const std::string& name : names)
        worst = std::max(worst, std::abs(a.final(name) - b.final(name)) / std::max(1.0, std::abs(a.final(name))));
    return worst;
}

TEST(GoughStewart, ClosesItsSixLoopsInTwoFormulations) {
    const Model model = example("gough_stewart.mech");
    const auto dummy = solve(model, {.until = 1.0, .rtol = 1e-8, .points = 100});
    const auto projected = solve(
        model, {.until = 1.0, .method = "dop853", .rtol = 1e-8, .reduction = Reduction::projection, .points = 100});
    ASSERT_TRUE(dummy && dummy->success());
    ASSERT_TRUE(projected && projected->success()) << projected->message();
    EXPECT_LT(difference(*dummy, *projected, {"platform.x", "platform.y", "platform.z", "platform.q1", "platform.q2"}),
              1e-6); // a hundred tolerances: springs of a hertz, a few periods
    // Joint e at the platform: where the leg ends, at 195 degrees on a circle of 0.6.
    for (std::size_t k = 0; k <= 100; k += 10) {
        const auto at = [&](const std::string& n) { return (*dummy)[n][k]; };
        const auto rotated = [&](const std::string& body, const std::array<double, 3>& p) {
            const double w = at(body + ".q0"), x = at(body + ".q1"), y = at(body + ".q2"), z = at(body + ".q3");
            const double l = w * w + x * x + y * y + z * z;
            return std::array<double, 3>{
                at(body + ".x") + p[0] -
                    2 * ((y * y + z * z) * p[0] - (x * y - w * z) * p[1] - (x * z + w * y) * p[2]) / l,
                at(body + ".y") + p[1] -
                    2 * ((x * x + z * z) * p[1] - (x * y + w * z) * p[0] - (y * z - w * x) * p[2]) / l,
                at(body + ".z") + p[2] -
                    2 * ((x * x + y * y) * p[2] - (x * z - w * y) * p[0] - (y * z + w * x) * p[1]) / l};
        };
        const double a = 195 * std::numbers::pi / 180;
        const auto on_platform = rotated("platform", {0.6 * std::cos(a), 0.6 * std::sin(a), 0.0});
        const auto on_leg = rotated("upper_e", {0.0, 0.0, 0.3}); // the frame's origin, from the centre at -0.3
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(on_platform[i], on_leg[i], 1e-10);
    }
}

TEST(GoughStewart, KeepsItsEnergyWithoutDampersAndActuators) {
    const auto s = solve(example("gough_stewart.mech"),
                         {.until = 1.0, .rtol = 1e-8, .parameters = {{"c", 0.0}, {"push", 0.0}}, .points = 100});
    ASSERT_TRUE(s && s->success());
    const auto energy = (*s)["energy"];
    const auto vz = (*s)["platform.vz"];
    double kinetic = 0.0; // of the platform: the scale of what goes to and fro
    for (const double v : vz) kinetic = std::max(kinetic, 10 * v * v);
    EXPECT_GT(kinetic, 1.0);
    for (const double e : energy) EXPECT_NEAR(e, energy.front(), 1e-6 * std::abs(energy.front()));
}

TEST(Gyroscope, GoesRoundAsItsMomentumSays) {
    const Model model = example("gyroscope.mech");
    const auto s = solve(model, {.until = 3.0, .rtol = 1e-9});
    ASSERT_TRUE(s && s->success());
    // m g d = J ω Ω for a fast wheel.
    const double rate = 0.3 * 9.81 * 0.12 / (0.01 * 150);
    EXPECT_NEAR(s->final("pillar.angle"), 3 * rate, 1e-3);
    EXPECT_LT(testing::spread(*s, "energy"), 1e-7 * 112.5); // of m J ω²/2
    // It does not fall: it nods by twice Ω I/(J ω), I about the vertical.
    const double vertical = 2e-3 + 2e-3 + 0.01 / 2 + 1e-5 + 0.3 * 0.12 * 0.12;
    EXPECT_NEAR(testing::spread(*s, "pivot.angle"), 2 * rate * vertical / (0.01 * 150), 1e-5);
}

TEST(Gyroscope, IsTheSameInCoordinatesOfBodies) {
    std::ifstream file(std::string(DAEDALUS_SOURCE_DIR) + "/examples/gyroscope.mech");
    std::ostringstream text;
    text << file.rdbuf() << "\ncoordinates absolute\n";
    const Model bodies = testing::mech(text.str());
    const auto joints = solve(example("gyroscope.mech"), {.until = 0.5, .rtol = 1e-9});
    const auto absolute = solve(bodies, {.until = 0.5, .rtol = 1e-9});
    ASSERT_TRUE(joints && joints->success());
    ASSERT_TRUE(absolute && absolute->success()) << absolute->message();
    EXPECT_LT(difference(*joints, *absolute, {"end_x", "end_y", "end_z", "energy"}), 1e-6);
}

/// A chain of n rods in the plane by the builder.
Mechanism chain(int n, double length) {
    auto m = Mechanism::in_plane("chain");
    m.gravity({0, -9.81});
    const double l = length / n, mass = 1.0 / n;
    Place end = m.ground();
    for (int k = 1; k <= n; ++k) {
        const auto name = fmt::format("link{}", k);
        const auto rod = m.body(name, {.mass = mass, .inertia = {mass * l * l / 12}, .center = {l / 2, 0}});
        m.joint(fmt::format("hinge{}", k), JointType::revolute, end, rod);
        end = rod.at({l, 0});
    }
    return m;
}

TEST(Chain, OfPointsKeepsItsLengthsAndEnergy) {
    const Model model = example("chain.mo");
    const auto s = solve(model, {.until = 1.0, .rtol = 1e-9, .points = 50});
    const auto other =
        solve(model, {.until = 1.0, .method = "radau", .rtol = 1e-9, .reduction = Reduction::ggl, .points = 50});
    ASSERT_TRUE(s && s->success());
    ASSERT_TRUE(other && other->success()) << other->message();
    for (std::size_t k = 0; k <= 50; ++k) {
        double x = 0, y = 0;
        for (int i = 1; i <= 10; ++i) {
            const double xi = (*s)[fmt::format("x[{}]", i)][k], yi = (*s)[fmt::format("y[{}]", i)][k];
            EXPECT_NEAR(std::hypot(xi - x, yi - y), 0.1, 1e-10);
            x = xi, y = yi;
        }
        EXPECT_NEAR((*s)["energy"][k], (*s)["energy"][0], 1e-6); // m g L is 10: the tolerance, times a few turns
    }
    EXPECT_LT(difference(*s, *other, {"x[10]", "y[10]", "u[10]", "v[10]"}), 1e-5);
}

TEST(Chain, OfAnyLengthIsTheSameInBothCoordinates) {
    for (const int n : {2, 5, 8}) {
        const auto by_joints = chain(n, 1.0).model();
        ASSERT_TRUE(by_joints);
        const auto s = solve(*by_joints, {.until = 0.5, .rtol = 1e-9});
        const auto absolute = solve(*by_joints, {.until = 0.5, .method = "radau", .rtol = 1e-9});
        ASSERT_TRUE(s && s->success() && absolute && absolute->success());
        // The first half second: bound by the ground, it falls; its end is a distance of at most L away.
        const std::string last = fmt::format("link{}", n);
        EXPECT_LT(difference(*s, *absolute, {last + ".x", last + ".y", last + ".angle"}), 1e-6);
        EXPECT_LE(std::hypot(s->final(last + ".x"), s->final(last + ".y")), 1.0);
    }
}

/// n rods in a mechanism file.
Model chain_file(int n, const std::string& coordinates, bool in_space, double bend = 0.0) {
    std::string text = fmt::format("mechanism chain in {} parameter l = {}, m = {} gravity = (0, -9.81{}) ",
                                   in_space ? "space" : "plane", 1.0 / n, 1.0 / n, in_space ? ", 0" : "");
    const std::string zero = in_space ? ", 0, 0" : ", 0";
    for (int k = 1; k <= n; ++k) {
        text += fmt::format("body b{} {{ mass = m, inertia = {}, center = (l/2{}) }} ", k,
                            in_space ? "(m*l^2/100, m*l^2/12, m*l^2/12)" : "m*l^2/12", zero);
        text += fmt::format("revolute h{} between {} and b{}{} {{ angle = {} }} ", k,
                            k == 1 ? "ground" : fmt::format("b{} at (l{})", k - 1, zero), k,
                            !in_space    ? ""
                            : k % 2 == 1 ? " about (0, 0, 1)"
                                         : " about (0, 1, 0)",
                            bend * std::sin(2.0 * k));
    }
    return testing::mech(text + "output energy = kinetic_energy + potential_energy coordinates " + coordinates);
}

TEST(Chain, OfManyBodiesInJointCoordinatesIsThatOfAbsoluteOnes) {
    for (const bool in_space : {false, true}) {
        const int n = in_space ? 12 : 30;
        const Model joints = chain_file(n, "joint", in_space), absolute = chain_file(n, "absolute", in_space);
        const auto s = solve(joints, {.until = 0.3, .rtol = 1e-9});
        const auto other = solve(absolute, {.until = 0.3, .rtol = 1e-9});
        ASSERT_TRUE(s && s->success() && other && other->success());
        const std::string last = fmt::format("b{}", n), middle = fmt::format("b{}", n / 2);
        EXPECT_LT(difference(*s, *other, {last + ".x", last + ".y", middle + ".x", middle + ".y"}), 1e-6);
        EXPECT_NEAR(s->final("energy"), (*s)["energy"][0], 1e-6); // m g L is 10
    }
}

TEST(Chain, OfAHundredBodiesInJointCoordinatesTakesStagesFromCode) {
    const Model joints = chain_file(100, "joint", false, 0.6);
    const auto s = solve(joints, {.until = 0.02, .method = "dop853", .rtol = 1e-6});
    ASSERT_TRUE(s && s->success()) << s->message();
    const auto statistics = s->statistics();
    const auto count = [&](const char* name) {
        for (const auto& [what, value] : statistics)
            if (what == name) return value;
        return std::int64_t{-1};
    };
    EXPECT_GT(count("steps"), 10);
    EXPECT_LT(count("factorizations"), count("steps")); // stages need none
    EXPECT_LT(s->largest_residual(), 1e-3);
}

TEST(Chain, OfFortyRunsInSeconds) {
    const auto model = chain(40, 1.0).model(); // coordinates of bodies: 160 constraints and velocities of each level
    ASSERT_TRUE(model);
    const auto s = solve(*model, {.until = 0.2, .rtol = 1e-6});
    ASSERT_TRUE(s && s->success()) << s->message();
    EXPECT_LT(s->largest_residual(), 1e-3);
}

} // namespace
} // namespace daedalus
