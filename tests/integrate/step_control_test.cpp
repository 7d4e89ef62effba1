// Decisions about the next step, one by one.
#include "integrate/step_control.hpp"

#include <gtest/gtest.h>

#include <limits>

using namespace daedalus::integrate;

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr double eps = std::numeric_limits<double>::epsilon();

TEST(StepControl, FirstStepMovesTheClockAndKeepsTheLimits) {
    IntegrationOptions options;
    options.step.max = 0.5;
    StepControl control(options, {1e6, 2e6});
    control.first(1e6, 1e-300);
    EXPECT_EQ(control.wanted(), 4 * eps * 1e6);
    EXPECT_GT(1e6 + control.wanted(), 1e6);
    control.first(1e6, 7.0);
    EXPECT_EQ(control.wanted(), 0.5);
    StepControl backward(options, {1.0, 0.0});
    backward.first(1.0, 0.25);
    EXPECT_EQ(backward.wanted(), -0.25);
}

TEST(StepControl, ACutStepIsForgotten) {
    const IntegrationOptions options;
    StepControl control(options, {0.0, 10.0});
    control.first(0.0, 1.0);
    // To a stop at 0.1: the method can at best grow from there, which says nothing against 1.
    EXPECT_EQ(control.after_acceptance({StepStatus::ok, 1e-6, 0.8}, 0.1, unlimited), 0);
    EXPECT_EQ(control.wanted(), 1.0);
    // A large error says something.
    (void)control.after_acceptance({StepStatus::ok, 0.9, 0.09}, 0.1, unlimited);
    EXPECT_EQ(control.wanted(), 0.09);
}

TEST(StepControl, LimitsHoldAfterAcceptance) {
    IntegrationOptions options;
    options.step.max = 3.0;
    StepControl control(options, {0.0, -10.0});
    control.first(0.0, 1.0);
    (void)control.after_acceptance({StepStatus::ok, 0.1, -5.0}, -1.0, unlimited);
    EXPECT_EQ(control.wanted(), -3.0);
    (void)control.after_acceptance({StepStatus::ok, 0.1, -5.0}, -3.0, 2.0);
    EXPECT_EQ(control.wanted(), -2.0);
    options.method.fixed_step = true;
    (void)control.after_acceptance({StepStatus::ok, 0.1, -0.3}, -2.0, unlimited);
    EXPECT_EQ(control.wanted(), -2.0);
}

TEST(StepControl, PatienceEndsAtTheSmallestStepOrAfterManyRefusals) {
    IntegrationOptions options;
    options.step.max_consecutive_failures = 3;
    StepControl control(options, {0.0, 1.0});
    control.first(0.0, 1.0);
    for (int k = 0; k < 3; ++k) control.after_rejection({StepStatus::ok, 2.0, 0.5});
    EXPECT_FALSE(control.hopeless(0.5));
    control.after_rejection({StepStatus::ok, 2.0, 0.5});
    EXPECT_TRUE(control.hopeless(0.5));
    EXPECT_EQ(control.after_acceptance({StepStatus::ok, 0.5, 0.5}, 0.5, unlimited), 4);
    EXPECT_FALSE(control.hopeless(0.5));
    control.after_rejection({StepStatus::ok, 2.0, 15 * eps * 0.5});
    EXPECT_TRUE(control.hopeless(0.5));
    EXPECT_FALSE(control.hopeless(0.0)); // near t = 0 the clock is finer
}

// An error of order p + 1 in h, 2^(p+1) tolerances large, asks for half the step, with safety.
TEST(StepControl, ByErrorFollowsTheOrder) {
    for (const int order : {1, 4, 8})
        EXPECT_NEAR(StepControl::by_error(0.1, std::pow(2.0, order + 1), order), 0.9 * 0.05, 1e-15);
    EXPECT_EQ(StepControl::by_error(0.1, 1e30, 3), 0.2 * 0.1);
    EXPECT_EQ(StepControl::after_leaving_domain(-1.0), -0.25);
}

} // namespace
