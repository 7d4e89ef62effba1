// Mechanisms from their description, against closed forms and against equations of motion found by hand.
#include "mechanics/mech.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace daedalus;
using namespace daedalus::testing;

namespace {
constexpr double pi = std::numbers::pi;

double complete_elliptic(double k) { // K(k) by the arithmetic-geometric mean (Abramowitz & Stegun 17.6)
    double a = 1, b = std::sqrt(1 - k * k);
    for (int i = 0; i < 8; ++i) {
        const double mean = (a + b) / 2;
        b = std::sqrt(a * b);
        a = mean;
    }
    return pi / (2 * a);
}
} // namespace

TEST(Mechanism, PendulumHasThePeriodOfTheEllipticIntegral) {
    const double L = 0.7, g = 9.81, amplitude = 2.0;
    const double period = 4 * std::sqrt(L / g) * complete_elliptic(std::sin(amplitude / 2));
    const Model m = mech("mechanism p in plane parameter L = 0.7, A = 2  gravity = (0, -9.81)"
                         "particle bob { mass = 3, at = (L*sin(A), -L*cos(A)) }"
                         "distance rod between ground and bob { length = L }");
    const Solution s = solved(m, exact_until(period));
    EXPECT_NEAR(s.final("bob.x"), L * std::sin(amplitude), 2e-8);
    EXPECT_NEAR(s.final("bob.y"), -L * std::cos(amplitude), 2e-8);
    const Solution half = solved(m, exact_until(period / 2));
    EXPECT_NEAR(half.final("bob.x"), -L * std::sin(amplitude), 2e-8);
}

TEST(Mechanism, CompoundPendulumEqualsItsOneEquation) {
    const Model m = mech("mechanism p in plane coordinates absolute parameter L = 1.2, m = 2  gravity = (0, -9.81)"
                         "body rod { mass = m, inertia = m*L^2/12, center = (L/2, 0), marker tip = (L, 0) }"
                         "revolute hinge between ground and rod "
                         "output energy = kinetic_energy + potential_energy, tip = rod.tip.x, turn = hinge.angle");
    const Solution s = solved(m, exact_until(3));
    const Solution one = solved("model O Real a(start = 0), w(start = 0); equation der(a) = w; "
                                "1.2*der(w) = -1.5*9.81*cos(a); end O;",
                                exact_until(3));
    EXPECT_NEAR(s.final("rod.angle"), one.final("a"), 1e-8);
    EXPECT_NEAR(s.final("rod.omega"), one.final("w"), 1e-8);
    EXPECT_NEAR(s.final("turn"), one.final("a"), 1e-8);
    EXPECT_NEAR(s.final("tip"), 1.2 * std::cos(one.final("a")), 1e-8);
    EXPECT_LT(spread(s, "energy"), 1e-8);
    // What the hinge must hold: the acceleration of the centre of mass, and its weight.
    const double a = one.final("a"), w = one.final("w"), alpha = -1.5 * 9.81 * std::cos(a) / 1.2, r = 0.6;
    EXPECT_NEAR(s.final("hinge.force_x"), 2 * r * (-alpha * std::sin(a) - w * w * std::cos(a)), 1e-6);
    EXPECT_NEAR(s.final("hinge.force_y"), 2 * (9.81 + r * (alpha * std::cos(a) - w * w * std::sin(a))), 1e-6);
}

TEST(Mechanism, DoublePendulumEqualsItsCartesianEquations) {
    const auto cartesian = Model::from_file(DAEDALUS_SOURCE_DIR "/tests/problems/double_pendulum.mo");
    ASSERT_TRUE(cartesian);
    const Model m = mech("mechanism p in plane gravity = (0, -9.81)"
                         "particle first { mass = 1, at = (1, 0) }"
                         "particle second { mass = 1, at = (1 + sqrt(0.5), -sqrt(0.5)) }"
                         "distance a between ground and first { length = 1 }"
                         "distance b between first and second { length = 1 }");
    const Solution s = solved(m, exact_until(1.5)), e = solved(*cartesian, exact_until(1.5));
    EXPECT_NEAR(s.final("first.x"), e.final("x1"), 1e-7);
    EXPECT_NEAR(s.final("second.y"), e.final("y2"), 1e-7);
    // Pushing is positive; λ there is the pull per length, twice.
    EXPECT_NEAR(s.final("b.force"), -2 * e.final("lam2"), 1e-5);
}

