// Points between steps beside a time at which equations nearly lose rank: rounding moves consistent points there, and
// the method's polynomial, with what consistent points on both sides say of it, is nearer to the solution.
#include "integrate/nearest_point.hpp"
#include "integrate/observer.hpp"
#include "integrate/point_choice.hpp"
#include "integrate/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

constexpr double weak = 0.5037; // when the second equation hardly determines z

/// x = sin t; z = exp(-t), known to ε/c: sums with numbers of size one are rounded, in another order on either side.
struct WeaklyDetermined {
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        const T s = (t - weak) * (t - weak), c = s * s + 1e-9;
        r[0] = dx[0] - cos(t);
        const T a = sin(7.0 * t), b = cos(5.0 * t);
        r[1] = ((c * x[1] + a) + b) - ((c * exp(-t) + b) + a);
    }
};

/// What a method says inside of its step: the solution with a smooth error that vanishes at the ends.
struct Polynomial final : integrate::ContinuousOutput {
    static constexpr double error = 5e-9, begin = 0.4, end = 0.6;
    void interpolate(double t, double* x, double* dx) const override {
        const double place = (t - begin) / (end - begin) * 3.14159265358979;
        x[0] = std::sin(t);
        dx[0] = std::cos(t);
        x[1] = std::exp(-t) + error * std::sin(place);
        dx[1] = -std::exp(-t) + error * std::cos(place) * 3.14159265358979 / (end - begin);
    }
    [[nodiscard]] int degree() const override { return 5; }
};

TEST(PointChoice, RoundingThatEquationsMagnifyDoesNotMoveOutputPoints) {
    auto problem = make_problem(WeaklyDetermined{}, 2);
    const auto options = with_tolerance(1e-10);
    integrate::ConsistentOutput consistent(problem, options);
    const Polynomial polynomial;
    const integrate::Interpolant step(polynomial, consistent, Polynomial::begin, Polynomial::end);
    double largest = 0.0, x[2], dx[2];
    constexpr int places = 200;
    for (int k = 1; k < places; ++k) {
        const double t = Polynomial::begin + (Polynomial::end - Polynomial::begin) * k / places;
        EXPECT_TRUE(step.evaluate_consistent(t, x, dx));
        largest = std::max(largest, std::abs(x[1] - std::exp(-t)) / 1e-10);
    }
    // Rounding is up to 1e-16/1e-9 = 1e-7, a thousand units, at the weakest place (440 at these points). Where it
    // leaves a residual of zero, a point stays on the polynomial, which is 50 off.
    EXPECT_LT(largest, 1.1 * Polynomial::error / 1e-10);
    EXPECT_LT(step.doubtful().size, 20.0);
}

TEST(PointChoice, AFitTellsItsOwnError) {
    auto problem = make_problem(WeaklyDetermined{}, 2);
    const auto options = with_tolerance(1e-6);
    integrate::PointChoice choice(problem, options);
    const double tolerance = 2e-6; // relative and absolute of values below 1
    const auto error_of_polynomial = [](double t) { return 1e-4 * std::sin(5.0 * t); };
    const auto noise = [](double t) { return std::min(1e4, 1e-6 / std::pow(std::abs(t - weak), 4)); };
    const double polynomial[2] = {0.0, 0.0}, slopes[2] = {0.0, 0.0};
    choice.begin_step(0.0, 1.0);
    for (int k = 0; k <= 24; ++k) {
        const double t = k / 24.0, sign = k % 2 == 0 ? 1.0 : -1.0;
        choice.begin(t, polynomial, slopes);
        const double x[2] = {0.0, error_of_polynomial(t) + sign * noise(t) * tolerance};
        choice.add_node(noise(t), x, slopes);
    }
    choice.begin(weak, polynomial, slopes);
    double x[2] = {0.0, 1e4 * tolerance}, dx[2] = {0.0, 0.0};
    choice.interpolate(1e4, x, dx);
    const double error = std::abs(x[1] - error_of_polynomial(weak)) / tolerance;
    EXPECT_LT(error, 3.0);
    EXPECT_LE(error, choice.worst().size);
    EXPECT_LT(choice.worst().size, 10.0);
}

/// x = sin t, and z = exp(-t) multiplies what x is off by.
struct Magnified {
    static constexpr double factor = 70.0;
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] - cos(t);
        r[1] = x[1] - exp(-t) - factor * (x[0] - sin(t));
    }
};

