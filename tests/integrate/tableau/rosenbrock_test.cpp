// Rosenbrock tableaus: order conditions over all rooted trees, stiff accuracy, R(∞) = 0, continuous output.
#include "integrate/tableau/rooted_trees.hpp"
#include "integrate/tableau/rosenbrock.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace daedalus;
using daedalus::testing::order_defects;
using tableau::RosenbrockName;

namespace {

/// α, β = α + Γ and weights in terms of k from the transformed coefficients: Γ^{-1} = I/γ - C, α = A Γ, b = m Γ.
struct Classical {
    std::vector<double> alpha, beta, b;
};

Classical classical(const tableau::Rosenbrock& m, const std::vector<double>& weights) {
    const int s = m.stages;
    std::vector<double> gamma(s * s, 0.0);
    for (int j = 0; j < s; ++j) // column j of Γ by forward substitution with Γ^{-1}
        for (int i = j; i < s; ++i) {
            double sum = i == j ? 1.0 : 0.0;
            for (int k = j; k < i; ++k) sum += m.c[i * s + k] * gamma[k * s + j];
            gamma[i * s + j] = sum * m.gamma;
        }
    Classical out{std::vector<double>(s * s, 0.0), gamma, std::vector<double>(s, 0.0)};
    for (int i = 0; i < s; ++i)
        for (int j = 0; j < s; ++j) {
            for (int k = 0; k < s; ++k) out.alpha[i * s + j] += m.a[i * s + k] * gamma[k * s + j];
            out.b[j] += weights[i] * gamma[i * s + j];
        }
    for (int k = 0; k < s * s; ++k) out.beta[k] += out.alpha[k];
    return out;
}

class RosenbrockTableau : public ::testing::TestWithParam<RosenbrockName> {};
INSTANTIATE_TEST_SUITE_P(All, RosenbrockTableau,
                         ::testing::Values(RosenbrockName::rodas3, RosenbrockName::rodas4, RosenbrockName::rodas4p,
                                           RosenbrockName::rodas5p, RosenbrockName::rodas6p));

TEST_P(RosenbrockTableau, OrderConditions) {
    const auto m = tableau::make_rosenbrock(GetParam());
    const int p = m.order;
    const Classical main = classical(m, m.b);
    const auto defects = order_defects(main.beta, main.alpha, main.b, p + 1);
    for (int order = 1; order <= p; ++order) EXPECT_LT(defects[order], 1e-11) << order;
    EXPECT_GT(defects[p + 1], 1e-6);
    std::vector<double> embedded = m.b;
    for (int i = 0; i < m.stages; ++i) embedded[i] -= m.error[i];
    const Classical lower = classical(m, embedded);
    const auto lower_defects = order_defects(lower.beta, lower.alpha, lower.b, p);
    for (int order = 1; order < p; ++order) EXPECT_LT(lower_defects[order], 1e-11) << order;
    EXPECT_GT(lower_defects[p], 1e-6);
}

TEST_P(RosenbrockTableau, NodesStiffAccuracyAndStability) {
    const auto m = tableau::make_rosenbrock(GetParam());
    const Classical k = classical(m, m.b);
    const int s = m.stages;
    for (int i = 0; i < s; ++i) {
        double alpha = 0.0, beta = 0.0;
        for (int j = 0; j < s; ++j) {
            alpha += k.alpha[i * s + j];
            beta += k.beta[i * s + j];
        }
        EXPECT_NEAR(alpha, m.alpha[i], 1e-11) << i;
        EXPECT_NEAR(beta - alpha, m.d[i], 1e-11) << i;
    }
    for (int j = 0; j < s; ++j) EXPECT_NEAR(k.b[j], k.beta[(m.essential - 1) * s + j], 1e-12); // stiffly accurate
    EXPECT_NEAR(m.alpha[m.essential - 1], 1.0, 1e-15);
    EXPECT_NEAR(m.rho[s], 0.0, 1e-11); // R(∞)
}

/// The continuous output is of order p - 1 at least: bushy trees, whose condition is Σ b_i(θ) α_i^(q-1) = θ^q / q.
TEST_P(RosenbrockTableau, ContinuousOutputIntegratesPolynomials) {
    const auto m = tableau::make_rosenbrock(GetParam());
    const int s = m.stages;
    for (const double theta : {0.2, 0.5, 0.9}) {
        std::vector<double> weights(s);
        for (int j = 0; j < s; ++j) {
            double p = 0.0;
            for (int r = m.dense_rows - 1; r >= 0; --r) p = m.dense[r * s + j] + theta * p;
            weights[j] = theta * (m.b[j] + (1.0 - theta) * p);
        }
        const Classical k = classical(m, weights);
        for (int q = 1; q < m.order; ++q) {
            double sum = 0.0;
            for (int j = 0; j < s; ++j) {
                // x' = q t^(q-1): F depends on t only; f_t enters through d_i.
                double node = q == 1 ? 1.0 : std::pow(m.alpha[j], q - 1);
                sum += k.b[j] * node;
            }
            // Σ_j b_j(θ) (α_j^{q-1} q + [q = 2] 2 γ_j): f_t at t_n is non-zero for q = 2 only.
            if (q == 2)
                for (int j = 0; j < s; ++j) sum += k.b[j] * m.d[j];
            EXPECT_NEAR(sum * q, std::pow(theta, q), 1e-10) << "degree " << q << " at " << theta;
        }
    }
}

} // namespace
