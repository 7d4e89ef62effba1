// Redundant constraints (HW VII.2, exercise 2): the motion is that of the model without them, Gᵀλ is the same force,
// and λ is the least-norm vector among those that give it.
#include "daedalus/daedalus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace daedalus {
namespace {

SolveOptions until(double t, double rtol = 1e-9) {
    SolveOptions options;
    options.until = t;
    options.rtol = rtol;
    options.points = 40;
    return options;
}

Solution solved(const std::string& text, const SolveOptions& options) {
    auto model = Model::from_string(text);
    EXPECT_TRUE(model.has_value()) << model.error().front().message;
    auto s = solve(*model, options);
    EXPECT_TRUE(s.has_value()) << s.error().front().message;
    EXPECT_TRUE(s->success()) << s->message();
    return *std::move(s);
}

bool says(const Diagnostics& list, const std::string& code) {
    return std::any_of(list.begin(), list.end(), [&](const Diagnostic& d) { return d.code == code; });
}

void expect_same(const Solution& a, const Solution& b, const std::vector<std::string>& names, double tolerance) {
    ASSERT_EQ(a.time().size(), b.time().size());
    for (const std::string& name : names)
        for (std::size_t k = 0; k < a.time().size(); ++k)
            ASSERT_NEAR(a[name][k], b[name][k], tolerance * (1 + std::abs(b[name][k])))
                << name << " at t = " << a.time()[k];
}

std::string pendulum(const std::string& multipliers, const std::string& fx, const std::string& fy,
                     const std::string& constraints, const std::string& more = {}) {
    return R"(model Pendulum
  Real x(start = 1, fixed = true), y(start = 0), u(start = 0), v(start = 0, fixed = true), )" +
           multipliers + ";\n" + more + "\nequation\n  der(x) = u; der(y) = v;\n  der(u) = " + fx +
           ";\n  der(v) = " + fy + " - 9.81;\n  " + constraints + "\nend Pendulum;\n";
}

const std::string single = pendulum("l", "-2*x*l", "-2*y*l", "x^2 + y^2 = 1;");

// g and 2 g: λ₁ + 2 λ₂ = μ, of least norm μ (1, 2)/5.
TEST(RedundantConstraints, AConstraintAndItsMultiple) {
    const std::string twice =
        pendulum("l1, l2", "-2*x*l1 - 4*x*l2", "-2*y*l1 - 4*y*l2", "x^2 + y^2 = 1;\n  2*x^2 + 2*y^2 = 2;");
    const Solution one = solved(single, until(3));
    const Solution two = solved(twice, until(3));
    EXPECT_TRUE(says(two.diagnostics(), "redundant-constraints"));
    expect_same(two, one, {"x", "y", "u", "v"}, 1e-7);
    for (std::size_t k = 0; k < one.time().size(); ++k) {
        EXPECT_NEAR(two["l1"][k], one["l"][k] / 5, 1e-6);
        EXPECT_NEAR(two["l2"][k], 2 * one["l"][k] / 5, 1e-6);
    }
    // The equation that was left out is among those that are checked.
    bool checked = false;
    for (const ResidualSummary& r : two.residuals())
        if (r.equation.find("2*x^2 + 2*y^2 = 2") != std::string::npos) checked = r.at_steps < 1e-6;
    EXPECT_TRUE(checked);
}

TEST(RedundantConstraints, InEveryFormulation) {
    const std::string twice =
        pendulum("l1, l2", "-2*x*l1 - 4*x*l2", "-2*y*l1 - 4*y*l2", "x^2 + y^2 = 1;\n  2*x^2 + 2*y^2 = 2;");
    const Solution one = solved(single, until(1));
    for (const Reduction reduction :
         {Reduction::dummy, Reduction::ggl, Reduction::projection, Reduction::derivative_array}) {
        SolveOptions options = until(1);
        options.reduction = reduction;
        const Solution two = solved(twice, options);
        expect_same(two, one, {"x", "y", "u", "v"}, 1e-5);
        for (std::size_t k = 1; k < one.time().size(); ++k)
            EXPECT_NEAR(two["l2"][k], 2 * two["l1"][k], 1e-6 * (1 + std::abs(two["l2"][k])));
    }
}

