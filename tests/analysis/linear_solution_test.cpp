// Exact solutions of E x' + H x = c(t) up to high index, against closed forms and against the equation itself.
#include "analysis/known_pencils.hpp"
#include "analysis/linear_solution.hpp"
#include "linalg/matrix_exponential.hpp"

#include <gtest/gtest.h>

namespace daedalus::testing {
namespace {

using analysis::LinearSolution;
using analysis::weierstrass_form;

TEST(MatrixExponential, KnownValues) {
    const double angle = 1.1;
    const Matrix rotation = linalg::matrix_exponential({{0.0, -angle}, {angle, 0.0}});
    EXPECT_NEAR(rotation(0, 0), std::cos(angle), 1e-15);
    EXPECT_NEAR(rotation(1, 0), std::sin(angle), 1e-15);
    const Matrix nilpotent = linalg::matrix_exponential({{0.0, 3.0, 0.0}, {0.0, 0.0, 2.0}, {0.0, 0.0, 0.0}});
    EXPECT_NEAR(nilpotent(0, 2), 3.0, 1e-14);
    EXPECT_NEAR(linalg::matrix_exponential({{-50.0}})(0, 0) / std::exp(-50.0), 1.0, 1e-12);
}

/// c_i(t) = sin((i + 1) t / 2), with derivatives.
void sines(double t, int k, std::span<double> c) {
    for (std::size_t i = 0; i < c.size(); ++i) {
        const double w = 0.5 * (static_cast<double>(i) + 1.0);
        c[i] = std::pow(w, k) * std::sin(w * t + 0.5 * k * M_PI);
    }
}

TEST(LinearSolution, SatisfiesTheEquationForEveryIndex) {
    Random random(53);
    for (int index = 0; index <= 4; ++index) {
        const KnownPencil known = random_regular(index, 3, random);
        const auto form = weierstrass_form(known.e, known.h);
        ASSERT_TRUE(form);
        const int n = known.e.rows();
        LinearSolution solution(*form, known.e, sines, 0.0, std::vector<double>(static_cast<std::size_t>(n), 1.0));
        // x' by central differences of order 8: only the test differentiates numerically.
        const double t = 1.3, h = 2e-2;
        constexpr double weights[] = {4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
        std::vector<double> dx(static_cast<std::size_t>(n), 0.0), c(dx);
        for (int k = 1; k <= 4; ++k) {
            const auto plus = solution.at(t + k * h), minus = solution.at(t - k * h);
            for (std::size_t i = 0; i < dx.size(); ++i) dx[i] += weights[k - 1] * (plus[i] - minus[i]) / h;
        }
        sines(t, 0, c);
        const auto x = solution.at(t), ex = known.e * dx, hx = known.h * x;
        double size = 1.0;
        for (const double value : x) size = std::max(size, std::abs(value));
        for (std::size_t i = 0; i < c.size(); ++i) EXPECT_NEAR(ex[i] + hx[i], c[i], 1e-9 * size) << "index " << index;
        EXPECT_TRUE(solution.accurate());
    }
}

TEST(LinearSolution, DifferentiatorOfIndexThree) {
    // N x' + x = c with c = (e^t, sin t, t³): x₃ = t³, x₂ = sin t - 3 t², x₁ = e^t - cos t + 6 t. W Ex. 1.6 in kind.
    const Matrix e{{0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {0.0, 0.0, 0.0}}, h = Matrix::identity(3);
    const auto form = weierstrass_form(e, h);
    ASSERT_TRUE(form);
    const auto forcing = [](double t, int k, std::span<double> c) {
        c[0] = std::exp(t);
        c[1] = std::sin(t + 0.5 * k * M_PI);
        const double cubic[] = {t * t * t, 3 * t * t, 6 * t, 6.0};
        c[2] = k < 4 ? cubic[k] : 0.0;
    };
    LinearSolution solution(*form, e, forcing, 0.0, std::vector<double>{0.0, 0.0, 0.0});
    for (const double t : {0.0, 0.7, 2.0}) {
        const auto x = solution.at(t);
        EXPECT_NEAR(x[2], t * t * t, 1e-13);
        EXPECT_NEAR(x[1], std::sin(t) - 3 * t * t, 1e-12);
        EXPECT_NEAR(x[0], std::exp(t) - std::cos(t) + 6 * t, 1e-12);
    }
    EXPECT_LT(solution.inconsistency(), 1e-14); // (0, 0, 0) is the only consistent value at t = 0
}

TEST(LinearSolution, ExponentialPartAndConsistency) {
    // x' = -2 x + y, 0 = y - cos t: x(t) from variation of constants.
    const Matrix e{{1.0, 0.0}, {0.0, 0.0}}, h{{2.0, -1.0}, {0.0, 1.0}};
    const auto forcing = [](double t, int k, std::span<double> c) {
        c[0] = 0.0;
        c[1] = std::cos(t + 0.5 * k * M_PI);
    };
    const auto form = weierstrass_form(e, h);
    ASSERT_TRUE(form);
    LinearSolution consistent(*form, e, forcing, 0.0, std::vector<double>{3.0, 1.0});
    EXPECT_LT(consistent.inconsistency(), 1e-14);
    for (const double t : {-1.0, 0.5, 5.0}) {
        const auto x = consistent.at(t);
        EXPECT_NEAR(x[0], (3.0 - 0.4) * std::exp(-2 * t) + 0.4 * std::cos(t) + 0.2 * std::sin(t), 1e-11);
        EXPECT_NEAR(x[1], std::cos(t), 1e-14);
    }
    const LinearSolution inconsistent(*form, e, forcing, 0.0, std::vector<double>{3.0, 0.0});
    EXPECT_NEAR(inconsistent.inconsistency(), 1.0, 1e-12);
}

} // namespace
} // namespace daedalus::testing
