// What is particular to BDF: its starts on index 3, its continuous output, its highest order, round-off, refused
// points.
#include "integrate/methods/bdf.hpp"
#include "integrate/round_off.hpp"
#include "problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

/// A mass driven along the parabola y = x², x = sin t + t: p = (x, y), v, λ; F = v' - f(t) + Gᵀ λ with λ = cos t.
struct OnParabola {
    static constexpr int n = 5;
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        using std::cos;
        using std::sin;
        const T position = sin(t) + t, velocity = cos(t) + 1.0, acceleration = -sin(t), lambda = cos(t);
        const T ay = 2.0 * velocity * velocity + 2.0 * position * acceleration;
        r[0] = dx[0] - x[2];
        r[1] = dx[1] - x[3];
        r[2] = dx[2] - (acceleration - 2.0 * position * lambda) - 2.0 * x[0] * x[4];
        r[3] = dx[3] - (ay + lambda) + x[4];
        r[4] = x[1] - x[0] * x[0];
    }
    static std::vector<double> x(double t) {
        const double p = std::sin(t) + t, v = std::cos(t) + 1;
        return {p, p * p, v, 2 * p * v, std::cos(t)};
    }
    static std::vector<double> dx(double t) {
        const double p = std::sin(t) + t, v = std::cos(t) + 1, a = -std::sin(t);
        return {v, 2 * p * v, a, 2 * v * v + 2 * p * a, -std::sin(t)};
    }
    static problem::ImplicitProblem make() { return make_problem(OnParabola{}, n, {1, 1, 2, 2, 3}); }
};

/// Errors of λ after each of the first steps, of size h.
std::vector<double> multiplier_errors(double h, int steps, bool fixed, int max_order, double tol = 1e-2) {
    auto problem = OnParabola::make();
    integrate::IntegrationOptions options;
    options.tolerance.relative = options.tolerance.absolute = tol;
    options.step.first = options.step.max = h;
    options.method.fixed_step = fixed;
    options.method.max_order = max_order;
    struct Watch : integrate::Observer {
        std::vector<double> errors;
        integrate::Action step(const integrate::AcceptedStep& s) override {
            errors.push_back(std::abs(s.x[4] - std::cos(s.t)));
            return integrate::Action::proceed;
        }
    } watch;
    const double t0 = 0.3;
    const auto result = integrate::integrate(problem, *integrate::find_method("bdf"), t0, t0 + steps * h,
                                             OnParabola::x(t0), OnParabola::dx(t0), options, watch);
    EXPECT_TRUE(result.finished()) << result.failure.cause;
    return watch.errors;
}

// From exact values λ of the first step of implicit Euler would be off by O(1).
TEST(Bdf, FirstEulerStepGivesMultipliersToFirstOrder) {
    for (const int step : {0, 1, 2, 5}) {
        const double coarse = multiplier_errors(2e-3, 8, true, 1)[static_cast<std::size_t>(step)];
        const double fine = multiplier_errors(1e-3, 8, true, 1)[static_cast<std::size_t>(step)];
        EXPECT_NEAR(std::log2(coarse / fine), 1.0, 0.2) << "step " << step + 1 << ": " << coarse << ' ' << fine;
        EXPECT_LT(coarse, 0.1);
    }
}

// As it is offered, step size and order its own choice below a limit: O(h) with one constant at every step.
TEST(Bdf, MultipliersAreAccurateFromTheFirstStepOn) {
    for (const double h : {2e-2, 1e-2, 5e-3, 2.5e-3}) {
        const auto errors = multiplier_errors(h, 12, false, 5, 1e-6);
        ASSERT_GE(errors.size(), 12u);
        for (std::size_t step = 0; step < errors.size(); ++step)
            EXPECT_LE(errors[step], 0.02 * h) << "step " << step + 1;
    }
}

/// x_i' = s_i' + Σ a_ij (x_j - s_j), z = Σ b_j x_j + …: stiff and slow modes with a known solution.
struct Manufactured {
    static constexpr int n = 4;
    std::array<double, 3> rate, phase, stiffness;
    std::array<double, 9> coupling;
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        using std::cos;
        using std::sin;
        T e[3];
        for (int i = 0; i < 3; ++i) e[i] = x[i] - sin(rate[i] * t + phase[i]);
        for (int i = 0; i < 3; ++i) {
            T right = rate[i] * cos(rate[i] * t + phase[i]) - stiffness[i] * e[i];
            for (int j = 0; j < 3; ++j) right += coupling[3 * i + j] * e[j];
            r[i] = dx[i] - right;
        }
        r[3] = x[3] - x[0] * x[1] - x[2];
    }
    std::vector<double> x(double t) const {
        std::vector<double> s;
        for (int i = 0; i < 3; ++i) s.push_back(std::sin(rate[i] * t + phase[i]));
        s.push_back(s[0] * s[1] + s[2]);
        return s;
    }
    std::vector<double> dx(double t) const {
        std::vector<double> s = x(t), d;
        for (int i = 0; i < 3; ++i) d.push_back(rate[i] * std::cos(rate[i] * t + phase[i]));
        d.push_back(d[0] * s[1] + s[0] * d[1] + d[2]);
        return d;
    }
};