/// Both off by one tolerance in the middle of the step.
struct OffByOne final : integrate::ContinuousOutput {
    static constexpr double rtol = 1e-4, begin = 0.4, end = 0.6;
    void interpolate(double t, double* x, double* dx) const override {
        const double place = (t - begin) / (end - begin) * 3.14159265358979;
        const double error = rtol * std::sin(place), slope = rtol * std::cos(place) * 3.14159265358979 / (end - begin);
        x[0] = std::sin(t) + error;
        dx[0] = std::cos(t) + slope;
        x[1] = std::exp(-t) + error;
        dx[1] = -std::exp(-t) + slope;
    }
    [[nodiscard]] int degree() const override { return 3; }
};

TEST(PointChoice, ErrorsThatEquationsMagnifyDoNotMoveOutputPoints) {
    auto problem = make_problem(Magnified{}, 2);
    const auto options = with_tolerance(OffByOne::rtol);
    integrate::ConsistentOutput consistent(problem, options);
    const OffByOne polynomial;
    const integrate::Interpolant step(polynomial, consistent, OffByOne::begin, OffByOne::end);
    double largest = 0.0, x[2], dx[2], r[2];
    for (int k = 1; k < 100; ++k) {
        const double t = OffByOne::begin + (OffByOne::end - OffByOne::begin) * k / 100;
        ASSERT_TRUE(step.evaluate_consistent(t, x, dx));
        ASSERT_EQ(problem.residual(t, x, dx, r), problem::EvalStatus::ok);
        EXPECT_LT(std::abs(r[0]) + std::abs(r[1]), 1e-12) << "consistent all the same";
        largest = std::max({largest, std::abs(x[0] - std::sin(t)), std::abs(x[1] - std::exp(-t))});
    }
    // Kept as the polynomial says it, x makes z off by 70. Below ten, as at the ends of the step, points stay as they
    // are.
    EXPECT_LT(largest, 10 * 2 * OffByOne::rtol); // relative and absolute
    EXPECT_LT(step.doubtful().size, 2.0);
}

TEST(PointChoice, APolynomialThatIsFarOffIsSaidToBe) {
    auto problem = make_problem(Magnified{}, 2);
    const auto options = with_tolerance(OffByOne::rtol / 50);
    integrate::ConsistentOutput consistent(problem, options);
    const OffByOne polynomial;
    const integrate::Interpolant step(polynomial, consistent, OffByOne::begin, OffByOne::end);
    double x[2], dx[2];
    ASSERT_TRUE(step.evaluate_consistent(0.5, x, dx));
    EXPECT_GT(step.doubtful().size, 10.0); // as x is off by 50 and z by as much, x goes to where it belongs
    EXPECT_EQ(step.doubtful().error, integrate::DoubtfulPoint::Error::polynomial);
    EXPECT_LT(std::abs(x[0] - std::sin(0.5)), 0.1 * OffByOne::rtol);
}

/// x' = λ (x - sin t) + cos t.
struct Stiff {
    static constexpr double lambda = -1e4;
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] - lambda * (x[0] - sin(t)) - cos(t);
    }
};

TEST(NearestPoint, StiffComponentsFollowTheEquations) {
    auto problem = make_problem(Stiff{}, 1);
    integrate::NearestPoint nearest(problem);
    integrate::Counters counters;
    const double t = 0.3, shift = 1e3, error = 1e-3, p = std::sin(t) + error, dp = std::cos(t), tolerance[1] = {1e-6};
    double x = 0.0, dx = 0.0;
    ASSERT_TRUE(nearest.find(t, shift, tolerance, &p, &dp, &x, &dx, counters));
    // Least (δ/w)² + (δ'/(σ w))² with δ' = λ (e + δ) leaves e + δ = e / (1 + (λ/σ)²).
    EXPECT_NEAR(x - std::sin(t), error / (1.0 + 100.0), 1e-6 * error);
    EXPECT_NEAR(dx, Stiff::lambda * (x - std::sin(t)) + std::cos(t), 1e-9);
}

/// Nearest is nearest: on a circle from a point outside of it; x' is free.
struct Circle {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] - 1.0;
        r[1] = x[0] * x[0] + x[1] * x[1] - 1.0;
    }
};

TEST(NearestPoint, IsThePointOfTheCurveNotOnlyOfItsLinearisation) {
    auto problem = make_problem(Circle{}, 2);
    integrate::NearestPoint nearest(problem);
    integrate::Counters counters;
    const double p[2] = {1.2, 0.9}, dp[2] = {1.0, 0.0}, tolerances[2] = {1e-6, 1e-6};
    double x[2], dx[2];
    ASSERT_TRUE(nearest.find(0.0, 1.0, tolerances, p, dp, x, dx, counters));
    EXPECT_NEAR(x[0], 0.8, 1e-12);
    EXPECT_NEAR(x[1], 0.6, 1e-12);
}

} // namespace