TEST(Mechanism, AndrewsFromBodiesEqualsAndrewsFromEquations) {
    const auto bodies = Model::from_file(DAEDALUS_SOURCE_DIR "/examples/andrews.mech");
    ASSERT_TRUE(bodies) << render(bodies.error());
    const auto equations = Model::from_file(DAEDALUS_SOURCE_DIR "/tests/problems/andrews.mo");
    ASSERT_TRUE(equations);
    const SolveOptions options{.until = 0.03, .rtol = 1e-9, .atol = 1e-11, .points = 10};
    const Solution s = solved(*bodies, options), e = solved(*equations, options);
    EXPECT_NEAR(s.final("K1.angle"), e.final("beta"), 1e-5);
    EXPECT_NEAR(s.final("K2.angle") - s.final("K1.angle"), e.final("Theta"), 1e-5);
    EXPECT_NEAR(s.final("K3.angle"), e.final("gamma"), 1e-6);
    EXPECT_NEAR(s.final("K4.angle") - s.final("K5.angle"), e.final("Phi"), 1e-6);
    EXPECT_NEAR(s.final("K5.angle"), e.final("delta"), 1e-6);
    EXPECT_NEAR(s.final("K6.angle") - s.final("K7.angle"), e.final("Omega"), 1e-6);
    EXPECT_NEAR(s.final("K7.angle"), e.final("epsilon"), 1e-6);
    // Reference digits of the test set (release 2.4).
    EXPECT_NEAR(s.final("K1.angle"), 15.81077119515371, 1e-5);
}

TEST(Mechanism, DrivenSliderCrankIsWhereGeometryPutsIt) {
    const Model m = mech("mechanism c in plane parameter r = 0.1, l = 0.3, w = 20 "
                         "body crank { mass = 1, inertia = 0.01, marker pin = (r, 0) }"
                         "body rod { mass = 1, inertia = 0.01, center = (l/2, 0), marker end = (l, 0) }"
                         "body piston { mass = 1, inertia = 0.01 }"
                         "revolute O between ground and crank  revolute A between crank.pin and rod "
                         "revolute B between rod.end and piston "
                         "prismatic S between ground and piston along (1, 0) "
                         "drive motor: crank.angle = w*time");
    const Solution s = solved(m, exact_until(1.0));
    const double r = 0.1, l = 0.3, w = 20, t = 1.0;
    const double sine = std::sin(w * t), cosine = std::cos(w * t), root = std::sqrt(l * l - r * r * sine * sine);
    EXPECT_NEAR(s.final("piston.x"), r * cosine + root, 1e-9);
    EXPECT_NEAR(s.final("piston.vx"), -r * w * sine - r * r * w * sine * cosine / root, 1e-8);
    EXPECT_NEAR(s.final("piston.angle"), 0.0, 1e-10);
}

