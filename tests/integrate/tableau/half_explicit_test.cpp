// Order conditions of half-explicit methods: those of the underlying explicit Runge-Kutta method by rooted trees, and
// of its constraint rows; observed orders on constrained problems are in tests/mechanics.
#include "integrate/tableau/half_explicit.hpp"

#include <gtest/gtest.h>

#include <cmath>

using namespace daedalus::integrate::tableau;

namespace {

/// Σ b_i c_i^k - 1/(k+1)
double quadrature(const HalfExplicit& m, int k) {
    double sum = -1.0 / (k + 1);
    const std::vector<double>& b = m.constraint.back();
    for (std::size_t i = 0; i < b.size(); ++i) sum += b[i] * std::pow(m.c[i], k);
    return sum;
}

/// Σ b_i Σ a_ij c_j^k …: the tall trees.
double tall(const HalfExplicit& m, int height) {
    std::vector<double> at(m.a.size(), 1.0);
    double factorial = 1.0;
    for (int level = 1; level < height; ++level) {
        factorial *= level + 1;
        std::vector<double> next(m.a.size(), 0.0);
        for (std::size_t i = 0; i < m.a.size(); ++i)
            for (std::size_t j = 0; j < m.a[i].size(); ++j) next[i] += m.a[i][j] * at[j];
        at = next;
    }
    double sum = -1.0 / factorial;
    for (std::size_t i = 0; i < at.size(); ++i) sum += m.constraint.back()[i] * at[i];
    return sum;
}

} // namespace

TEST(HalfExplicitTableau, SatisfiesQuadratureAndTallTreesUpToItsOrderAndNoFurther) {
    for (const HalfExplicitName name :
         {HalfExplicitName::euler, HalfExplicitName::hem4, HalfExplicitName::hem5, HalfExplicitName::phem56}) {
        const HalfExplicit& m = half_explicit(name);
        for (int k = 0; k < m.order; ++k) {
            EXPECT_NEAR(quadrature(m, k), 0, 1e-13) << m.order << ' ' << k;
            EXPECT_NEAR(tall(m, k + 1), 0, 1e-13) << m.order << ' ' << k;
        }
        EXPECT_GT(std::abs(tall(m, m.order + 1)), 1e-6) << m.order;
    }
}

TEST(HalfExplicitTableau, RowsAreConsistentAndSolvable) {
    for (const HalfExplicitName name :
         {HalfExplicitName::euler, HalfExplicitName::hem4, HalfExplicitName::hem5, HalfExplicitName::phem56}) {
        const HalfExplicit& m = half_explicit(name);
        ASSERT_EQ(m.a.size(), static_cast<std::size_t>(m.stages));
        ASSERT_EQ(m.constraint.size(), m.a.size());
        for (std::size_t i = 0; i < m.a.size(); ++i) {
            EXPECT_EQ(m.a[i].size(), i);
            EXPECT_EQ(m.constraint[i].size(), i + 1);
            EXPECT_NE(m.constraint[i][i], 0.0); // finds λ of the stage
        }
        double sum = -1;
        for (const double b : m.embedded) sum += b;
        EXPECT_NEAR(sum, 0, 1e-12);
    }
    const double nodes[] = {0.0, 0.1, 0.15, 0.3614787346573635, 0.08535584335486351, 0.5, 0.8, 1.0}; // of HEM5
    for (std::size_t i = 0; i < 8; ++i)
        EXPECT_NEAR(half_explicit(HalfExplicitName::hem5).c[i], nodes[i], 1e-12); // of 16 digits
    const double constraint_nodes[] = {0.3, 0.375, 5.0 / 7, 1.0, 1.0};            // of PHEM56
    for (std::size_t i = 1; i < 6; ++i)
        EXPECT_NEAR(half_explicit(HalfExplicitName::phem56).c_constraint[i], constraint_nodes[i - 1], 1e-14);
}