// Two rods side by side, one of them written with a root: they share the force.
TEST(RedundantConstraints, TwoRodsShareTheForce) {
    const Solution one = solved(single, until(2));
    const Solution two = solved(
        pendulum("l1, l2", "-2*x*l1 - x*l2", "-2*y*l1 - y*l2", "x^2 + y^2 = 1;\n  sqrt(x^2 + y^2) = 1;"), until(2));
    expect_same(two, one, {"x", "y", "u", "v"}, 1e-7);
    for (std::size_t k = 0; k < one.time().size(); ++k) { // 2 λ₁ + λ₂ = 2 μ
        EXPECT_NEAR(two["l1"][k], 4 * one["l"][k] / 5, 1e-6);
        EXPECT_NEAR(two["l2"][k], 2 * one["l"][k] / 5, 1e-6);
    }
}

// x = sin t written twice: more multipliers than equations of motion.
TEST(RedundantConstraints, MoreMultipliersThanForces) {
    const Solution s = solved(R"(model Guided
  Real x, v, l1, l2;
equation
  der(x) = v; der(v) = l1 + 2*l2;
  x = sin(time);
  2*x = 2*sin(time);
end Guided;
)",
                              until(2));
    for (std::size_t k = 0; k < s.time().size(); ++k) {
        EXPECT_NEAR(s["l1"][k], -std::sin(s.time()[k]) / 5, 1e-8);
        EXPECT_NEAR(s["l2"][k], -2 * std::sin(s.time()[k]) / 5, 1e-8);
    }
}

// g₃ = 10 x g₁ + g₂ depends on the others where they hold, and nowhere else. ker Gᵀ = (10 x, 1, −1) turns by a right
// angle on the way: no constant choice of constraints and multipliers does for the whole run.
TEST(RedundantConstraints, ADependenceThatTurns) {
    const std::string begin = R"(
  Real x(start = 1, fixed = true), y(start = 0), z(start = 0), u(start = 0), v(start = 0, fixed = true), w;
)";
    const Solution one = solved("model One" + begin + R"(  Real m1, m2;
equation
  der(x) = u; der(y) = v; der(z) = w;
  der(u) = -2*x*m1; der(v) = -2*y*m1 + m2 - 9.81; der(w) = -m2;
  x^2 + y^2 - 1 = 0;
  z - y = 0;
end One;
)",
                                until(2));
    const std::string three = "model Three" + begin + R"(  Real l1, l2, l3;
equation
  der(x) = u; der(y) = v; der(z) = w;
  der(u) = -2*x*l1 - (20*x*x + 10*(x^2 + y^2 - 1))*l3;
  der(v) = -2*y*l1 + l2 - (20*x*y - 1)*l3 - 9.81;
  der(w) = -l2 - l3;
  x^2 + y^2 - 1 = 0;
  z - y = 0;
  10*x*(x^2 + y^2 - 1) + z - y = 0;
end Three;
)";
    const Solution s = solved(three, until(2));
    expect_same(s, one, {"x", "y", "z", "u", "v", "w"}, 1e-6);
    for (std::size_t k = 0; k < one.time().size(); ++k) {
        const double x = one["x"][k], m1 = one["m1"][k], m2 = one["m2"][k];
        const double along = (10 * x * m1 + m2) / (100 * x * x + 2); // (m1, m2, 0) − n (n·λ)/(n·n)
        EXPECT_NEAR(s["l1"][k], m1 - 10 * x * along, 1e-5 * (1 + std::abs(m1))) << s.time()[k];
        EXPECT_NEAR(s["l2"][k], m2 - along, 1e-5 * (1 + std::abs(m2))) << s.time()[k];
        EXPECT_NEAR(s["l3"][k], along, 1e-5 * (1 + std::abs(along))) << s.time()[k];
    }
    // The same at the start.
    auto model = Model::from_string(three);
    const auto start = initialize(*model, until(2));
    ASSERT_TRUE(start.has_value()) << start.error().front().message;
    EXPECT_TRUE(says(start->warnings, "redundant-constraints"));
    EXPECT_NEAR((*start)["l3"].value_or(NAN), s["l3"][0], 1e-9);
}

