// Radau IIA computed from its definition against published digits (HW IV.5 Table 5.6, IV.8; RADAU5's constants).
#include "integrate/tableau/radau_iia.hpp"

#include <gtest/gtest.h>

#include <cmath>

using daedalus::tableau::make_radau_iia;

namespace {

TEST(RadauIIA, ThreeStageCoefficientsInClosedForm) {
    const auto m = make_radau_iia(3);
    const double r6 = std::sqrt(6.0);
    EXPECT_NEAR(m.c[0], (4 - r6) / 10, 1e-16);
    EXPECT_NEAR(m.c[1], (4 + r6) / 10, 1e-16);
    EXPECT_EQ(m.c[2], 1.0);
    const double A[] = {(88 - 7 * r6) / 360,     (296 - 169 * r6) / 1800, (-2 + 3 * r6) / 225,
                        (296 + 169 * r6) / 1800, (88 + 7 * r6) / 360,     (-2 - 3 * r6) / 225,
                        (16 - r6) / 36,          (16 + r6) / 36,          1.0 / 9};
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(m.A[k], A[k], 2e-16) << k;
}

TEST(RadauIIA, EigenvaluesHavePublishedDigits) {
    const auto m = make_radau_iia(3);
    const double st9 = std::cbrt(9.0);
    EXPECT_NEAR(m.gamma, 30 / (6 + st9 * (st9 - 1)), 2e-15);
    EXPECT_NEAR(m.alpha[0], 2.6810828736277521338957907432111, 1e-15);
    EXPECT_NEAR(m.beta[0], 3.0504301992474105694263776247875, 1e-15);
}

TEST(RadauIIA, TransformationHasPublishedDigits) {
    const auto m = make_radau_iia(3);
    // RADAU5 scales the real eigenvector to unit length, the complex one to last component 1.
    const double scale = 0.96604818261509293619;
    EXPECT_NEAR(m.T[0] * scale, 9.1232394870892942792e-02, 1e-15);
    EXPECT_NEAR(m.T[3] * scale, 0.24171793270710701896, 1e-15);
    EXPECT_NEAR(m.T[1], -0.14125529502095420843, 1e-15);
    EXPECT_NEAR(m.T[4], 0.20412935229379993199, 1e-15);
    EXPECT_NEAR(m.T[2], -3.0029194105147424492e-02, 1e-15);
    EXPECT_NEAR(m.T[5], 0.38294211275726193779, 1e-15);
    EXPECT_EQ(m.T[7], 1.0);
    EXPECT_EQ(m.T[8], 0.0);
}

TEST(RadauIIA, ErrorWeightsInClosedForm) {
    const auto m = make_radau_iia(3);
    const double r6 = std::sqrt(6.0);
    EXPECT_NEAR(m.error[0], -(13 + 7 * r6) / 3, 2e-14);
    EXPECT_NEAR(m.error[1], (-13 + 7 * r6) / 3, 2e-14);
    EXPECT_NEAR(m.error[2], -1.0 / 3, 2e-15);
}

class RadauFamily : public testing::TestWithParam<int> {};

TEST_P(RadauFamily, SatisfiesItsSimplifyingAssumptions) {
    const int s = GetParam();
    const auto m = make_radau_iia(s);
    for (int k = 1; k <= 2 * s - 1; ++k) { // B(2s-1)
        double sum = 0;
        for (int i = 0; i < s; ++i) sum += m.A[(s - 1) * s + i] * std::pow(m.c[i], k - 1);
        EXPECT_NEAR(sum, 1.0 / k, 4e-16) << "B(" << k << ")";
    }
    double next = 0;
    for (int i = 0; i < s; ++i) next += m.A[(s - 1) * s + i] * std::pow(m.c[i], 2 * s - 1);
    EXPECT_GT(std::abs(next - 1.0 / (2 * s)), 1e-12) << "the order is exactly 2s-1";
    for (int i = 0; i < s; ++i)
        for (int k = 1; k <= s; ++k) { // C(s)
            double sum = 0;
            for (int j = 0; j < s; ++j) sum += m.A[i * s + j] * std::pow(m.c[j], k - 1);
            EXPECT_NEAR(sum, std::pow(m.c[i], k) / k, 4e-16);
        }
}

TEST_P(RadauFamily, TransformationBlockDiagonalises) {
    const int s = GetParam();
    const auto m = make_radau_iia(s);
    for (int i = 0; i < s; ++i)
        for (int j = 0; j < s; ++j) {
            double value = 0;
            for (int k = 0; k < s; ++k)
                for (int l = 0; l < s; ++l) value += m.T_inverse[i * s + k] * m.A_inverse[k * s + l] * m.T[l * s + j];
            double expected = 0;
            if (i == 0 && j == 0) expected = m.gamma;
            if (i > 0 && j > 0 && (i - 1) / 2 == (j - 1) / 2) {
                const int pair = (i - 1) / 2;
                expected = i == j ? m.alpha[pair] : (i > j ? m.beta[pair] : -m.beta[pair]);
            }
            EXPECT_NEAR(value, expected, 1e-10) << i << ' ' << j;
        }
}

TEST_P(RadauFamily, CollocationWeightsInterpolate) {
    const int s = GetParam();
    const auto m = make_radau_iia(s);
    std::vector<double> w(s), d(s);
    for (int k = 1; k <= s; ++k) // Z_i = c_i^k is a polynomial of degree ≤ s vanishing at 0
        for (double theta : {0.0, 0.3, 1.0, 1.7}) {
            m.collocation_weights(theta, w, d);
            double value = 0, slope = 0;
            for (int i = 0; i < s; ++i) {
                value += w[i] * std::pow(m.c[i], k);
                slope += d[i] * std::pow(m.c[i], k);
            }
            EXPECT_NEAR(value, std::pow(theta, k), 1e-10);
            EXPECT_NEAR(slope, k * std::pow(theta, k - 1), 1e-9);
        }
}

INSTANTIATE_TEST_SUITE_P(Stages, RadauFamily, testing::Values(1, 3, 5, 7));

} // namespace
