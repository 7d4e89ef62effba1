// Every example, by both methods, against digits that were not computed here.
#include "reference.hpp"

#include <daedalus/daedalus.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

using namespace daedalus;

namespace {

Model example(const std::string& name) {
    auto model = Model::from_file(std::string(DAEDALUS_SOURCE_DIR) + "/examples/" + name + ".mo");
    EXPECT_TRUE(model) << (model ? "" : render(model.error()));
    return *std::move(model);
}

Solution solved(const Model& model, const SolveOptions& options, Outcome expected = Outcome::success) {
    auto solution = solve(model, options);
    EXPECT_TRUE(solution) << (solution ? "" : render(solution.error()));
    EXPECT_EQ(solution->outcome(), expected) << solution->message();
    return *std::move(solution);
}

class Examples : public testing::TestWithParam<const char*> {
protected:
    [[nodiscard]] SolveOptions at(double tolerance) const {
        SolveOptions options;
        options.method = GetParam();
        options.rtol = tolerance;
        options.atol = tolerance;
        return options;
    }
};

} // namespace

TEST_P(Examples, Pendulum) {
    const Solution s = solved(example("pendulum"), at(1e-9));
    const reference::PendulumState exact = reference::pendulum(10, 9.81, 1);
    EXPECT_NEAR(s.final("x"), exact.x, 1e-7);
    EXPECT_NEAR(s.final("y"), exact.y, 1e-7);
    EXPECT_NEAR(s.final("u"), exact.u, 1e-7);
    EXPECT_NEAR(s.final("v"), exact.v, 1e-7);
    EXPECT_NEAR(s.final("lambda"), exact.tension, 1e-6);
    // position, velocity and acceleration constraints, at the steps and between them
    int constraints = 0;
    for (const ResidualSummary& r : s.residuals())
        if (r.equation.find("x^2") != std::string::npos || r.differentiations > 0) {
            ++constraints;
            EXPECT_LE(r.at_steps, 1e-8) << r.equation;
            EXPECT_LE(r.between, 1e-8) << r.equation;
        }
    EXPECT_EQ(constraints, 3);
}

TEST_P(Examples, PendulumErrorFollowsTheTolerance) {
    const reference::PendulumState exact = reference::pendulum(10, 9.81, 1);
    for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
        const Solution s = solved(example("pendulum"), at(tolerance));
        EXPECT_LE(std::abs(s.final("x") - exact.x), 10 * tolerance) << tolerance;
        EXPECT_LE(std::abs(s.final("y") - exact.y), 10 * tolerance) << tolerance;
    }
}

TEST_P(Examples, PendulumOutputPointsAreAsGoodAsSteps) {
    const Solution s = solved(example("pendulum"), at(1e-8));
    ASSERT_EQ(s.time().size(), 501U);
    for (std::size_t i = 0; i < s.time().size(); ++i) {
        const reference::PendulumState exact = reference::pendulum(s.time()[i], 9.81, 1);
        EXPECT_NEAR(s["x"][i], exact.x, 1e-6);
        EXPECT_NEAR(s["lambda"][i], exact.tension, 1e-5);
        EXPECT_LE(std::abs(s["x"][i] * s["x"][i] + s["y"][i] * s["y"][i] - 1), 1e-8);
    }
}

TEST_P(Examples, CircleSteering) {
    const Solution s = solved(example("circle_steering"), at(1e-8));
    const reference::Steering exact = reference::steering(1);
    EXPECT_NEAR(s.final("y1"), exact.y1, 1e-7);
    EXPECT_NEAR(s.final("y2"), exact.y2, 1e-7);
    EXPECT_NEAR(s.final("z"), exact.z, 1e-6);
}

TEST_P(Examples, RobertsonToTheEndOfTime) {
    SolveOptions options = at(1e-8);
    options.until = 1e11; // Test Set for IVP Solvers, release 2.4, II-10
    options.atol_each = {{"b", 1e-16}};
    options.atol = 1e-12;
    const Solution s = solved(example("robertson"), options);
    EXPECT_NEAR(s.final("a") / 0.2083340149701255e-07, 1, 1e-6);
    EXPECT_NEAR(s.final("b") / 0.8333360770334713e-13, 1, 1e-6);
    EXPECT_NEAR(s.final("c"), 0.9999999791665050, 1e-9);
}

TEST_P(Examples, TransistorAmplifier) {
    const Solution s = solved(example("transistor_amplifier"), at(1e-8));
    // Test Set for IVP Solvers, release 2.4, II-14
    const std::pair<const char*, double> published[] = {{"U1", -0.5562145012262709e-2}, {"U2", 0.3006522471903042e1},
                                                        {"U3", 0.2849958788608128e1},   {"U4", 0.2926422536206241e1},
                                                        {"U5", 0.2704617865010554e1},   {"U6", 0.2761837778393145e1},
                                                        {"U7", 0.4770927631616772e1},   {"U8", 0.1236995868091548e1}};
    for (const auto& [name, value] : published) EXPECT_NEAR(s.final(name), value, 1e-6) << name;
    // Equations that a combination replaced must hold as well.
    EXPECT_LE(s.largest_residual(), 1e-6);
}