TEST(Mechanism, FourBarInPlaneAndInSpace) {
    // In space three constraints are redundant; the motion is the same.
    const std::string plane =
        "mechanism f in plane parameter a = 0.1, b = 0.35, c = 0.25, d = 0.4 "
        "gravity = (0, -9.81)"
        "body A { mass = 0.2, inertia = 2e-4, center = (a/2, 0), angle = 1.0, marker e = (a, 0) }"
        "body B { mass = 0.7, inertia = 7e-3, center = (b/2, 0), angle = 0.48, marker e = (b, 0) }"
        "body C { mass = 0.5, inertia = 2.6e-3, center = (c/2, 0), angle = 1.72, marker e = (c, 0) }"
        "revolute O between ground and A  revolute P between A.e and B "
        "revolute Q between B.e and C.e  revolute R between ground at (d, 0) and C";
    const std::string space =
        "mechanism f in space parameter a = 0.1, b = 0.35, c = 0.25, d = 0.4 "
        "gravity = (0, -9.81, 0)"
        "body A { mass = 0.2, inertia = (1e-5, 2e-4, 2e-4), center = (a/2, 0, 0), marker e = (a, 0, 0), "
        "turned = 1.0 about (0, 0, 1) }"
        "body B { mass = 0.7, inertia = (1e-5, 7e-3, 7e-3), center = (b/2, 0, 0), marker e = (b, 0, 0), "
        "turned = 0.48 about (0, 0, 1) }"
        "body C { mass = 0.5, inertia = (1e-5, 2.6e-3, 2.6e-3), center = (c/2, 0, 0), marker e = (c, 0, 0), "
        "turned = 1.72 about (0, 0, 1) }"
        "revolute O between ground and A about (0, 0, 1)  revolute P between A.e and B about (0, 0, 1)"
        "revolute Q between B.e and C.e about (0, 0, 1)  revolute R between ground at (d, 0, 0) and C about (0, 0, 1)"
        "output phi = O.angle";
    // The same configuration at the start: least change is measured in other coordinates there.
    const Model flat = mech(plane), solid = mech(space);
    const Solution p = solved(flat, exact_until(0.8));
    SolveOptions options = exact_until(0.8);
    for (const char* body : {"A", "B", "C"}) {
        const double angle = p[std::string(body) + ".angle"].front();
        options.starts.push_back({std::string(body) + ".q0", std::cos(angle / 2), StartStrength::preferred});
        options.starts.push_back({std::string(body) + ".q3", std::sin(angle / 2), StartStrength::preferred});
        for (const char* c : {".x", ".y"})
            options.starts.push_back(
                {body + std::string(c), p[body + std::string(c)].front(), StartStrength::preferred});
    }
    const Solution s = solved(solid, options);
    const std::string told = render(s.diagnostics());
    EXPECT_THAT(told, ::testing::HasSubstr("3 equations follow from the others"));
    EXPECT_THAT(told, ::testing::HasSubstr("revolute joint O (torque_1)"));
    EXPECT_NEAR(s.final("phi"), p.final("A.angle"), 1e-6);
    EXPECT_NEAR(s.final("C.x"), p.final("C.x"), 1e-7);
    EXPECT_NEAR(s.final("C.vy"), p.final("C.vy"), 1e-6);
}

TEST(Mechanism, TopKeepsWhatATopKeeps) {
    const Model m =
        mech("mechanism t in space coordinates absolute gravity = (0, 0, -9.81)"
             "body top { mass = 1, inertia = (0.02, 0.02, 0.01), center = (0, 0, 0.3),"
             "turned = 30 deg about (1, 0, 0), omega = (0, 0, 60) }"
             "spherical tip between ground and top "
             "output energy = kinetic_energy + potential_energy,"
             "Lz = 0.11*(top.omega_x*top.first_z + top.omega_y*top.second_z) + 0.01*top.omega_z*top.third_z,"
             "nutation = top.third_z");
    const Solution s = solved(m, exact_until(2));
    EXPECT_LT(spread(s, "energy"), 1e-6);
    EXPECT_LT(spread(s, "Lz"), 1e-7);
    EXPECT_LT(spread(s, "top.omega_z"), 1e-7);
    double off = 0;
    for (std::size_t i = 0; i < s.time().size(); ++i) {
        double length = 0;
        for (const char* q : {"top.q0", "top.q1", "top.q2", "top.q3"}) length += s[q][i] * s[q][i];
        off = std::max(off, std::abs(length - 1));
    }
    EXPECT_LT(off, 1e-7);
    // Euler angles: θ'' from the conserved momenta, I1 = J1 + m l²; h3 = J3 ω3, hz at the start.
    const double I1 = 0.02 + 0.09, h3 = 0.01 * 60, hz = h3 * std::cos(pi / 6);
    const Solution e = solved(fmt::format("model E Real th(start = {}), w(start = 0), psi(start = 0); equation "
                                          "der(th) = w; {}*der(w) = 9.81*0.3*sin(th) - "
                                          "(({} - {}*cos(th))/sin(th))*({} - ({} - {}*cos(th))*cos(th)/sin(th)^2);"
                                          "der(psi) = ({} - {}*cos(th))/({}*sin(th)^2); end E;",
                                          pi / 6, I1, hz / I1, h3 / I1, h3, hz, h3, hz, h3, I1),
                              exact_until(2));
    EXPECT_NEAR(s.final("nutation"), std::cos(e.final("th")), 1e-6);
    // The axis leans to -y at the start and goes round by ψ.
    const double lean = std::sin(e.final("th")), psi = e.final("psi");
    EXPECT_NEAR(s.final("top.x"), 0.3 * lean * std::sin(psi), 1e-6);
    EXPECT_NEAR(s.final("top.y"), -0.3 * lean * std::cos(psi), 1e-6);
}