// A door, as a lamina of three points a, b, c with rigid distances, on three hinges: a, b and the middle between them.
// Twelve constraints of rank eight on nine coordinates; c turns about the z axis: φ'' = −(g/L) cos φ, whose energy
// integral is v² = 2 g L (sin φ₀ − sin φ).
TEST(RedundantConstraints, ADoorOnThreeHinges) {
    std::string variables, equations;
    const std::string axis[] = {"x", "y", "z"};
    const char* const at_b[] = {"0", "0", "2"};
    const char* const start_c[] = {"0.8", "0", "0.7"};
    const auto sum = [](const std::string& p, const std::string& q) {
        return "(" + p + "x - " + q + "x)^2 + (" + p + "y - " + q + "y)^2 + (" + p + "z - " + q + "z)^2";
    };
    for (int i = 0; i < 3; ++i) {
        const std::string& e = axis[i];
        const std::string weight = i == 1 ? " - 9.81" : "";
        const std::string a = "a" + e, b = "b" + e, c = "c" + e;
        variables += "  Real " + a + "(start = 0), " + b + "(start = " + at_b[i] + "), " + c +
                     "(start = " + start_c[i] + "), va" + e + ", vb" + e + ", vc" + e + "(start = 0), h1" + e + ", h2" +
                     e + ", h3" + e + ";\n";
        equations += "  der(" + a + ") = va" + e + "; der(" + b + ") = vb" + e + "; der(" + c + ") = vc" + e + ";\n";
        equations += "  der(va" + e + ") = -2*(" + a + " - " + b + ")*r1 - 2*(" + a + " - " + c + ")*r2 - h1" + e +
                     " - h3" + e + "/2" + weight + ";\n";
        equations += "  der(vb" + e + ") = -2*(" + b + " - " + a + ")*r1 - 2*(" + b + " - " + c + ")*r3 - h2" + e +
                     " - h3" + e + "/2" + weight + ";\n";
        equations +=
            "  der(vc" + e + ") = -2*(" + c + " - " + a + ")*r2 - 2*(" + c + " - " + b + ")*r3" + weight + ";\n";
        equations += "  " + a + " = 0; " + b + " = " + at_b[i] + "; (" + a + " + " + b + ")/2 = " + at_b[i] + "/2;\n";
    }
    equations += "  " + sum("a", "b") + " = 4;\n  " + sum("a", "c") + " = 0.8^2 + 0.7^2;\n  " + sum("b", "c") +
                 " = 0.8^2 + 1.3^2;\n";
    const Solution s = solved("model Door\n" + variables + "  Real r1, r2, r3;\nequation\n" + equations + "end Door;\n",
                              until(1.5, 1e-8));
    EXPECT_TRUE(says(s.diagnostics(), "redundant-constraints"));
    for (std::size_t k = 0; k < s.time().size(); ++k) {
        const double x = s["cx"][k], y = s["cy"][k];
        EXPECT_NEAR(std::hypot(x, y), 0.8, 1e-7);
        EXPECT_NEAR(s["cz"][k], 0.7, 1e-7);
        EXPECT_NEAR(s["vcx"][k] * s["vcx"][k] + s["vcy"][k] * s["vcy"][k], -2 * 9.81 * y, 1e-5);
        // The rods hold c on its circle: along the radius, 2 (r₂ + r₃) 0.8² = v² − … from x·x'' + y·y'' + v² = 0.
        const double v2 = -2 * 9.81 * y;
        EXPECT_NEAR(2 * (s["r2"][k] + s["r3"][k]) * 0.64, v2 - 9.81 * y, 1e-4);
        // Least norm: orthogonal to the four ways of stressing the door in itself. The rod between a and b against
        // their hinges; and the third hinge against the two others, along every axis.
        EXPECT_NEAR(s["r1"][k] + 4 * s["h1z"][k] - 4 * s["h2z"][k], 0.0, 1e-6);
        for (const char* e : {"x", "y", "z"}) {
            const std::string axis_name = e;
            EXPECT_NEAR(s["h1" + axis_name][k] + s["h2" + axis_name][k] - 2 * s["h3" + axis_name][k], 0.0, 1e-6);
        }
    }
}

