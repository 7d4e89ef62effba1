// The small parts by hand: norm, controllers, initial step, Hermite weights, consistent output and derivative.
#include "integrate/consistent_derivative.hpp"
#include "integrate/consistent_output.hpp"
#include "integrate/controller.hpp"
#include "integrate/dense_output.hpp"
#include "integrate/error_norm.hpp"
#include "integrate/initial_step.hpp"
#include "integrate/noise_floors.hpp"
#include "integrate/problems.hpp"

#include <gtest/gtest.h>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

TEST(ErrorNorm, WeighsByToleranceNominalAndIndex) {
    auto problem = make_problem(PendulumIndex3{}, 5, {1, 1, 2, 2, 3});
    integrate::Tolerance tolerance{.relative = 1e-2, .absolute = 1e-3, .relative_each = {}, .absolute_each = {}};
    integrate::ErrorNorm norm(problem, tolerance, integrate::NormKind::max);
    const double x[] = {1, 0, 0, 0, 0};
    norm.set_weights(x, 0.1);
    const double first[] = {1.1e-2, 0, 0, 0, 0}, velocity[] = {0, 0, 1e-3, 0, 0}, multiplier[] = {0, 0, 0, 0, 1e-3};
    EXPECT_NEAR(norm(first), 1.0, 1e-12);
    EXPECT_NEAR(norm(velocity), 0.1, 1e-12);    // h
    EXPECT_NEAR(norm(multiplier), 0.01, 1e-12); // h²
    integrate::ErrorNorm rms(problem, tolerance, integrate::NormKind::rms);
    rms.set_weights(x, 0.1);
    EXPECT_NEAR(rms(first), 1.0 / std::sqrt(5.0), 1e-12);
}

TEST(Controller, ElementaryStepIsSafeAndBounded) {
    integrate::PredictiveController controller(4.0, {.safety = 0.9, .shrink = 0.2, .grow = 8.0});
    EXPECT_NEAR(controller.elementary(1.0), 0.9, 1e-12);
    EXPECT_NEAR(controller.elementary(16.0), 0.45, 1e-12);
    EXPECT_EQ(controller.elementary(1e-30), 8.0);
    EXPECT_EQ(controller.elementary(1e30), 0.2);
}

TEST(Controller, PredictionSeesGrowingErrors) {
    integrate::PredictiveController controller(4.0);
    controller.accept(1.0, 0.1);
    // The error doubled at equal steps: it is expected to double again, so the factor is 2^(-1/4) below elementary.
    EXPECT_NEAR(controller.predict(1.0, 0.2) / controller.elementary(0.2), std::pow(2.0, -0.25), 1e-12);
}

// Refusals that do not become smaller with the step are noise; those of a method that converges are not.
TEST(Stall, ProvesNoiseByRefusalsThatDoNotShrink) {
    integrate::Stall noise, order_one, few;
    bool proved = false;
    double h = 1.0;
    for (int i = 0; i < 5; ++i, h *= 0.5) {
        proved = proved || noise.proves_noise(h, 3.0);
        EXPECT_FALSE(order_one.proves_noise(h, 100.0 * h));
    }
    EXPECT_TRUE(proved);
    for (const double step : {1.0, 0.9, 0.8, 0.7, 0.6}) EXPECT_FALSE(few.proves_noise(step, 3.0)) << "hardly smaller";
    integrate::Stall known;
    known.certain(1e-3);
    EXPECT_TRUE(known.proves_noise(1e-3, 0.5));
}

TEST(InitialStep, IsBoundedByIntervalAndBySpeed) {
    auto problem = make_problem(PendulumAngle{}, 2);
    integrate::ErrorNorm norm(problem, {}, integrate::NormKind::max);
    const double x[] = {0, 0}, still[] = {0, 0}, fast[] = {1, 0};
    norm.set_weights(x, 1.0);
    EXPECT_DOUBLE_EQ(integrate::initial_step(norm, still, 10.0, 5), 0.01);
    EXPECT_DOUBLE_EQ(integrate::initial_step(norm, fast, 10.0, 1), 0.5e-6);
}

TEST(Hermite, ReproducesQuintics) {
    const std::array<double, 3> nodes{0.0, 0.7, 1.1};
    const auto f = [](double t) { return 1 + t - 2 * t * t + std::pow(t, 5); };
    const auto df = [](double t) { return 1 - 4 * t + 5 * std::pow(t, 4); };
    for (const double t : {0.0, 0.4, 0.9, 1.1}) {
        const auto w = integrate::hermite_weights(nodes, t);
        double value = 0, slope = 0;
        for (int k = 0; k < 3; ++k) {
            value += w.value_x[k] * f(nodes[k]) + w.value_dx[k] * df(nodes[k]);
            slope += w.slope_x[k] * f(nodes[k]) + w.slope_dx[k] * df(nodes[k]);
        }
        EXPECT_NEAR(value, f(t), 1e-13);
        EXPECT_NEAR(slope, df(t), 1e-12);
    }
}

