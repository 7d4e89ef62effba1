// A mode -ε ± iω next to the imaginary axis that has died out: orders 3 to 5 are not stable there, and must not hold
// the step for ever where they are.
#include "problems.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

/// x' = -ε x + ω v, v' = -ε v - ω x besides s' = cos t.
struct FadingOscillation {
    double damping, frequency;
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        using std::cos;
        r[0] = dx[0] + damping * x[0] - frequency * x[1];
        r[1] = dx[1] + damping * x[1] + frequency * x[0];
        r[2] = dx[2] - cos(t);
    }
};

struct Steps : integrate::Observer {
    long late = 0;
    integrate::Action step(const integrate::AcceptedStep& s) override {
        if (s.t > 10.0) ++late;
        return integrate::Action::proceed;
    }
};

/// Steps in 10 < t ≤ 20.
long late_steps(double damping, double amplitude, int max_order, double& error) {
    const double omega = 1000.0;
    auto problem = make_problem(FadingOscillation{damping, omega}, 3, {1, 1, 1});
    integrate::IntegrationOptions options;
    options.tolerance.relative = 1e-6;
    options.tolerance.absolute = 1e-9;
    options.method.max_order = max_order;
    Steps steps;
    const std::vector<double> x{amplitude, 0, 0}, dx{-damping * amplitude, -omega * amplitude, 1};
    const auto result = integrate::integrate(problem, *integrate::find_method("bdf"), 0, 20, x, dx, options, steps, {});
    EXPECT_EQ(result.outcome, integrate::Outcome::finished);
    error = std::abs(result.x[2] - std::sin(20.0));
    return steps.late;
}

TEST(BdfStability, AFadedOscillationDoesNotHoldTheStep) {
    for (const double damping : {1.0, 10.0, 50.0, 100.0}) {
        double error = 0.0;
        // At the limit of stability it would be 11,000 to 14,000.
        EXPECT_LE(late_steps(damping, 1e-7, 5, error), 300) << damping;
        EXPECT_LE(error, 1e-6) << damping;
    }
}

TEST(BdfStability, AnOscillationThatIsThereIsResolvedAtFullOrder) {
    double error = 0.0;
    const long high = late_steps(0.01, 1e-5, 5, error), low = late_steps(0.01, 1e-5, 4, error);
    EXPECT_LT(high, low);
    EXPECT_LE(error, 1e-6);
}

} // namespace