// A planar four-bar loop in space, a parallelogram with a third crank in the middle: that one depends on the others in
// second order only, so that a point beside the solutions says nothing.
TEST(RedundantConstraints, ALoopWrittenInSpace) {
    const Solution s = solved(R"(model Loop
  Real x1(start = 1), y1(start = 0.5), z1, x2(start = 3), y2(start = 0.5), z2, u1, v1, w1, u2, v2, w2;
  Real l1, l2, l3, l4, s1, s2, s3;
equation
  der(x1) = u1; der(y1) = v1; der(z1) = w1; der(x2) = u2; der(y2) = v2; der(z2) = w2;
  der(u1) = -2*x1*l1 + 2*(x2 - x1)*l2 - ((x1 + x2)/2 - 1)*l4;
  der(v1) = -9.81 - 2*y1*l1 + 2*(y2 - y1)*l2 - (y1 + y2)/2*l4;
  der(w1) = -2*z1*l1 + 2*(z2 - z1)*l2 - (z1 + z2)/2*l4 - s1 + s3;
  2*der(u2) = -2*(x2 - 2)*l3 - 2*(x2 - x1)*l2 - ((x1 + x2)/2 - 1)*l4;
  2*der(v2) = -2*9.81 - 2*y2*l3 - 2*(y2 - y1)*l2 - (y1 + y2)/2*l4;
  2*der(w2) = -2*z2*l3 - 2*(z2 - z1)*l2 - (z1 + z2)/2*l4 - s2 - s3;
  x1^2 + y1^2 + z1^2 = 1.25;
  (x2 - x1)^2 + (y2 - y1)^2 + (z2 - z1)^2 = 4;
  (x2 - 2)^2 + y2^2 + z2^2 = 1.25;
  ((x1 + x2)/2 - 1)^2 + ((y1 + y2)/2)^2 + ((z1 + z2)/2)^2 = 1.25;
  z1 = 0; z2 = 0; z2 - z1 = 0;
end Loop;
)",
                              until(0.25, 1e-8));
    // Both points move on circles of radius √1.25 like one pendulum, whatever the masses.
    for (std::size_t k = 0; k < s.time().size(); ++k) {
        EXPECT_NEAR(s["x2"][k] - s["x1"][k], 2.0, 1e-7);
        EXPECT_NEAR(s["y2"][k], s["y1"][k], 1e-7);
        const double v = std::hypot(s["u1"][k], s["v1"][k]);
        EXPECT_NEAR(v * v, 2 * 9.81 * (0.5 - s["y1"][k]), 1e-6);
        // ∇g₄ = (∇g₁ + ∇g₃)/2: ker Gᵀ = (1, 1, −2).
        EXPECT_NEAR(s["l1"][k] + s["l3"][k] - 2 * s["l4"][k], 0.0, 1e-6);
        EXPECT_NEAR(s["s1"][k], 0.0, 1e-8);
    }
}

// M need not be regular either, only on the kernel of G: a pendulum whose mass moves along x alone.
TEST(RedundantConstraints, AMassMatrixThatIsSingular) {
    const auto text = [](const std::string& multipliers, const std::string& fx, const std::string& fy,
                         const std::string& constraints) {
        return "model Massless\n  Real x(start = 0.6, fixed = true), y(start = -0.8), u(start = 0, fixed = true), " +
               multipliers + ";\nequation\n  der(x) = u;\n  der(u) = " + fx + ";\n  0 = " + fy + " - 9.81;\n  " +
               constraints + "\nend Massless;\n";
    };
    const Solution one = solved(text("l", "-2*x*l", "-2*y*l", "x^2 + y^2 = 1;"), until(1));
    const Solution two = solved(
        text("l1, l2", "-2*x*l1 - 6*x*l2", "-2*y*l1 - 6*y*l2", "x^2 + y^2 = 1;\n  3*x^2 + 3*y^2 = 3;"), until(1));
    expect_same(two, one, {"x", "y", "u"}, 1e-7);
    for (std::size_t k = 0; k < one.time().size(); ++k) {
        EXPECT_NEAR(two["l1"][k], one["l"][k] / 10, 1e-6);
        EXPECT_NEAR(two["l2"][k], 3 * one["l"][k] / 10, 1e-6);
    }
}

// A constraint of positions and its derivative: the second follows from the first, differentiated.
TEST(RedundantConstraints, AConstraintAndItsDerivative) {
    const Solution one = solved(single, until(1));
    const Solution two =
        solved(pendulum("l1, l2", "-2*x*l1 - x*l2", "-2*y*l1 - y*l2", "x^2 + y^2 = 1;\n  x*u + y*v = 0;"), until(1));
    expect_same(two, one, {"x", "y", "u", "v"}, 1e-7);
}