TEST_P(Examples, Differentiator) {
    SolveOptions options = at(1e-8);
    options.until = 0.0137;
    const Solution s = solved(example("differentiator"), options);
    // V3 = -L dI_L/dt with I_L = V1/R (S (8))
    const double omega = 2 * std::numbers::pi * 50;
    EXPECT_NEAR(s.final("V3"), -0.1 / 100 * omega * std::cos(omega * 0.0137), 1e-8);
    EXPECT_NEAR(s.final("I_L"), std::sin(omega * 0.0137) / 100, 1e-9);
}

TEST_P(Examples, VanDerPolEndsAtItsFold) {
    const Solution s = solved(example("van_der_pol_dae"), at(1e-7), Outcome::ended);
    // z' = -z/(z² - 1) from 2 to the fold at 1: t = 3/2 - ln 2
    EXPECT_NEAR(s.end_time(), 1.5 - std::log(2.0), 1e-6);
    EXPECT_NEAR(s.final("z"), 1, 1e-3);
    EXPECT_THAT(s.message(), testing::HasSubstr("the solution ends"));
    EXPECT_THAT(s.message(), testing::HasSubstr("z"));
}

TEST_P(Examples, VanDerPolJumpsAtItsFolds) {
    const Solution s = solved(example("van_der_pol_jumps"), at(1e-9));
    // Four jumps, 3/2 − ln 2 after each other up to near²; then along the branch: ln z − z²/2 = t + const
    const double since = 4.0 - 4 * (1.5 - std::log(2.0)), z = s.final("z");
    EXPECT_EQ(s.final("side"), 1.0);
    EXPECT_NEAR(std::log(z) - z * z / 2, std::log(2.0) - 2 + since, 1e-7);
    EXPECT_NEAR(s.final("y"), z * z * z / 3 - z, 1e-8);
}

// S (40) → (41): the period is that of the jumping solution, 3 − 2 ln 2, and 7.014 ε^(2/3) more (Dorodnitsyn 1947).
TEST_P(Examples, VanDerPolJumpsAreTheLimitOfFastTransitions) {
    for (const double epsilon : {1e-5, 1e-6}) {
        SolveOptions options = at(1e-9);
        options.until = 4.0;
        options.parameters = {{"epsilon", epsilon}};
        const Solution s = solved(*Model::from_string("model V\n  parameter Real epsilon = 1e-6;\n"
                                                      "  Real y(start = 2/3), z(start = 2, fixed = true);\n"
                                                      "  discrete Real left(start = 0), right(start = 0);\n"
                                                      "equation\n  der(y) = -z;\n"
                                                      "  epsilon*der(z) = y - z^3/3 + z;\n"
                                                      "  when z < 0 then left = time; end when;\n"
                                                      "  when z > 0 then right = time; end when;\nend V;\n"),
                                  options);
        const double half = s.final("right") - s.final("left");
        EXPECT_NEAR((2 * half - (3 - 2 * std::log(2.0))) / std::pow(epsilon, 2.0 / 3), 7.014, 0.15) << epsilon;
    }
}

TEST_P(Examples, Index5Chain) {
    for (const bool aliases : {true, false}) {
        SolveOptions options = at(1e-8);
        options.until = 3.0;
        options.eliminate_aliases = aliases;
        const Solution s = solved(example("index5_chain"), options);
        EXPECT_NEAR(s.final("x1"), std::sin(3.0), 1e-8);
        EXPECT_NEAR(s.final("x2"), std::cos(3.0), 1e-8);
        EXPECT_NEAR(s.final("x5"), std::sin(3.0), 1e-8);
    }
}

INSTANTIATE_TEST_SUITE_P(BothMethods, Examples, testing::Values("radau5", "bdf"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST(DirectIntegration, PendulumOfIndex3AsWritten) {
    SolveOptions options;
    options.reduction = Reduction::none;
    options.rtol = options.atol = 1e-6;
    for (const char* method : {"radau5", "bdf"}) {
        options.method = method;
        options.until = 1.0;
        const Solution s = solved(example("pendulum"), options);
        const reference::PendulumState exact = reference::pendulum(1, 9.81, 1);
        EXPECT_NEAR(s.final("x"), exact.x, 1e-4) << method;
        EXPECT_NEAR(s.final("y"), exact.y, 1e-4) << method;
    }
}
