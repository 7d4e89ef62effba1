// W 4.4, HW VII.2: BDF on the GGL formulation is the solution of the overdetermined equations in the state space form
// sense without the constraint of accelerations. The latter is found here step by step without multipliers μ:
// velocities from their equations, positions as the nearest ones on the circle.
#include "mechanics/pendulum.hpp"

using namespace daedalus;
using namespace daedalus::testing;

namespace {

struct State {
    double x, y, u, v;
};

/// q̂ + hγ u etc. from the past, with u and q in turn until nothing moves.
State ssf_step(const State& hat, double h_gamma, State s) {
    for (int iteration = 0; iteration < 200; ++iteration) {
        // u = û + hγ (f - λ q), q·u = 0, with f = (0, -1)
        const double free_u = hat.u, free_v = hat.v - h_gamma;
        const double lambda = (s.x * free_u + s.y * free_v) / (s.x * s.x + s.y * s.y);
        s.u = free_u - lambda * s.x;
        s.v = free_v - lambda * s.y;
        const double x = hat.x + h_gamma * s.u, y = hat.y + h_gamma * s.v, r = std::hypot(x, y);
        s.x = x / r;
        s.y = y / r;
    }
    return s;
}

} // namespace

TEST(StateSpaceForm, EqualsBdfOnGearGuptaLeimkuhler) {
    const std::pair<const char*, std::vector<double>> methods[] = {
        {"bdf1", {1, -1}}, {"bdf2", {1.5, -2, 0.5}}, {"bdf3", {11.0 / 6, -3, 1.5, -1.0 / 3}}};
    constexpr double h = 0.02;
    for (const auto& [method, alpha] : methods) {
        const Solution s = solved(
            pendulum(),
            {.until = 1, .method = method, .rtol = 1e-12, .reduction = Reduction::ggl, .points = 0, .fixed_step = h});
        const std::size_t k = alpha.size() - 1;
        ASSERT_GT(s.time().size(), 40U);
        for (std::size_t n = 2 * k; n < s.time().size(); ++n) {
            State hat{0, 0, 0, 0};
            for (std::size_t i = 1; i <= k; ++i) {
                const double a = -alpha[i] / alpha[0];
                hat.x += a * s["x"][n - i], hat.y += a * s["y"][n - i];
                hat.u += a * s["u"][n - i], hat.v += a * s["v"][n - i];
            }
            const State end = ssf_step(hat, h / alpha[0], {s["x"][n - 1], s["y"][n - 1], s["u"][n - 1], s["v"][n - 1]});
            EXPECT_NEAR(s["x"][n], end.x, 1e-12) << method << ' ' << n;
            EXPECT_NEAR(s["y"][n], end.y, 1e-12) << method << ' ' << n;
            EXPECT_NEAR(s["u"][n], end.u, 1e-11) << method << ' ' << n;
            EXPECT_NEAR(s["v"][n], end.v, 1e-11) << method << ' ' << n;
        }
    }
}