TEST(Mechanism, CardanShaftTurnsAsItsFormulaSays) {
    // Shafts along z and R_y(β) z; arms (-sin θ, cos θ, 0) and (cos φ cos β, sin φ, …) are orthogonal.
    const Model m = mech("mechanism u in space parameter beta = 40 deg "
                         "body input { mass = 1, inertia = (1, 1, 1) }"
                         "body out { mass = 1, inertia = (1, 1, 1), turned = beta about (0, 1, 0) }"
                         "revolute A between ground and input about (0, 0, 1)"
                         "universal U between input and out about (0, 1, 0) and (1, 0, 0)"
                         "cylindrical B between ground turned beta about (0, 1, 0) and out about (0, 0, 1)"
                         "drive motor: A.angle = 3*time output phi = B.angle");
    const Solution s = solved(m, exact_until(0.4));
    EXPECT_NEAR(std::tan(s.final("phi")), std::tan(3 * 0.4) * std::cos(40 * pi / 180), 1e-6);
}

TEST(Mechanism, NutFallsAlongItsScrew) {
    // v (m + J (2π/p)²) = m g t
    const Model m = mech("mechanism n in space coordinates absolute gravity = (0, 0, -9.81) parameter p = 0.02 "
                         "body nut { mass = 2, inertia = (1e-3, 1e-3, 1e-3) }"
                         "screw s between ground and nut about (0, 0, 1) { pitch = p } output turns = s.angle/(2*pi)");
    const Solution s = solved(m, exact_until(1));
    const double k = 2 * pi / 0.02, a = -2 * 9.81 / (2 + 1e-3 * k * k);
    EXPECT_NEAR(s.final("nut.z"), a / 2, 1e-9);
    EXPECT_NEAR(s.final("turns"), a / 2 / 0.02, 1e-7);
}

TEST(Mechanism, BallRollsDownAndDiscStraight) {
    const Model ball = mech("mechanism b in space gravity = (3, 0, -9)"
                            "body ball { mass = 2, inertia = (0.2, 0.2, 0.2) }" // 2/5 m r²
                            "rolling r between ground and ball { radius = 0.5 }");
    const Solution s = solved(ball, exact_until(1));
    EXPECT_NEAR(s.final("ball.x"), 0.5 * 3 * 5 / 7, 1e-9);
    EXPECT_NEAR(s.final("ball.z"), 0.5, 1e-10);
    EXPECT_NEAR(s.final("r.force_normal"), 18, 1e-8);
    EXPECT_NEAR(s.final("r.force_1"), -2 * 3 * 2.0 / 7, 1e-8);

    const Model wheel = mech("mechanism w in plane gravity = (0, -9.81)"
                             "body wheel { mass = 1, inertia = 0.02, omega = -3 }"
                             "rolling r between ground and wheel { radius = 0.2 } torque push on wheel = -0.1");
    const Solution w = solved(wheel, exact_until(2));
    const double acceleration = 0.1 * 0.2 / (0.02 + 0.04);
    EXPECT_NEAR(w.final("wheel.x"), 0.6 * 2 + acceleration * 2, 1e-8);
}

TEST(Mechanism, LeaningDiscKeepsItsEnergy) {
    const Model m = mech("mechanism d in space gravity = (0, 0, -9.81)"
                         "body disc { mass = 1, inertia = (0.0625, 0.125, 0.0625), turned = 20 deg about (1, 0, 0),"
                         "omega = (0.2, 8, 0) }"
                         "rolling R between ground and disc about (0, 1, 0) { radius = 0.5 }"
                         "output energy = kinetic_energy + potential_energy");
    const Solution s = solved(m, exact_until(3));
    EXPECT_GT(spread(s, "disc.x"), 1.0);
    EXPECT_LT(spread(s, "energy"), 1e-6);
}

