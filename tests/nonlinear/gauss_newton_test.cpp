#include "nonlinear/gauss_newton.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

using namespace daedalus;
using namespace daedalus::nonlinear;

namespace {

struct Functions final : EquationSystem {
    std::function<void(std::span<const double>, std::span<double>)> g, dg;
    bool residual(std::span<const double> u, std::span<double> r) override {
        g(u, r);
        return true;
    }
    bool jacobian(std::span<const double> u, std::span<double> v) override {
        dg(u, v);
        return true;
    }
};

struct Task {
    std::vector<double> anchor, scale, size, min, max;
    explicit Task(std::vector<double> a)
        : anchor(std::move(a)), scale(anchor.size(), 1.0), size(anchor.size(), 1.0),
          min(anchor.size(), -std::numeric_limits<double>::infinity()),
          max(anchor.size(), std::numeric_limits<double>::infinity()) {}
    [[nodiscard]] LeastChange get() const {
        return {.anchor = anchor, .scale = scale, .size = size, .min = min, .max = max};
    }
};

Functions circle() {
    Functions f;
    f.g = [](auto u, auto r) { r[0] = u[0] * u[0] + u[1] * u[1] - 1.0; };
    f.dg = [](auto u, auto v) {
        v[0] = 2.0 * u[0];
        v[1] = 2.0 * u[1];
    };
    return f;
}

} // namespace

TEST(SaddlePoint, HandWorkedStep) {
    // min ½|v|² with v1 + 2 v2 = 5: v = (1, 2)
    SaddlePoint saddle(SparsityPattern::dense(1, 2));
    const std::vector<double> j{1.0, 2.0}, row{1.0}, scale{1.0, 1.0}, a{0.0, 0.0}, b{5.0};
    ASSERT_EQ(saddle.factor(j, row, scale, 0.0), linalg::FactorStatus::ok);
    std::vector<double> v(2);
    saddle.solve(a, b, v);
    EXPECT_NEAR(v[0], 1.0, 1e-15);
    EXPECT_NEAR(v[1], 2.0, 1e-15);
    EXPECT_NEAR(saddle.multipliers()[0], -1.0, 1e-15);
    // held first unknown: v = (0, 2.5)
    const std::vector<double> held{0.0, 1.0};
    ASSERT_EQ(saddle.factor(j, row, held, 0.0), linalg::FactorStatus::ok);
    saddle.solve(a, b, v);
    EXPECT_EQ(v[0], 0.0);
    EXPECT_NEAR(v[1], 2.5, 1e-15);
}

TEST(GaussNewton, ProjectsOnTheNearestPoint) {
    auto f = circle();
    GaussNewton iteration(SparsityPattern::dense(1, 2));
    const Task task({3.0, 4.0});
    std::vector<double> u{3.0, 4.0};
    const auto result = iteration.solve(f, task.get(), u);
    EXPECT_EQ(result.status, GaussNewtonStatus::converged);
    EXPECT_NEAR(u[0], 0.6, 1e-7); // the least change is found to 1e-8 of the change
    EXPECT_NEAR(u[1], 0.8, 1e-7);
    EXPECT_NEAR(std::hypot(u[0], u[1]), 1.0, 2e-16); // the equation to round-off
}

TEST(GaussNewton, WeightsDecideWhoMoves) {
    auto f = circle();
    GaussNewton iteration(SparsityPattern::dense(1, 2));
    Task task({0.5, 0.1});
    task.scale = {1.0, 1e3};
    std::vector<double> u{0.5, 0.1};
    ASSERT_EQ(iteration.solve(f, task.get(), u).status, GaussNewtonStatus::converged);
    EXPECT_NEAR(u[0], 0.5, 1e-5);
    EXPECT_NEAR(u[1], std::sqrt(0.75), 1e-5);
    task.scale = {0.0, 1.0};
    u = {0.5, 0.1};
    ASSERT_EQ(iteration.solve(f, task.get(), u).status, GaussNewtonStatus::converged);
    EXPECT_EQ(u[0], 0.5);
    EXPECT_NEAR(u[1], std::sqrt(0.75), 2e-16);
}

TEST(GaussNewton, ContradictionIsStationary) {
    Functions f;
    f.g = [](auto u, auto r) {
        r[0] = u[0] - 1.0;
        r[1] = u[0] - 2.0;
    };
    f.dg = [](auto, auto v) { v[0] = v[1] = 1.0; };
    GaussNewton iteration(SparsityPattern::dense(2, 1));
    const Task task({0.0});
    std::vector<double> u{0.0};
    const auto result = iteration.solve(f, task.get(), u, {.least_change = false});
    EXPECT_EQ(result.status, GaussNewtonStatus::stuck);
    EXPECT_TRUE(result.stationary);
    EXPECT_NEAR(u[0], 1.5, 1e-3); // least squares
    EXPECT_GT(result.residual, 0.1);
}

TEST(GaussNewton, DroppedEquationsDoNotCount) {
    Functions f;
    f.g = [](auto u, auto r) {
        r[0] = u[0] - 1.0;
        r[1] = std::log(-1.0); // without value, but not asked for
    };
    f.dg = [](auto, auto v) {
        v[0] = 1.0;
        v[1] = std::nan("");
    };
    GaussNewton iteration(SparsityPattern::dense(2, 1));
    const Task task({0.0});
    LeastChange asked = task.get();
    const std::vector<char> active{1, 0};
    asked.active = active;
    std::vector<double> u{0.0};
    EXPECT_EQ(iteration.solve(f, asked, u).status, GaussNewtonStatus::converged);
    EXPECT_EQ(u[0], 1.0);
    EXPECT_EQ(iteration.solve(f, task.get(), u).status, GaussNewtonStatus::not_finite);
}

TEST(GaussNewton, StepsBackFromPointsWithoutValue) {
    Functions f; // full Newton from 10 goes to 10 - 10·log 10 < 0
    f.g = [](auto u, auto r) { r[0] = std::log(u[0]); };
    f.dg = [](auto u, auto v) { v[0] = 1.0 / u[0]; };
    GaussNewton iteration(SparsityPattern::dense(1, 1));
    const Task task({10.0});
    std::vector<double> u{10.0};
    EXPECT_EQ(iteration.solve(f, task.get(), u).status, GaussNewtonStatus::converged);
    EXPECT_NEAR(u[0], 1.0, 2e-16);
}

TEST(GaussNewton, RosenbrockValleyByDamping) {
    Functions f;
    f.g = [](auto u, auto r) {
        r[0] = 10.0 * (u[1] - u[0] * u[0]);
        r[1] = 1.0 - u[0];
    };
    f.dg = [](auto u, auto v) {
        v[0] = -20.0 * u[0];
        v[1] = -1.0;
        v[2] = 10.0;
        v[3] = 0.0;
    };
    GaussNewton iteration(SparsityPattern::dense(2, 2));
    const Task task({-1.2, 1.0});
    for (bool damping : {false, true}) {
        std::vector<double> u{-1.2, 1.0};
        const auto result = iteration.solve(f, task.get(), u, {.least_change = false, .damping = damping});
        EXPECT_EQ(result.status, GaussNewtonStatus::converged);
        EXPECT_NEAR(u[0], 1.0, 1e-14);
        EXPECT_NEAR(u[1], 1.0, 1e-14);
    }
}
