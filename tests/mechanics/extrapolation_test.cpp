// Extrapolation of the half-explicit midpoint rule: twice as many orders as rows, tolerances, what it keeps.
#include "mechanics/mech.hpp"
#include "mechanics/pendulum.hpp"

#include <gmock/gmock.h>

using namespace daedalus;
using namespace daedalus::testing;

namespace {

const Solution& exact() {
    static const Solution s = solved(pendulum(), {.until = 10, .method = "radau", .rtol = 1e-13, .points = 77});
    return s;
}

} // namespace

// Along the way, between steps too.
TEST(HalfExplicitExtrapolation, GainsTwoOrdersByARow) {
    const std::tuple<int, double> rows[] = {{2, 0.0125}, {3, 0.1}};
    for (const auto& [k, h] : rows) {
        const auto errors = [&, k = k](double step) {
            const Solution s =
                solved(pendulum(), {.until = 10, .method = "mexx", .points = 77, .fixed_step = step, .max_order = k});
            EndErrors worst;
            for (std::size_t i = 0; i < s.time().size(); ++i) {
                const auto off = [&](const char* name) { return std::abs(s[name][i] - exact()[name][i]); };
                worst.q = std::max({worst.q, off("x"), off("y")});
                worst.v = std::max({worst.v, off("u"), off("v")});
                worst.lambda = std::max(worst.lambda, off("lambda"));
            }
            return worst;
        };
        const EndErrors a = errors(h), b = errors(h / 2);
        EXPECT_NEAR(std::log2(a.q / b.q), 2 * k, 0.6) << k;
        EXPECT_NEAR(std::log2(a.v / b.v), 2 * k, 0.6) << k;
        EXPECT_NEAR(std::log2(a.lambda / b.lambda), 2 * k, 0.6) << k;
    }
}

TEST(HalfExplicitExtrapolation, FollowsTheToleranceBetweenStepsToo) {
    for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
        const Solution s =
            solved(pendulum(), {.until = 10, .method = "mexx", .rtol = rtol, .atol = rtol, .points = 77});
        for (std::size_t i = 0; i < s.time().size(); ++i)
            for (const char* name : pendulum_names)
                EXPECT_NEAR(s[name][i], exact()[name][i], 20 * rtol) << rtol << ' ' << s.time()[i];
        for (const ResidualSummary& r : s.residuals())
            if (r.differentiations == 1) {
                EXPECT_LT(r.at_steps, 1e-14) << r.equation;
            }
    }
}

// Where many digits are wanted, its order grows and that of the others does not.
TEST(HalfExplicitExtrapolation, ChoosesItsOrder) {
    const auto evaluations = [](const char* method, double rtol) {
        return count(solved(pendulum(), {.until = 10, .method = method, .rtol = rtol, .atol = rtol}), "residuals");
    };
    EXPECT_LT(evaluations("mexx", 1e-11), evaluations("hem5", 1e-11) / 2);
}

// Quaternions: positions whose rates are other than velocities.
TEST(HalfExplicitExtrapolation, OnATop) {
    const Model top =
        mech("mechanism t in space coordinates absolute gravity = (0, 0, -9.81) body top { mass = 1, "
             "inertia = (0.02, 0.02, 0.01), center = (0, 0, 0.3), turned = 30 deg about (1, 0, 0), omega = "
             "(0, 0, 60) } spherical tip between ground and top");
    const Solution reference = solved(top, {.until = 0.5, .method = "radau", .rtol = 1e-10, .points = 10});
    const Solution s = solved(top, {.until = 0.5, .method = "mexx", .rtol = 1e-8, .points = 10});
    for (std::size_t i = 0; i < s.time().size(); ++i)
        for (const char* name : {"top.x", "top.y", "top.z"})
            EXPECT_NEAR(s[name][i], reference[name][i], 1e-7) << name << ' ' << s.time()[i];
}
