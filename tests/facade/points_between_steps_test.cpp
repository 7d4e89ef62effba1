// Output points lie between steps. They satisfy the equations as the ends of steps do, and are as accurate.
#include "daedalus/daedalus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace daedalus {
namespace {

Solution solved(const char* text, const SolveOptions& options) {
    const auto model = Model::from_string(text);
    EXPECT_TRUE(model.has_value());
    auto s = solve(*model, options);
    EXPECT_TRUE(s.has_value() && s->success());
    return *std::move(s);
}

// The leading matrix [1 y; 0 1] is another one at every point; x = sin t, y = cos t. Slopes with the matrix of the last
// point gave 6e-10 in x, a hundred times the error of the steps.
TEST(PointsBetweenSteps, OfExplicitMethodsKnowTheLeadingMatrix) {
    const Solution s = solved(R"(model Mixed
  Real x(start = 0), y(start = 1);
equation
  der(x) + x - (cos(time) + sin(time)) + y*(der(y) + 0.4*x + y - (cos(time) - 0.6*sin(time))) = 0;
  der(y) + 0.4*x + y = cos(time) - 0.6*sin(time);
end Mixed;
)",
                              {.until = 2, .method = "dop853", .rtol = 1e-9});
    double worst = 0.0;
    for (std::size_t k = 0; k < s.time().size(); ++k)
        worst =
            std::max({worst, std::abs(s["x"][k] - std::sin(s.time()[k])), std::abs(s["y"][k] - std::cos(s.time()[k]))});
    EXPECT_LE(worst, 1e-10);
}

// u2 is of size 1e12 without saying so, and its third derivative vanishes: what rounding leaves of that is no reason to
// leave a point beside the constraint on u1.
TEST(PointsBetweenSteps, AreConsistentWhateverNoiseDerivativesHave) {
    const Solution s = solved(R"(model Scales
  Real u1(start = -1.52), u2(start = 8.7e11), u3(start = 2.0979764638421065e-06, nominal = 1e-06);
  Real u4(start = -6.7e-05, nominal = 1e-4), u5(start = -0.202, nominal = 0.1);
equation
  1e-8*(1.32*(-1.15*exp(-2.54*time) - 0.37) - 1.32*u1) = 0;
  1e12*(der(u1) - 0.7e-12*u2 + 0.084*u1^2 - (2.921*exp(-2.54*time) - 0.7*(0.87 - 0.96*time - 1.77*time^2)
    + 0.084*(1.15*exp(-2.54*time) + 0.37)^2)) = 0;
  1e8*(1e-12*der(u2) + 0.94e6*u3 - 0.018e-24*u2^2 - (-0.96 - 3.54*time + 0.94*(1.8*sin(1.63*time + 2.45) + 0.95)
    - 0.018*(0.87 - 0.96*time - 1.77*time^2)^2)) = 0;
  1e-3*(1e6*der(u3) - 0.92e4*u4 + 0.08*sin(u1) - (2.934*cos(1.63*time + 2.45) + 0.92*0.67/(1 + 2.66*time)
    - 0.08*sin(1.15*exp(-2.54*time) + 0.37))) = 0;
  1e-10*(1e4*der(u4) + 6.2*u5 + 0.13e6*u3 - (1.7822/(1 + 2.66*time)^2 - 0.62*(1.4*exp(-0.8*time) + 0.62)
    + 0.13*(1.8*sin(1.63*time + 2.45) + 0.95))) = 0;
end Scales;
)",
                              {.until = 2, .rtol = 1e-4});
    for (std::size_t k = 0; k < s.time().size(); ++k) {
        const double t = s.time()[k];
        EXPECT_NEAR(s["u1"][k], -1.15 * std::exp(-2.54 * t) - 0.37, 1e-13);
        EXPECT_NEAR(s["u4"][k], -6.7e-5 / (1 + 2.66 * t), 1e-14);
    }
}

// x = sin t by a hidden constraint, z = e^-20t: steps of derivative arrays are long, since nothing is free, and their
// polynomials have z of the wrong size. Left on them, a point was off by 200 tolerances.
TEST(PointsBetweenSteps, OfLongStepsAreFoundFromTheirEnds) {
    const Solution s = solved(R"(model Fading
  Real x(start = 0), z(start = 1);
equation
  der(x) + z = cos(time) + exp(-20*time);
  z*(der(x) + z - cos(time) - exp(-20*time)) + x = sin(time);
end Fading;
)",
                              {.until = 2, .rtol = 1e-9, .points = 50});
    for (std::size_t k = 0; k < s.time().size(); ++k) {
        const double t = s.time()[k];
        EXPECT_NEAR(s["x"][k], std::sin(t), 1e-9);
        EXPECT_NEAR(s["z"][k], std::exp(-20 * t), 1e-9);
    }
}

// A flexible crank whose states are exchanged on the way. What had been no state at the beginning of the run was taken
// from the end of the step where a point was hard to find, and then kept as a state: accelerations were off by 1e5 at
// 29 of 401 points, with success.
TEST(PointsBetweenSteps, StatesAreThoseOfNow) {
    const auto model = Model::from_file(DAEDALUS_SOURCE_DIR "/tests/problems/crank3.mo");
    ASSERT_TRUE(model.has_value());
    const auto at = [&](double rtol) {
        auto s = solve(*model, {.until = 0.02, .rtol = rtol, .points = 400});
        EXPECT_TRUE(s.has_value() && s->success());
        return *std::move(s);
    };
    const Solution fine = at(1e-9), coarse = at(1e-8);
    ASSERT_TRUE(std::ranges::equal(fine.time(), coarse.time()));
    for (const char* name : {"a4", "lam1", "lam3"})
        for (std::size_t k = 0; k < fine.time().size(); ++k)
            ASSERT_NEAR(fine[name][k], coarse[name][k], 1e-5 * (1 + std::abs(coarse[name][k])))
                << name << " at " << fine.time()[k];
}

// Coordinates that depend on the chosen ones follow from them before constraints are asked: positions were off by 1e-4
// at 150 of 2,001 points, with success, where constraints shared the error of an interpolated dependent one among all.
TEST(PointsBetweenSteps, DependentCoordinatesFollowBeforeConstraintsAreAsked) {
    const auto model = Model::from_file(DAEDALUS_SOURCE_DIR "/tests/problems/crank3.mo");
    ASSERT_TRUE(model.has_value());
    const auto by = [&](Reduction reduction) {
        auto s =
            solve(*model, {.until = 0.01, .method = "dop853", .rtol = 1e-9, .reduction = reduction, .points = 400});
        EXPECT_TRUE(s.has_value() && s->success());
        return *std::move(s);
    };
    const Solution chosen = by(Reduction::partition), reference = by(Reduction::dummy);
    ASSERT_TRUE(std::ranges::equal(chosen.time(), reference.time()));
    for (const char* name : {"phi2", "x3", "q1"})
        for (std::size_t k = 0; k < reference.time().size(); ++k)
            ASSERT_NEAR(chosen[name][k], reference[name][k], 1e-9) << name << " at " << reference.time()[k];
}

} // namespace
} // namespace daedalus
