// The inside of long steps of explicit methods: as good as their ends, which a polynomial of lower order is not.
#include "integrate/methods/explicit_runge_kutta.hpp"
#include "integrate/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

/// x = cos t, y = -sin t; z = x y follows.
struct Turning {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] - x[1];
        r[1] = dx[1] + x[0];
        r[2] = x[2] - x[0] * x[1];
    }
};

double error(double t, const double* x) {
    return std::max(
        {std::abs(x[0] - std::cos(t)), std::abs(x[1] + std::sin(t)), std::abs(x[2] + std::cos(t) * std::sin(t))});
}

TEST(InsideOfSteps, IsAsGoodAsTheirEnds) {
    for (const auto name : {tableau::ExplicitName::dopri5, tableau::ExplicitName::dop853}) {
        SCOPED_TRACE(static_cast<int>(name));
        auto problem = make_problem(Turning{}, 3);
        const auto options = with_tolerance(1e-12); // which a step of this size is far from
        const auto stepper = integrate::make_explicit(problem, options, name);
        const double h = 0.9;
        const std::vector<double> x0{1, 0, 0}, dx0{0, -1, -1};
        stepper->start(0.0, x0, dx0, h);
        ASSERT_EQ(stepper->attempt(h, h).status, integrate::StepStatus::ok);
        stepper->accept();
        double x[3], dx[3], inside = 0.0;
        for (int i = 1; i < 16; ++i) {
            stepper->interpolate(h * i / 16, x, dx);
            inside = std::max(inside, error(h * i / 16, x));
        }
        stepper->interpolate(h, x, dx);
        EXPECT_GT(error(h, x), 1e-10);
        EXPECT_LT(inside, 1.5 * error(h, x));
    }
}

// In a step of a single oscillating component, terms of even or of odd degree of its polynomial vanish at some phases.
struct OnePhase {
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] + x[0] - sin(3.0 * t) - 3.0 * cos(3.0 * t);
    }
};

TEST(InsideOfSteps, WhateverThePhaseOfAnOscillationIs) {
    double worst = 0.0;
    for (int k = 0; k < 200; ++k) {
        auto problem = make_problem(OnePhase{}, 1);
        const auto options = with_tolerance(1e-9);
        const auto stepper = integrate::make_explicit(problem, options, tableau::ExplicitName::dop853);
        const double t0 = 0.01 * k, h = 0.35;
        const std::vector<double> x0{std::sin(3.0 * t0)}, dx0{3.0 * std::cos(3.0 * t0)};
        stepper->start(t0, x0, dx0, h);
        ASSERT_EQ(stepper->attempt(h, t0 + h).status, integrate::StepStatus::ok);
        stepper->accept();
        double x, dx, inside = 0.0;
        for (int i = 1; i < 16; ++i) {
            stepper->interpolate(t0 + h * i / 16, &x, &dx);
            inside = std::max(inside, std::abs(x - std::sin(3.0 * (t0 + h * i / 16))));
        }
        worst = std::max(worst, inside);
    }
    EXPECT_LT(worst, 2e-9) << worst;
}

} // namespace