TEST(Mechanism, SpringsDampersBushingsAndFriction) {
    const auto at = [](const std::string& force, double t, const std::string& name) {
        const Model m =
            mech("mechanism s in plane coordinates absolute body block { mass = 2, inertia = 0.5, at = (1, 0) }"
                 "prismatic rail between ground and block along (1, 0) { position = 1 } " +
                 force);
        return solved(m, exact_until(t)).final(name);
    };
    // 2 x'' = -8 (x - 0.5)
    const double expected = 0.5 + 0.5 * std::cos(2 * 1.3);
    EXPECT_NEAR(at("spring s between ground and block { stiffness = 8, length = 0.5 }", 1.3, "block.x"), expected,
                1e-8);
    EXPECT_NEAR(at("torsion s at rail { stiffness = 8, rest = 0.5 }", 1.3, "block.x"), expected, 1e-8);
    EXPECT_NEAR(at("bushing s between ground at (0.5, 0) and block { stiffness = (8, 1) }", 1.3, "block.x"), expected,
                1e-8);
    EXPECT_NEAR(at("force f on block = (-8*(rail.position - 0.5), 3)", 1.3, "block.x"), expected, 1e-8);
    // overdamped to nothing: 2 x'' = -4 x' + 1
    EXPECT_NEAR(
        at("damper d between ground at (-5, 0) and block { damping = 4 } force f on block = (1, 0)", 1, "block.vx"),
        0.25 * (1 - std::exp(-2.0)), 1e-8);
    // dry friction 0.5 against 1 N, far above the scale
    EXPECT_NEAR(at("friction r at rail { friction = 0.5, scale = 1e-6 } force f on block = (1, 0)", 1, "block.vx"),
                0.25, 1e-5);
    EXPECT_NEAR(at("actuator a between ground at (-1, 0) and block { force = 2*time }", 2, "block.vx"), 2.0, 1e-8);
}

TEST(Mechanism, FormulationsAndMethodsAgreeOnATopInQuaternions) {
    const Model m = mech("mechanism t in space coordinates absolute gravity = (0, 0, -9.81)"
                         "body top { mass = 1, inertia = (0.02, 0.02, 0.01), center = (0, 0, 0.3),"
                         "turned = 30 deg about (1, 0, 0), omega = (0, 0, 60) } spherical tip between ground and top");
    const Solution reference = solved(m, exact_until(0.3));
    const auto compare = [&](SolveOptions options, const std::string& what) {
        options.until = 0.3, options.rtol = 1e-8, options.atol = 1e-10, options.points = 10;
        const Solution s = solved(m, options);
        for (const char* name : {"top.x", "top.y", "top.vz", "top.omega_x"})
            EXPECT_NEAR(s.final(name), reference.final(name), 2e-5) << what << ' ' << name;
        EXPECT_NEAR(s.final("tip.force_z"), reference.final("tip.force_z"), 2e-3) << what;
    };
    for (const Reduction r :
         {Reduction::index2, Reduction::dummy, Reduction::ggl, Reduction::underlying_ode, Reduction::projection,
          Reduction::baumgarte, Reduction::stabilised_index1, Reduction::project_position, Reduction::project_velocity,
          Reduction::partition, Reduction::overdetermined, Reduction::tangent, Reduction::minimal})
        compare({.reduction = r}, std::string(to_string(r)));
    compare({.method = "dop853", .reduction = Reduction::tangent}, "dop853, tangent");
    for (const char* method : {"hem4", "hem5", "phem56", "bdf", "dopri5"}) compare({.method = method}, method);
}

// W (4.3)-(4.5) where velocities are not the derivatives of positions: errors O(ε), O(ε²) and O(ε) as in coordinates
// where they are.
TEST(Mechanism, RegularisationsOfATopInQuaternions) {
    const Model m = mech("mechanism t in space coordinates absolute gravity = (0, 0, -9.81)"
                         "body top { mass = 1, inertia = (0.02, 0.02, 0.01), center = (0, 0, 0.3),"
                         "turned = 30 deg about (1, 0, 0), omega = (0, 0, 20) } spherical tip between ground and top");
    const Solution exact = solved(m, exact_until(0.5));
    const std::tuple<Reduction, double, double> kinds[] = {
        {Reduction::penalty, 1e-5, 1}, {Reduction::knorrenschild, 2e-3, 2}, {Reduction::hanke, 2e-3, 1}};
    for (const auto& [kind, epsilon, order] : kinds) {
        const auto error = [&, r = kind](double e) {
            const Solution s =
                solved(m, {.until = 0.5, .method = "radau", .rtol = 1e-9, .reduction = r, .epsilon = e, .points = 100});
            double worst = 0;
            for (std::size_t i = 0; i < s.time().size(); ++i)
                for (const char* name : {"top.x", "top.y", "top.z"})
                    worst = std::max(worst, std::abs(s[name][i] - exact[name][i]));
            return worst;
        };
        const double whole = error(epsilon), quarter = error(epsilon / 4);
        EXPECT_NEAR(std::log2(whole / quarter) / 2, order, 0.2) << to_string(kind) << ' ' << whole << ' ' << quarter;
    }
}