TEST(RedundantConstraints, ContradictionsNameBothEquations) {
    auto model = Model::from_string(
        pendulum("l1, l2", "-2*x*l1 - 4*x*l2", "-2*y*l1 - 4*y*l2", "x^2 + y^2 = 1;\n  2*x^2 + 2*y^2 = 3;"));
    const auto s = solve(*model, until(1));
    ASSERT_FALSE(s.has_value());
    EXPECT_EQ(s.error().front().code, "contradicting-equations");
    std::string all;
    for (const Diagnostic& note : s.error().front().notes) all += note.message + "\n";
    EXPECT_NE(all.find("x^2 + y^2 = 1"), std::string::npos) << all;
    EXPECT_NE(all.find("2*x^2 + 2*y^2 = 3"), std::string::npos) << all;
}

// Friction by the force of one of the two rods: the motion depends on how they share it.
TEST(RedundantConstraints, WhatMattersToTheMotionIsRefusedByName) {
    auto model = Model::from_string(pendulum("l1, l2", "-2*x*l1 - 4*x*l2 - 0.1*u*l1^2", "-2*y*l1 - 4*y*l2 - 0.1*v*l1^2",
                                             "x^2 + y^2 = 1;\n  2*x^2 + 2*y^2 = 2;"));
    EXPECT_FALSE(solve(*model, until(1)).has_value());
    auto events = Model::from_string(
        pendulum("l1, l2", "-2*x*l1 - 4*x*l2", "-2*y*l1 - 4*y*l2",
                 "x^2 + y^2 = 1;\n  2*x^2 + 2*y^2 = 2;\n  when l1 > 3 then reinit(u, 0); end when;"));
    ASSERT_TRUE(events.has_value()) << events.error().front().message;
    const auto s = solve(*events, until(1));
    ASSERT_FALSE(s.has_value());
    EXPECT_EQ(s.error().front().code, "undetermined-variable");
    EXPECT_NE(s.error().front().message.find("'l1'"), std::string::npos);
}

TEST(RedundantConstraints, AnalysesAndManyRuns) {
    auto model = Model::from_string(
        pendulum("l1, l2", "-2*x*l1 - 4*x*l2", "-2*y*l1 - 4*y*l2", "x^2 + y^2 = 1;\n  2*x^2 + 2*y^2 = 2;"));
    const auto a = analyze(*model);
    ASSERT_TRUE(a.has_value()) << a.error().front().message;
    EXPECT_EQ(a->differentiation_index.value, 3);
    EXPECT_EQ(a->degrees_of_freedom, 2);
    const auto said = std::find_if(a->warnings.begin(), a->warnings.end(),
                                   [](const std::string& w) { return w.find("'l1' and 'l2'") != std::string::npos; });
    EXPECT_NE(said, a->warnings.end());
    const auto compiled = model->compile();
    ASSERT_TRUE(compiled.has_value()) << compiled.error().front().message;
    const auto first = compiled->solve(until(1)), second = compiled->solve(until(1));
    ASSERT_TRUE(first.has_value() && second.has_value());
    expect_same(*first, *second, {"x", "l1"}, 0.0);
}

// A circuit without a ground has an equation too few, and its author is told.
TEST(RedundantConstraints, PotentialsWithoutAGroundStayAnError) {
    auto model = Model::from_string(R"(model NoGround
  Real v1, v2, i, j(start = 1);
equation
  v1 - v2 = 2*i;
  der(j) = v2 - v1;
  i = j;
  j - i = 0;
end NoGround;
)");
    EXPECT_FALSE(solve(*model, until(1)).has_value());
}

// der(x) = u and der(y) = v are two equations, although they look alike.
TEST(RedundantConstraints, EquationsThatLookAlikeAreNotWrittenTwice) {
    auto model = Model::from_string(R"(model Over
  Real x(start = 1); Real y(start = 0); Real u(start = 0); Real v(start = 0); Real z; Real w;
equation
  der(x) = u; der(y) = v;
  x + y = 1;
  u = 3; v = 2;
  z + w = 1;
end Over;
)");
    const auto a = analyze(*model);
    ASSERT_FALSE(a.has_value());
    for (const Diagnostic& d : a.error()) EXPECT_EQ(d.hint.find("written twice"), std::string::npos) << d.hint;
}

} // namespace
} // namespace daedalus
