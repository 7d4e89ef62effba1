// Starts of BDF on index 3: λ is O(h^k) in the first step with numerically consistent values, O(h^{k-1}) without.
#include "study/consistent_problems.hpp"
#include "study/observed_order.hpp"

#include <gtest/gtest.h>

namespace {

using namespace daedalus::study;

double first_step_order(int k, bool consistent) {
    const MultiplierProblem mp = nc_problem_5_1();
    const Problem& p = mp.problem;
    Vector errors;
    for (Real h = 0.01L; h > 0.002L; h /= 2) {
        Vector grid;
        for (int i = 0; i <= k; ++i) grid.push_back(h * static_cast<Real>(i));
        StartValues start;
        for (int i = 0; i < k; ++i) {
            start.x.push_back(p.exact_value(grid[std::size_t(i)]));
            start.dx.push_back(p.exact_derivative(grid[std::size_t(i)]));
        }
        if (consistent && k == 1) start.x[0] = numerically_consistent(mp, 0, h, start.x[0]);
        if (consistent && k > 1) start = numerically_consistent(mp, Vector(grid.begin(), grid.end() - 1), start);
        const auto s = reference_integrate(p, daedalus::tableau::make_bdf(k), grid, Variant::indirect, start);
        EXPECT_TRUE(s.solved);
        errors.push_back(s.error_at(p, p.groups[2], std::size_t(k)));
    }
    return static_cast<double>(std::log2(errors[errors.size() - 2] / errors.back()));
}

TEST(NumericallyConsistentStart, MultiplierIsAccurateFromTheFirstStep) {
    for (int k = 1; k <= 5; ++k) {
        EXPECT_NEAR(first_step_order(k, true), k, 0.25) << "k = " << k;
        EXPECT_LT(first_step_order(k, false), k - 0.5) << "k = " << k;
    }
}

TEST(NumericallyConsistentStart, OnlyVelocitiesChange) {
    const MultiplierProblem mp = nc_problem_5_2();
    const Vector exact = mp.problem.exact_value(1);
    const Vector shifted = numerically_consistent(mp, 1, 1e-3L, exact);
    for (std::size_t i : {0u, 1u, 2u, 6u, 7u}) EXPECT_EQ(shifted[i], exact[i]);
    EXPECT_NEAR(static_cast<double>(shifted[3]), -0.72985, 5e-6); // NC section 5
    EXPECT_NEAR(static_cast<double>(shifted[4]), 0.93931, 5e-6);
}

} // namespace
