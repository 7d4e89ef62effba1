// The Newton monitor on sequences whose rate is known, and Newton itself on a scalar equation.
#include "nonlinear/newton.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace daedalus::nonlinear;

namespace {

/// Corrections first · rate^m, as a frozen matrix gives them.
struct Geometric {
    double next, rate;
    [[nodiscard]] bool residual() const { return true; }
    void solve() {}
    double update() {
        const double now = next;
        next *= rate;
        return now;
    }
};

/// atan(x) = 0: undamped Newton diverges from |x| > 1.4.
struct Arctangent {
    double x, step = 0, g = 0;
    bool linearise() {
        g = std::atan(x);
        return true;
    }
    void solve() { step = -g * (1 + x * x); }
    [[nodiscard]] double merit() const { return g * g; }
    [[nodiscard]] double attempt(double lambda) const { return std::pow(std::atan(x + lambda * step), 2); }
    double update(double lambda) {
        x += lambda * step;
        return std::abs(lambda * step);
    }
};

TEST(Newton, DampingConvergesFromFarAway) {
    Arctangent equation{20.0};
    const NewtonResult result = damped_newton(equation);
    EXPECT_TRUE(result.usable());
    EXPECT_NEAR(equation.x, 0.0, 1e-14);
    EXPECT_LE(result.iterations, 15);
}

TEST(Newton, StopsWhenTheRemainingErrorIsBelowKappa) {
    ConvergenceMonitor monitor;
    Geometric equation{1.0, 0.1};
    const NewtonResult result = newton(equation, monitor, {.kappa = 1e-3}, 0.0);
    EXPECT_EQ(result.status, NewtonStatus::converged);
    // η = 1/9: ‖Δ_m‖/9 ≤ 1e-3 needs ‖Δ_m‖ ≤ 9e-3, the fourth correction (1e-3) is the first below.
    EXPECT_EQ(result.iterations, 4);
    EXPECT_NEAR(result.rate, 0.1, 1e-12);
}

TEST(Newton, RemembersTheRateOfTheSameMatrix) {
    ConvergenceMonitor monitor;
    Geometric first{1.0, 0.01};
    (void)newton(first, monitor, {.kappa = 1e-2, .smallest_eta = 1e-3}, 0.0);
    Geometric second{0.1, 0.01};
    EXPECT_EQ(newton(second, monitor, {.kappa = 1e-2, .smallest_eta = 1e-3}, 0.0).iterations, 1);
    monitor.forget_rate();
    Geometric third{0.1, 0.01};
    EXPECT_GT(newton(third, monitor, {.kappa = 1e-2, .smallest_eta = 1e-3}, 0.0).iterations, 1);
}

TEST(Newton, FirstRatioPromisesNoMoreThanARememberedRate) {
    // The first correction is the predictor's error, mostly in what the matrix fits: it says nothing about the rest.
    using Verdict = ConvergenceMonitor::Verdict;
    ConvergenceMonitor monitor;
    monitor.begin({.kappa = 0.03, .smallest_eta = 1e-3}, 0.0);
    EXPECT_EQ(monitor.observe(1e9), Verdict::iterate);
    EXPECT_EQ(monitor.observe(100.0), Verdict::iterate);
    // So a third one is asked for, which tells that the second was not what 1e-7 · 100 promised.
    EXPECT_EQ(monitor.observe(0.01), Verdict::stop);
    EXPECT_EQ(monitor.result().status, NewtonStatus::converged);
}

TEST(Newton, GivesUpAsSoonAsTheRateSaysSo) {
    ConvergenceMonitor monitor;
    Geometric slow{1.0, 0.9};
    const NewtonResult result = newton(slow, monitor, {.max_iterations = 7, .kappa = 1e-3}, 0.0);
    EXPECT_EQ(result.status, NewtonStatus::too_slow);
    EXPECT_EQ(result.iterations, 3); // the first ratio alone is no evidence
    // Predicted: η ‖Δ‖ Θ^4 / κ with η = 9, ‖Δ_3‖ = 0.81
    EXPECT_NEAR(result.predicted, 9 * 0.81 * std::pow(0.9, 4) / 1e-3, 1e-6);
}

TEST(Newton, TellsDivergenceFromStagnation) {
    ConvergenceMonitor monitor;
    Geometric diverging{1.0, 1.5};
    EXPECT_EQ(newton(diverging, monitor, {}, 0.0).status, NewtonStatus::diverged);

    struct RoundOff { // converges, then flickers at 1e-3
        int m = 0;
        bool residual() { return true; }
        void solve() {}
        double update() { return ++m == 1 ? 1.0 : m == 2 ? 2e-3 : 1e-3 * (1 + 0.1 * (m % 2)); }
    } flicker;
    const NewtonResult result = newton(flicker, monitor, {.max_iterations = 10, .kappa = 1e-6}, 0.0);
    EXPECT_TRUE(result.usable());
    EXPECT_EQ(result.status, NewtonStatus::stagnated);
}

TEST(Newton, ReportsWhatIsNotFinite) {
    ConvergenceMonitor monitor;
    Geometric nan{std::nan(""), 1.0};
    EXPECT_EQ(newton(nan, monitor, {}, 0.0).status, NewtonStatus::not_finite);
    struct Outside {
        bool residual() { return false; }
        void solve() {}
        double update() { return 0; }
    } outside;
    EXPECT_EQ(newton(outside, monitor, {}, 0.0).status, NewtonStatus::not_finite);
}

TEST(Newton, SolvesAScalarEquation) {
    struct SquareRoot { // x² = 2 with the matrix of x = 1.5 frozen
        double x = 1.5, r = 0, delta = 0;
        bool residual() {
            r = x * x - 2;
            return true;
        }
        void solve() { delta = r / 3.0; }
        double update() {
            x -= delta;
            return std::abs(delta) / 1e-10;
        }
    } equation;
    ConvergenceMonitor monitor;
    EXPECT_TRUE(newton(equation, monitor, {.max_iterations = 20, .kappa = 1e-2}, 0.0).usable());
    EXPECT_NEAR(equation.x, std::sqrt(2.0), 1e-12);
}

/// e^x = a with a matrix that may come from elsewhere: undamped, Newton overshoots from the left and creeps from the
/// right.
struct Exponential {
    double a, x, slope;
    double first = x, r = 0, step = 0;
    int renewals = 0;
    bool residual() {
        r = std::exp(x) - a;
        return std::isfinite(r);
    }
    void solve() { step = -r / slope; }
    double update() {
        x += step;
        return std::abs(step) / (1.0 + std::abs(x));
    }
    bool renew() {
        ++renewals;
        slope = std::exp(x);
        return slope > 0.0 && std::isfinite(slope);
    }
    bool shorten() { // until the next correction with the same matrix is shorter
        const double taken = step;
        for (double part = 1.0; part > 1e-6; part *= 0.5) {
            if (residual() && std::abs(r / slope) <= (1.0 - 0.25 * part) * std::abs(taken)) return true;
            x -= 0.5 * part * taken;
        }
        return false;
    }
    void begin_again() { x = first; }
};

TEST(RenewingNewton, KeepsAMatrixThatConverges) {
    const double near = std::log(2.0) + 1e-3;
    Exponential equation{2.0, near, std::exp(near)};
    const NewtonResult result = renewing_newton(equation, true);
    EXPECT_EQ(result.status, NewtonStatus::converged);
    EXPECT_EQ(equation.renewals, 0);
    EXPECT_NEAR(equation.x, std::log(2.0), 1e-15);
}

// With a matrix that is wrong by one part in a thousand a linear iteration leaves a thousandth of every correction.
TEST(RenewingNewton, MakesOneCorrectionWhereARateIsKnownThatLeavesNothing) {
    struct Line {
        double x, step = 0.0;
        int evaluations = 0;
        bool residual() { return ++evaluations > 0; }
        void solve() { step = (2.0 - x) / 1.001; }
        double update() {
            x += step;
            return std::abs(step);
        }
        bool renew() { return false; }
        bool shorten() { return false; }
        void begin_again() {}
    };
    Line first{2.0 + 1e-6};
    const NewtonResult measured = renewing_newton(first, true);
    EXPECT_GE(first.evaluations, 3);
    EXPECT_NEAR(measured.rate, 1.0 / 1001.0, 1e-9);
    Line known{2.0 + 1e-13};
    EXPECT_EQ(renewing_newton(known, true, {.known_rate = measured.rate}).status, NewtonStatus::converged);
    EXPECT_EQ(known.evaluations, 1);
    EXPECT_NEAR(known.x, 2.0, 1e-15);
    Line far{2.0 + 1e-6}; // what the rate leaves of this can be seen
    EXPECT_EQ(renewing_newton(far, true, {.known_rate = measured.rate}).status, NewtonStatus::converged);
    EXPECT_GE(far.evaluations, 3);
    EXPECT_NEAR(far.x, 2.0, 1e-15);
}

TEST(RenewingNewton, RenewsOneThatIsTooOld) {
    Exponential equation{2.0, std::log(2.0) + 1e-3, 0.5 * 2.0}; // half the slope: corrections do not shrink at all
    const NewtonResult result = renewing_newton(equation, false);
    EXPECT_EQ(result.status, NewtonStatus::converged);
    EXPECT_GE(equation.renewals, 1);
    EXPECT_NEAR(equation.x, std::log(2.0), 1e-15);
}

TEST(RenewingNewton, FindsItsWayFromFar) {
    for (const double start : {-3.0, 8.0}) {
        Exponential equation{2.0, start, 1.0};
        const NewtonResult result = renewing_newton(equation, false);
        EXPECT_EQ(result.status, NewtonStatus::converged) << start;
        EXPECT_NEAR(equation.x, std::log(2.0), 1e-15) << start;
    }
}

TEST(RenewingNewton, SaysWhereThereIsNothing) {
    Exponential equation{-1.0, 0.0, 1.0};
    EXPECT_FALSE(renewing_newton(equation, true).usable());
}

} // namespace
