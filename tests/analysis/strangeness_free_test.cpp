// Strangeness-free systems are equivalent to the given ones, and integrators run them.
#include "analysis/known_pencils.hpp"
#include "analysis/linear_solution.hpp"
#include "analysis/strangeness_free.hpp"
#include "analysis/time_varying_examples.hpp"

#include <gtest/gtest.h>

namespace daedalus::testing {
namespace {

using analysis::integrate_time_varying;
using analysis::LeastSquares;
using analysis::TimeVaryingSolution;
using Outcome = TimeVaryingSolution::Outcome;

integrate::IntegrationOptions tight() {
    integrate::IntegrationOptions options;
    options.tolerance.relative = options.tolerance.absolute = 1e-9;
    return options;
}

TEST(StrangenessFree, ConstantSystemOfIndexThreeAgreesWithItsExactSolution) {
    Random random(71);
    const KnownPencil known = random_regular(3, 3, random);
    auto system = constant_system(known.e, known.h);
    const int n = system.cols;
    const auto forcing = [](double t, int k, std::span<double> c) {
        for (std::size_t i = 0; i < c.size(); ++i) c[i] = std::sin(t + static_cast<double>(i) + 0.5 * k * M_PI);
    };
    system.c = [&](double t, int k) {
        std::vector<double> c(static_cast<std::size_t>(n));
        forcing(t, k, c);
        return c;
    };
    const std::vector<double> guess(static_cast<std::size_t>(n), 1.0);
    const auto form = analysis::weierstrass_form(known.e, known.h);
    ASSERT_TRUE(form);
    for (const char* method : {"radau5", "bdf"}) {
        const TimeVaryingSolution solution = integrate_time_varying(system, 0.0, 1.0, guess, method, tight());
        ASSERT_TRUE(solution.finished()) << solution.reason;
        EXPECT_EQ(solution.analysis.index, 2);
        // Start the exact solution where the integrator started: at its consistent vector.
        const analysis::StrangenessFreeSystem reduced(system, solution.analysis);
        analysis::LinearSolution exact(*form, known.e, forcing, 0.0, reduced.consistent(guess));
        EXPECT_LT(exact.inconsistency(), 1e-9);
        const auto x = exact.at(1.0);
        double size = 1.0;
        for (const double value : x) size = std::max(size, std::abs(value));
        for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(solution.x[i], x[i], 1e-6 * size) << method;
    }
}

TEST(StrangenessFree, SingularPencilsWithAUniqueSolution) {
    auto system = singular_pencils_unique_solution();
    // c = (sin t, e^t): x₂ = e^t - cos t, x₁ = sin t + t x₂.
    system.c = [](double t, int k) { return std::vector<double>{std::sin(t + 0.5 * k * M_PI), std::exp(t)}; };
    const TimeVaryingSolution solution =
        integrate_time_varying(system, 0.0, 2.0, std::vector<double>{0.0, 0.0}, "radau5", tight());
    ASSERT_TRUE(solution.finished()) << solution.reason;
    const double x2 = std::exp(2.0) - std::cos(2.0);
    EXPECT_NEAR(solution.x[1], x2, 1e-8);
    EXPECT_NEAR(solution.x[0], std::sin(2.0) + 2.0 * x2, 1e-8);
}

TEST(StrangenessFree, RotatingSystemNeedsNewReferences) {
    // A pendulum-like index-2 system in a frame that turns three times: E = E₀ R(t), H = H₀ R + E₀ R'.
    const Matrix e0{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 0.0}};
    const Matrix h0{{0.0, -1.0, 1.0}, {1.0, 0.5, 0.0}, {1.0, 0.0, 0.0}}; // x' = y - λ, y' = …, 0 = x: index 2
    const auto rotation = [](double t, int k) {
        const double c = std::cos(t + 0.5 * k * M_PI), s = std::sin(t + 0.5 * k * M_PI), one = k == 0 ? 1.0 : 0.0;
        return Matrix{{c, 0.0, -s}, {0.0, one, 0.0}, {s, 0.0, c}};
    };
    analysis::TimeVaryingSystem system;
    system.rows = system.cols = 3;
    system.e = [=](double t, int k) { return e0 * rotation(t, k); };
    system.h = [=](double t, int k) { return h0 * rotation(t, k) + e0 * rotation(t, k + 1); };
    system.c = [](double t, int k) {
        return std::vector<double>{0.0, std::cos(t + 0.5 * k * M_PI),
                                   std::sin(2 * t + 0.5 * k * M_PI) * std::pow(2.0, k)};
    };
    const double end = 6.0 * M_PI;
    const TimeVaryingSolution solution =
        integrate_time_varying(system, 0.0, end, std::vector<double>{0.0, 1.0, -1.0}, "radau5", tight());
    ASSERT_TRUE(solution.finished()) << solution.reason;
    EXPECT_EQ(solution.analysis.index, 1);
    // In the fixed frame: ξ = sin 2t, η' = -ξ - η/2 + cos t, λ = η - ξ'. x = R⁻¹ (ξ, η, λ), and R(6π) = I.
    EXPECT_NEAR(solution.x[0], std::sin(2 * end), 1e-7);
    // η by its closed form: particular solution of cos t and -sin 2t, and the decaying rest.
    const auto particular = [](double t) {
        const double from_cos = (0.5 * std::cos(t) + std::sin(t)) / 1.25;
        const double from_sin = -(0.5 * std::sin(2 * t) - 2.0 * std::cos(2 * t)) / 4.25;
        return from_cos + from_sin;
    };
    const double eta = particular(end) + (1.0 - particular(0.0)) * std::exp(-0.5 * end);
    EXPECT_NEAR(solution.x[1], eta, 1e-6);
    EXPECT_NEAR(solution.x[2], eta - 2.0 * std::cos(2 * end), 1e-6);
    EXPECT_GE(solution.references, 1);
}

TEST(StrangenessFree, OverDeterminedSystems) {
    // x' = cos t and x = sin t say the same; x' = cos t and x = sin t + 1 too, but x = 2 sin t contradicts.
    auto system = constant_system({{1.0}, {0.0}}, {{0.0}, {1.0}});
    double amplitude = 1.0;
    system.c = [&amplitude](double t, int k) {
        return std::vector<double>{std::cos(t + 0.5 * k * M_PI), amplitude * std::sin(t + 0.5 * k * M_PI)};
    };
    const auto run = [&](LeastSquares how) {
        return integrate_time_varying(system, 0.0, 1.0, std::vector<double>{5.0}, "radau5", tight(), how);
    };
    const TimeVaryingSolution agreeing = run(LeastSquares::no);
    ASSERT_TRUE(agreeing.finished()) << agreeing.reason;
    EXPECT_NEAR(agreeing.x[0], std::sin(1.0), 1e-9);
    amplitude = 2.0;
    EXPECT_EQ(run(LeastSquares::no).outcome, Outcome::contradictory);
    const TimeVaryingSolution ignored = run(LeastSquares::yes);
    EXPECT_TRUE(ignored.finished()) << ignored.reason;
    EXPECT_GT(ignored.largest_condition_residual, 0.1);
}

TEST(StrangenessFree, UnderDeterminedSystems) {
    const auto system = infinitely_many_solutions();
    const std::vector<double> start{1.0, 1.0};
    const auto refused = integrate_time_varying(system, 1.0, 2.0, start, "radau5", tight());
    EXPECT_EQ(refused.outcome, Outcome::under_determined);
    // x' + y = 0 with y set to zero: x is constant.
    const auto simple = constant_system({{1.0, 0.0}}, {{0.0, 1.0}});
    const auto solved =
        integrate_time_varying(simple, 0.0, 1.0, std::vector<double>{3.0, 1.0}, "radau5", tight(), LeastSquares::yes);
    ASSERT_TRUE(solved.finished()) << solved.reason;
    EXPECT_NEAR(solved.x[0], 3.0, 1e-8);
    EXPECT_NEAR(solved.x[1], 0.0, 1e-8);
}

} // namespace
} // namespace daedalus::testing