TEST(ConsistentOutput, SolvesTheAlgebraicUnknownsAndKeepsTheStates) {
    auto problem = PendulumDummy::make(); // states y, y'
    integrate::ConsistentOutput consistent(problem, integrate::IntegrationOptions{});
    ASSERT_TRUE(consistent.applicable());
    std::vector<double> x{0.81, 0.1, 0, -0.6, 0.2, 0, 1.0}, dx(7);
    ASSERT_TRUE(consistent.refine(0.0, 1e-3, x.data(), dx.data(), false));
    std::vector<double> r(7);
    ASSERT_EQ(problem.residual(0.0, x.data(), dx.data(), r.data()), problem::EvalStatus::ok);
    for (const double value : r) EXPECT_NEAR(value, 0.0, 1e-12);
    EXPECT_NEAR(x[3], -0.6, 1e-4);
    EXPECT_NEAR(x[0], 0.8, 1e-4);
}

// x' = -λ (x - cos t) - sin t between steps of size 0.1, with errors of x and x' as an interpolant has them.
TEST(ConsistentOutput, CorrectsStiffComponentsOfInterpolatedPoints) {
    struct Relaxation {
        double lambda;
        void operator()(double t, const double* x, const double* dx, double* r) const {
            r[0] = dx[0] + lambda * (x[0] - std::cos(t)) + std::sin(t);
        }
        void operator()(Complex t, const Complex* x, const Complex* dx, Complex* r) const {
            r[0] = dx[0] + lambda * (x[0] - std::cos(t)) + std::sin(t);
        }
    };
    const double t = 0.4, h = 0.1, error = 1e-3, slope_error = 3 * error / h;
    for (const double lambda : {1e6, 1e-3}) {
        auto problem = make_problem(Relaxation{lambda}, 1);
        integrate::ConsistentOutput consistent(problem, integrate::IntegrationOptions{});
        double x = std::cos(t) + error, dx = -std::sin(t) + slope_error;
        ASSERT_TRUE(consistent.refine_interpolated(t, h, 3, &x, &dx, false));
        const double left = std::abs(x - std::cos(t));
        if (lambda > 1)
            EXPECT_LT(left, 1e-3 * error); // σ/λ of it
        else
            EXPECT_LT(left, 1.5 * error);
        EXPECT_LT(std::abs(dx + std::sin(t)), 20 * error / h); // as of a difference quotient, and not λ times the error
        double kept = std::cos(t) + error, slope = -std::sin(t) + slope_error;
        ASSERT_TRUE(consistent.refine(t, h, &kept, &slope, false)); // states are kept
        EXPECT_EQ(kept, std::cos(t) + error);
    }
}

TEST(ConsistentOutput, LeavesThePointAloneWhenItCannotConverge) {
    auto problem = make_problem(VanDerPolFold{}, 2);
    integrate::ConsistentOutput consistent(problem, integrate::IntegrationOptions{});
    std::vector<double> x{-1e3, 1.0}, dx{0, 0}; // z = 1 is the fold
    const auto before = x;
    EXPECT_FALSE(consistent.refine(0.0, 1e-6, x.data(), dx.data(), false));
    EXPECT_EQ(x, before);
    auto direct = make_problem(PendulumIndex3{}, 5, {1, 1, 2, 2, 3});
    EXPECT_FALSE(integrate::ConsistentOutput(direct, integrate::IntegrationOptions{}).applicable());
}

TEST(ConsistentDerivative, FindsTheSlopesOfAlgebraicUnknowns) {
    auto problem = make_problem(TransistorAmplifier{}, 8);
    std::vector<double> dx{0, 0, -3 / (2e-6 * 9000), 0, 0, -3 / (4e-6 * 9000), 0, 0};
    // Only differences of these occur in F, and they are zero at the start.
    integrate::ConsistentDerivative derivative(problem, linalg::SolverKind::automatic);
    ASSERT_TRUE(derivative.find(0.0, 1e-7, TransistorAmplifier::x0(), dx));
    // By hand from the differentiated sums of rows 1+2, 4+5 and 7+8, in which only algebraic terms remain; dg = β/U_F.
    // (The values published with the problem are good to 2e-4 only.)
    const double dg = 1e-6 / 0.026, R = 9000, R0 = 1000, u = 0.1 * 200 * 3.14159265358979323846;
    const double p = (u / R0 + 0.01 * dg * dx[2]) / (1 / R0 + 2 / R + 0.01 * dg);
    const double q = (-0.99 * dg * (p - dx[2]) + 0.01 * dg * dx[5]) / (3 / R + 0.01 * dg);
    const double s = -0.99 * dg * (q - dx[5]) * R / 2;
    const double expected[] = {p, p, dx[2], q, q, dx[5], s, s};
    for (int i = 0; i < 8; ++i) EXPECT_NEAR(dx[i], expected[i], 1e-6 * std::abs(expected[i])) << i;
}

} // namespace
