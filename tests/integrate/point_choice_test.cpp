// Points between steps beside a time at which equations nearly lose rank: rounding moves consistent points there, and
// the method's polynomial, with what consistent points on both sides say of it, is nearer to the solution.
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

} // namespace
