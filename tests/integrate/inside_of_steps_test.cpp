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

} // namespace
