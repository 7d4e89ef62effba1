// Equations from energies against equations from bodies and from hand.
#include "mechanics/mech.hpp"

#include <cmath>
#include <numbers>

using namespace daedalus;
using namespace daedalus::testing;
using ::testing::HasSubstr;

namespace {
Model lagrangian(const std::string& text) {
    auto model = Model::from_string(text, "test.lagrange");
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    return model ? *std::move(model) : Model("none");
}
std::string refused_energies(const std::string& text) {
    const auto model = Model::from_string(text, "test.lagrange");
    EXPECT_FALSE(model) << text;
    return model ? "" : render(model.error());
}
} // namespace

TEST(Lagrange, PendulumEqualsItsModelicaFile) {
    const Model m = lagrangian("lagrangian p coordinate x = 1, y = 0 kinetic (der(x)^2 + der(y)^2)/2 potential 9.81*y "
                               "constraint rod: x^2 + y^2 = 1");
    const auto file = Model::from_file(DAEDALUS_SOURCE_DIR "/examples/pendulum.mo");
    ASSERT_TRUE(file);
    const Solution s = solved(m, exact_until(2)), e = solved(*file, exact_until(2));
    EXPECT_NEAR(s.final("x"), e.final("x"), 1e-7);
    EXPECT_NEAR(s.final("v_y"), e.final("v"), 1e-7);
    // There the multiplier stands with x, here with the gradient 2 x.
    EXPECT_NEAR(2 * s.final("lambda_rod"), e.final("lambda"), 1e-6);
    // What `derive --lagrange` prints is Modelica with the same solution.
    const Solution again = solved(read(m.to_modelica()), exact_until(2));
    EXPECT_NEAR(again.final("x"), e.final("x"), 1e-7);
}

TEST(Lagrange, DoublePendulumEqualsItsBodies) {
    // Angles, so that the mass matrix is full and depends on them.
    const Model m = lagrangian("lagrangian d parameter g = 9.81, J = 1/12 coordinate a = 0.3 speed 1, b = -0.5 "
                               "kinetic J/2*(der(a)^2 + der(b)^2) + der(a)^2/8 + "
                               "(der(a)^2 + der(b)^2/4 + der(a)*der(b)*cos(a - b))/2 "
                               "potential g*sin(a)/2 + g*(sin(a) + sin(b)/2) force a = -0.1*der(a)");
    const std::string rod = "mass = 1, inertia = 1/12, center = (0.5, 0), marker e = (1, 0), ";
    const Model bodies = mech("mechanism d in plane coordinates absolute gravity = (0, -9.81) body a { " + rod +
                              "angle = 0.3, omega = 1 } body b { " + rod +
                              "angle = -0.5, omega = 0 } revolute i between ground and a "
                              "revolute j between a.e and b motor d at i { damping = 0.1 }");
    const Solution s = solved(m, exact_until(2)), e = solved(bodies, exact_until(2));
    EXPECT_NEAR(s.final("a"), e.final("a.angle"), 1e-6);
    EXPECT_NEAR(s.final("v_b"), e.final("b.omega"), 1e-6);
}

TEST(Lagrange, TopInEulerAnglesEqualsTopInQuaternions) {
    const Model m = lagrangian("lagrangian t parameter I1 = 0.11, I3 = 0.01 "
                               "coordinate theta = 30 deg, psi = 0, phi = 0 speed 60 "
                               "kinetic I1/2*(der(theta)^2 + (der(psi)*sin(theta))^2) + "
                               "I3/2*(der(phi) + der(psi)*cos(theta))^2 potential 9.81*0.3*cos(theta)");
    const Model bodies =
        mech("mechanism t in space gravity = (0, 0, -9.81) body top { mass = 1, inertia = (0.02, 0.02, "
             "0.01), center = (0, 0, 0.3), turned = 30 deg about (1, 0, 0), omega = (0, 0, 60) }"
             "spherical tip between ground and top");
    const Solution s = solved(m, exact_until(1)), e = solved(bodies, exact_until(1));
    EXPECT_NEAR(0.3 * std::cos(s.final("theta")), e.final("top.z"), 1e-7);
    EXPECT_NEAR(0.3 * std::sin(s.final("theta")) * std::sin(s.final("psi")), e.final("top.x"), 1e-6);
}

TEST(Lagrange, NonHolonomicSkateOnASlope) {
    // A blade that turns at a constant rate goes along a cycloid (Bloch 2003, 1.6): x = g/(2 w²) sin²(w t).
    const Model m = lagrangian("lagrangian s parameter g = 2 coordinate x = 0, y = 0, a = 0 speed 3 "
                               "kinetic (der(x)^2 + der(y)^2 + der(a)^2)/2 potential -g*x "
                               "constraint blade: der(x)*sin(a) = der(y)*cos(a)");
    const Solution s = solved(m, exact_until(1.3));
    const double w = 3, t = 1.3;
    EXPECT_NEAR(s.final("x"), 2 / (2 * w * w) * std::pow(std::sin(w * t), 2), 1e-8);
    EXPECT_NEAR(s.final("y"), 2 / (2 * w * w) * (w * t - std::sin(2 * w * t) / 2), 1e-8);
}

TEST(Lagrange, SaysWhatIsWrong) {
    const std::string text = refused_energies("lagrangian p\ncoordinate x = 1\nkinetic m*der(x)^2\npotential 2*der(x)\n"
                                              "constraint c x = 1\nforce y = 1\n");
    for (const char* place : {":3:9:", ":5:14:", ":6:7:"}) EXPECT_THAT(text, HasSubstr(place));
    EXPECT_THAT(refused_energies("coordinate x kinetic der(x)^2 potential der(x)*x"), HasSubstr("mentions der(x)"));
    EXPECT_THAT(refused_energies("kinetic 1"), HasSubstr("declares no coordinate"));
    EXPECT_THAT(refused_energies("coordinate x, x kinetic der(x)^2"), HasSubstr("declared twice"));
    EXPECT_THAT(refused_energies("parameter a = b, b = a coordinate x kinetic der(x)^2"), HasSubstr("depend"));
    const std::string whole =
        "lagrangian s parameter g = 2 coordinate x = 0, y = 0 speed 3 kinetic der(x)^2 + der(y)^2 "
        "potential -g*x constraint b: x*y = if time < 1 then 1 else 2 force x = sin(time)";
    for (std::size_t n = 0; n < whole.size(); ++n) {
        (void)Model::from_string(whole.substr(0, n), "x.lagrange");
        (void)Model::from_string(whole.substr(0, n) + whole.substr(std::min(n + 5, whole.size())), "x.lagrange");
    }
}
