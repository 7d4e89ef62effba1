// Explicit tableaus: order conditions over all rooted trees of the method, its error estimates and its dense output;
// nodes; the boundary of stability.
#include "integrate/tableau/explicit_runge_kutta.hpp"
#include "integrate/tableau/rooted_trees.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace daedalus;
using daedalus::testing::order_defects;
using tableau::ExplicitName;
using tableau::ExplicitRungeKutta;

namespace {

struct Dense {
    int s;
    std::vector<double> A, b;
};

Dense dense_matrices(const ExplicitRungeKutta& m) {
    const int s = m.stages + m.extra;
    Dense d{s, std::vector<double>(s * s, 0.0), std::vector<double>(s, 0.0)};
    for (int i = 0; i < s; ++i)
        for (const auto& [j, value] : m.a[i]) d.A[i * s + j] = value;
    for (const auto& [j, value] : m.a[m.stages - 1]) d.b[j] = value;
    return d;
}

class ExplicitTableau : public ::testing::TestWithParam<ExplicitName> {};
INSTANTIATE_TEST_SUITE_P(All, ExplicitTableau, ::testing::Values(ExplicitName::dopri5, ExplicitName::dop853));

TEST_P(ExplicitTableau, OrderConditions) {
    const auto m = tableau::make_explicit_runge_kutta(GetParam());
    const Dense d = dense_matrices(m);
    const auto defects = order_defects(d.A, d.A, d.b, m.order + 1);
    for (int order = 1; order <= m.order; ++order) EXPECT_LT(defects[order], 1e-13) << order;
    EXPECT_GT(defects[m.order + 1], 1e-6);
}

TEST_P(ExplicitTableau, EstimatesCompareWithMethodsOfLowerOrder) {
    const auto m = tableau::make_explicit_runge_kutta(GetParam());
    const Dense d = dense_matrices(m);
    const std::vector<int> lower = GetParam() == ExplicitName::dopri5 ? std::vector{4} : std::vector{5, 3};
    ASSERT_EQ(m.error.size(), lower.size());
    for (std::size_t r = 0; r < lower.size(); ++r) {
        std::vector<double> b = d.b;
        for (const auto& [j, value] : m.error[r]) b[j] -= value;
        const auto defects = order_defects(d.A, d.A, b, lower[r] + 1);
        for (int order = 1; order <= lower[r]; ++order) EXPECT_LT(defects[order], 1e-13) << order;
        EXPECT_GT(defects[lower[r] + 1], 1e-6);
    }
}

TEST_P(ExplicitTableau, DenseOutputHasNearlyFullOrder) {
    const auto m = tableau::make_explicit_runge_kutta(GetParam());
    const Dense d = dense_matrices(m);
    const int order = m.order - 1;
    for (const double theta : {0.2, 0.5, 0.9}) {
        // The nested form, as weights of K; scaled to a method with step θh.
        std::vector<double> value(d.s, 0.0);
        const auto rows = static_cast<int>(m.dense.size()) + 3;
        for (int r = rows; r-- > 0;) {
            std::vector<double> F(d.s, 0.0);
            if (r == 0) F = d.b;
            if (r == 1) {
                for (int j = 0; j < d.s; ++j) F[j] = -d.b[j];
                F[0] += 1.0;
            }
            if (r == 2) {
                for (int j = 0; j < d.s; ++j) F[j] = 2.0 * d.b[j];
                F[0] -= 1.0;
                F[m.stages - 1] -= 1.0;
            }
            if (r > 2)
                for (const auto& [j, w] : m.dense[r - 3]) F[j] = w;
            for (int j = 0; j < d.s; ++j) value[j] = (r % 2 == 0 ? theta : 1.0 - theta) * (F[j] + value[j]);
        }
        std::vector<double> A = d.A, b = value;
        for (double& a : A) a /= theta;
        for (double& w : b) w /= theta;
        const auto defects = order_defects(A, A, b, order);
        for (int p = 1; p <= order; ++p) EXPECT_LT(defects[p], 1e-10) << "order " << p << " at " << theta;
    }
}

TEST_P(ExplicitTableau, NodesAndStability) {
    const auto m = tableau::make_explicit_runge_kutta(GetParam());
    for (int i = 0; i < m.stages + m.extra; ++i) {
        double sum = 0.0;
        for (const auto& [j, value] : m.a[i]) sum += value;
        EXPECT_NEAR(sum, m.c[i], 1e-14) << i;
    }
    // |R(-stability)| is near 1, and beyond it grows.
    const auto growth = [&](double z) {
        std::vector<double> k(m.stages);
        double x = 1.0;
        for (int i = 0; i < m.stages; ++i) {
            x = 1.0;
            for (const auto& [j, value] : m.a[i]) x += z * value * k[j];
            k[i] = x;
        }
        return std::abs(x);
    };
    EXPECT_LT(growth(-0.95 * m.stability), 1.0);
    EXPECT_GT(growth(-1.1 * m.stability), 1.0);
}

} // namespace