TEST(Bdf, ContinuousOutputIsAsAccurateAsTheSteps) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(0, 1);
    for (int round = 0; round < 20; ++round) {
        Manufactured f;
        for (int i = 0; i < 3; ++i) {
            f.rate[i] = 0.5 + 3 * unit(random);
            f.phase[i] = 6 * unit(random);
            f.stiffness[i] = std::pow(10.0, 6 * unit(random));
        }
        for (double& c : f.coupling) c = 0.4 * unit(random) - 0.2;
        const double tol = std::pow(10.0, -3 - 7 * unit(random));
        auto problem = make_problem(f, Manufactured::n);
        integrate::IntegrationOptions options;
        options.tolerance.relative = options.tolerance.absolute = tol;
        struct Watch : integrate::Observer {
            explicit Watch(const Manufactured& m) : f(m) {}
            const Manufactured& f;
            double worst = 0;
            integrate::Action step(const integrate::AcceptedStep& s) override {
                for (int k = 1; k <= 20; ++k) {
                    const double t = s.t_before + (s.t - s.t_before) * k / 20;
                    double x[4], dx[4];
                    s.interpolant.evaluate(t, x, dx);
                    const auto exact = f.x(t);
                    for (int i = 0; i < 4; ++i)
                        worst = std::max(worst, std::abs(x[i] - exact[static_cast<std::size_t>(i)]) /
                                                    (1 + std::abs(exact[static_cast<std::size_t>(i)])));
                }
                return integrate::Action::proceed;
            }
        } watch(f);
        const auto result =
            integrate::integrate(problem, *integrate::find_method("bdf"), 0, 5, f.x(0), f.dx(0), options, watch);
        ASSERT_TRUE(result.finished()) << result.failure.cause;
        EXPECT_LE(watch.worst, 10 * tol) << "round " << round << ", tolerance " << tol;
    }
}

struct Oscillator {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        r[0] = dx[0] - x[1];
        r[1] = dx[1] + x[0];
    }
};

TEST(Bdf, SixthOrderIsUsedIfAskedForAndSavesSteps) {
    long steps[2];
    for (const int order : {5, 6}) {
        auto problem = make_problem(Oscillator{}, 2);
        integrate::IntegrationOptions options;
        options.tolerance.relative = options.tolerance.absolute = 1e-9;
        options.method.max_order = order;
        integrate::Observer nobody;
        const std::vector<double> x0{0, 1}, dx0{1, 0};
        const auto result =
            integrate::integrate(problem, *integrate::find_method("bdf"), 0, 20, x0, dx0, options, nobody);
        ASSERT_TRUE(result.finished());
        EXPECT_EQ(result.statistics.highest_order, order);
        EXPECT_NEAR(result.x[0], std::sin(20.0), 1e-8) << order;
        steps[order - 5] = result.statistics.counters.steps;
    }
    EXPECT_LT(steps[1], steps[0]);
}

/// x' = cos t, and an algebraic unknown that amplifies the rounding of x by a million: (x - sin t) 10⁶ + 1.
struct Amplified {
    template <class T>
    void operator()(T t, const T* x, const T* dx, T* r) const {
        using std::cos;
        using std::sin;
        r[0] = dx[0] - cos(t);
        r[1] = x[1] - 1e6 * (x[0] - sin(t)) - 1.0;
    }
};

TEST(Bdf, RoundOffThatTheEquationsAmplifyIsMeasuredAndNamed) {
    auto problem = make_problem(Amplified{}, 2);
    integrate::IntegrationOptions options;
    options.tolerance.relative = options.tolerance.absolute = 1e-11;
    integrate::Observer nobody;
    const std::vector<double> x0{0, 1}, dx0{1, 0};
    const auto result = integrate::integrate(problem, *integrate::find_method("bdf"), 0, 10, x0, dx0, options, nobody);
    ASSERT_TRUE(result.finished()) << result.failure.cause;
    EXPECT_NEAR(result.x[0], std::sin(10.0), 1e-10);
    EXPECT_LT(result.statistics.counters.steps, 5000);
    ASSERT_EQ(result.statistics.noise.size(), 1u);
    EXPECT_EQ(result.statistics.noise[0].unknown, 1);
    EXPECT_GT(result.statistics.noise[0].level, 1e-10);
    EXPECT_LT(result.statistics.noise[0].level, 1e-6);
}

/// Not defined beyond x = 1, where the solution 1 - e^{-t} never goes.
struct Edge {
    template <class T>
    void operator()(T, const T* x, const T* dx, T* r) const {
        using std::sqrt;
        r[0] = dx[0] - sqrt(1.0 - x[0]) * sqrt(1.0 - x[0]);
    }
};

TEST(Bdf, PointsWithoutAValueAreSteppedAround) {
    auto problem = make_problem(Edge{}, 1);
    integrate::IntegrationOptions options;
    options.tolerance.relative = options.tolerance.absolute = 1e-6;
    options.step.first = 1.5; // Newton's first iterate is beyond the edge
    integrate::Observer nobody;
    const std::vector<double> x0{0}, dx0{1};
    const auto result = integrate::integrate(problem, *integrate::find_method("bdf"), 0, 3, x0, dx0, options, nobody);
    ASSERT_TRUE(result.finished()) << result.failure.cause;
    EXPECT_GE(result.statistics.counters.domain_rejections, 1);
    EXPECT_NEAR(result.x[0], 1 - std::exp(-3.0), 1e-5);
}

} // namespace
