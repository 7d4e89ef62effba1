// Quantities of a black box: the chain rule by differences, and the Jacobian that a step needs.
#include "problem/black_box.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace daedalus;
using namespace daedalus::problem;

namespace {

using Vector = std::span<const double>;

/// q = (x0³ + x1, exp x1), G = (q0' + x0 x2, q1' - x1, x2 - x0 x1).
BlackBox example() {
    BlackBoxQuantity quantity;
    quantity.size = 2;
    quantity.value = [](double, Vector x, std::span<double> q) {
        q[0] = x[0] * x[0] * x[0] + x[1];
        q[1] = std::exp(x[1]);
    };
    quantity.residual = [](double, Vector x, Vector, Vector dq, std::span<double> r) {
        r[0] = dq[0] + x[0] * x[2];
        r[1] = dq[1] - x[1];
        r[2] = x[2] - x[0] * x[1];
        return true;
    };
    BlackBox box;
    box.x0 = {0.7, -0.4, 2.0};
    box.residual = [quantity](double t, Vector x, Vector dx, std::span<double> r) {
        return quantity.chained(t, x, dx, r);
    };
    box.quantity = quantity;
    return box;
}

TEST(BlackBoxQuantity, SlopeByDifferencesIsTheChainRule) {
    const BlackBox box = example();
    for (const double scale : {1e-6, 1.0, 1e6}) {
        const std::vector<double> x{0.7, -0.4, 2.0}, dx{1.5 * scale, -0.3 * scale, 8.0 * scale};
        std::vector<double> dq(2);
        box.quantity->find_slope(0.0, x, dx, dq);
        EXPECT_NEAR(dq[0] / scale, 3 * 0.49 * 1.5 - 0.3, 1e-11) << scale;
        EXPECT_NEAR(dq[1] / scale, -0.3 * std::exp(-0.4), 1e-11) << scale;
    }
    std::vector<double> dq(2);
    box.quantity->find_slope(0.0, box.x0, std::vector<double>(3, 0.0), dq);
    EXPECT_EQ(dq, std::vector<double>(2, 0.0));
}

/// How unknowns without derivative are told from others: a slope that is no number shows where it occurs only.
TEST(BlackBoxQuantity, SlopesThatAreNoNumbersShowWhereTheyOccur) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> dq(2);
    example().quantity->find_slope(0.0, std::vector<double>{0.7, -0.4, 2.0}, std::vector<double>{nan, 1.0, 1.0}, dq);
    EXPECT_TRUE(std::isnan(dq[0]));
    EXPECT_FALSE(std::isnan(dq[1]));
}

TEST(BlackBoxQuantity, JacobianOfAStep) {
    auto made = make_implicit_problem(example());
    ASSERT_TRUE(made);
    const ImplicitProblem& problem = *made;
    ASSERT_EQ(problem.quantity().size, 2);
    EXPECT_TRUE(problem.quantity().required);
    EXPECT_TRUE(problem.unknowns()[0].differential);
    EXPECT_TRUE(problem.unknowns()[1].differential);
    EXPECT_FALSE(problem.unknowns()[2].differential);
    const double x[] = {0.7, -0.4, 2.0}, dx[] = {0.1, 0.2, 0.0}, dq[] = {5.0, -3.0};
    const SparsityPattern& pattern = problem.pattern();
    std::vector<double> jx(static_cast<std::size_t>(pattern.nonzeros())), jdx(jx.size());
    ASSERT_EQ(problem.stated_jacobian(0.0, x, dx, dq, jx.data(), jdx.data()), EvalStatus::ok);
    const double J[3][3] = {{2.0, 0, 0.7}, {0, -1, 0}, {0.4, -0.7, 1}};
    const double M[3][3] = {{3 * 0.49, 1, 0}, {0, std::exp(-0.4), 0}, {0, 0, 0}};
    double seen_J[3][3] = {}, seen_M[3][3] = {};
    for (int j = 0; j < 3; ++j)
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
            seen_J[pattern.row_index[k]][j] = jx[static_cast<std::size_t>(k)];
            seen_M[pattern.row_index[k]][j] = jdx[static_cast<std::size_t>(k)];
        }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            EXPECT_NEAR(seen_J[i][j], J[i][j], 1e-6) << i << ' ' << j;
            EXPECT_NEAR(seen_M[i][j], M[i][j], 1e-5) << i << ' ' << j; // differences of slopes with 12 digits
        }
    // G with the chain rule is F.
    double slope[2], g[3], f[3];
    ASSERT_EQ(problem.quantity_slope(0.0, x, dx, slope), EvalStatus::ok);
    ASSERT_EQ(problem.stated_residual(0.0, x, dx, slope, g), EvalStatus::ok);
    ASSERT_EQ(problem.residual(0.0, x, dx, f), EvalStatus::ok);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(g[i], f[i]);
}

} // namespace
