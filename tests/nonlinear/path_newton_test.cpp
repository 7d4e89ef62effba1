// Functions that are linear in pieces, where Newton's method with shortened steps ends at a border.
#include "nonlinear/path_newton.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

using namespace daedalus::nonlinear;

namespace {

/// M u + |slopes| of u: A(s) u = b, where column k of A is `blocking` or `conducting` by the sign of u_k.
struct Network {
    using Vector = std::array<double, 2>;
    std::array<Vector, 2> negative, positive; ///< columns
    Vector b, u, step{}, trial{};
    double merit_ = 0.0;

    [[nodiscard]] Vector residual(const Vector& at) const {
        Vector g{-b[0], -b[1]};
        for (std::size_t k = 0; k < 2; ++k)
            for (std::size_t i = 0; i < 2; ++i) g[i] += (at[k] < 0 ? negative : positive)[k][i] * at[k];
        return g;
    }
    static double square(const Vector& g) { return g[0] * g[0] + g[1] * g[1]; }
    bool linearise() {
        merit_ = square(residual(u));
        return true;
    }
    void solve() {
        const Vector g = residual(u), &p = (u[0] < 0 ? negative : positive)[0],
                     &q = (u[1] < 0 ? negative : positive)[1];
        const double det = p[0] * q[1] - p[1] * q[0];
        step = {-(g[0] * q[1] - g[1] * q[0]) / det, -(p[0] * g[1] - p[1] * g[0]) / det};
    }
    [[nodiscard]] double merit() const { return merit_; }
    double attempt(double lambda) {
        trial = {u[0] + lambda * step[0], u[1] + lambda * step[1]};
        return square(residual(trial));
    }
    double departure(double lambda) {
        (void)attempt(lambda);
        const Vector g = residual(trial), before = residual(u);
        return std::sqrt(square({g[0] - (1 - lambda) * before[0], g[1] - (1 - lambda) * before[1]}));
    }
    double update(double lambda) {
        u = trial;
        return lambda * std::sqrt(square(step)) / std::max(1e-3, std::sqrt(square(u)));
    }
};

// All four matrices have positive determinants, so that the function is one-to-one (Samelson, Thrall & Wesler 1958).
Network stiff_network(double start) {
    Network n{};
    n.negative = {{{1e-5, 0.0}, {1.0, 1e-5}}};
    n.positive = {{{1.0, 0.0}, {-50.0, 1.0}}};
    n.b = {1.0, -1e-3};
    n.u = {start, start};
    return n;
}

TEST(PathNewton, CrossesBorders) {
    for (const double start : {-3.0, 0.7, 40.0}) {
        Network n = stiff_network(start);
        EXPECT_TRUE(path_newton(n).usable()) << start;
        EXPECT_LT(std::sqrt(Network::square(n.residual(n.u))), 1e-12) << start;
    }
}

// From random starts on random one-to-one functions; shortened steps alone do not reach all of them.
TEST(PathNewton, ReachesWhatShortenedStepsDoNot) {
    unsigned state = 1;
    const auto random = [&] { return (state = state * 1664525u + 1013904223u, (state >> 8) * 0x1p-24); };
    int tried = 0, shortened = 0, along = 0;
    for (int k = 0; k < 2000; ++k) {
        Network n{};
        for (auto* columns : {&n.negative, &n.positive})
            for (auto& column : *columns)
                for (double& entry : column) entry = (random() - 0.5) * std::pow(10.0, 4 * random() - 2);
        bool one_to_one = true;
        for (const auto& p : {n.negative[0], n.positive[0]})
            for (const auto& q : {n.negative[1], n.positive[1]}) one_to_one &= p[0] * q[1] - p[1] * q[0] > 1e-3;
        if (!one_to_one) continue;
        n.b = {random() - 0.5, random() - 0.5};
        n.u = {random() - 0.5, random() - 0.5};
        Network other = n;
        ++tried;
        (void)damped_newton(other);
        (void)path_newton(n);
        shortened += Network::square(other.residual(other.u)) < 1e-20;
        along += Network::square(n.residual(n.u)) < 1e-20;
    }
    EXPECT_GT(tried, 100);
    EXPECT_EQ(along, tried);
    EXPECT_LT(shortened, tried);
}

} // namespace
