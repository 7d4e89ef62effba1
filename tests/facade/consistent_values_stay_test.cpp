// Start values that satisfy the equations and all that is hidden in them are never moved: linear systems of index 2 to
// 5 with constant coefficients, a Weierstrass form (HW (1.4)) mixed by random orthogonal matrices on both sides.
#include "daedalus/daedalus.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace daedalus {
namespace {

using Matrix = std::vector<std::vector<double>>;

/// Rows by Gram and Schmidt, twice.
Matrix orthogonal(std::size_t n, std::mt19937& random) {
    std::normal_distribution<double> number;
    Matrix q;
    while (q.size() < n) {
        std::vector<double> v(n);
        for (double& e : v) e = number(random);
        for (int pass = 0; pass < 2; ++pass)
            for (const std::vector<double>& w : q) {
                double dot = 0.0;
                for (std::size_t k = 0; k < n; ++k) dot += v[k] * w[k];
                for (std::size_t k = 0; k < n; ++k) v[k] -= dot * w[k];
            }
        double length = 0.0;
        for (const double e : v) length = std::hypot(length, e);
        for (double& e : v) e /= length;
        q.push_back(std::move(v));
    }
    return q;
}

Matrix product(const Matrix& a, const Matrix& b) {
    Matrix c(a.size(), std::vector<double>(b.front().size(), 0.0));
    for (std::size_t i = 0; i < c.size(); ++i)
        for (std::size_t k = 0; k < b.size(); ++k)
            for (std::size_t j = 0; j < c[i].size(); ++j) c[i][j] += a[i][k] * b[k][j];
    return c;
}

/// E u' + A u = f with u_j = a_j sin(w_j t + p_j) + b_j.
struct Mixed {
    std::string text;
    std::vector<double> a, w, p, b;
    [[nodiscard]] double exact(std::size_t j, double t) const { return a[j] * std::sin(w[j] * t + p[j]) + b[j]; }
    [[nodiscard]] double slope(std::size_t j) const { return a[j] * w[j] * std::cos(p[j]); }
};

Mixed mixed(std::size_t index, std::size_t states, unsigned seed) {
    std::mt19937 random(seed);
    const auto between = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    const std::size_t n = states + index;
    Matrix E(n, std::vector<double>(n, 0.0)), A = E;
    for (std::size_t i = 0; i < states; ++i) {
        E[i][i] = 1.0;
        A[i][i] = between(0.2, 2.0);
    }
    for (std::size_t k = 0; k < index; ++k) {
        A[states + k][states + k] = k == 0 ? 1.0 : -1.0;
        if (k > 0) E[states + k][states + k - 1] = 1.0;
    }
    const Matrix P = orthogonal(n, random), Q = orthogonal(n, random);
    E = product(product(P, E), Q);
    A = product(product(P, A), Q);
    Mixed m;
    m.text = "model Mixed\n";
    for (std::size_t j = 0; j < n; ++j) {
        m.a.push_back(between(0.5, 2.0));
        m.w.push_back(between(0.5, 2.0));
        m.p.push_back(between(0.0, 6.0));
        m.b.push_back(between(-1.0, 1.0));
        m.text += fmt::format("  Real u{}(start = {});\n", j, m.exact(j, 0.0));
    }
    m.text += "equation\n";
    for (std::size_t i = 0; i < n; ++i) {
        std::string left, right;
        for (std::size_t j = 0; j < n; ++j) {
            left += fmt::format("{}({})*der(u{}) + ({})*u{}", j == 0 ? "" : " + ", E[i][j], j, A[i][j], j);
            right += fmt::format("{}({})*cos({}*time + {}) + ({})*(({})*sin({}*time + {}) + ({}))", j == 0 ? "" : " + ",
                                 E[i][j] * m.a[j] * m.w[j], m.w[j], m.p[j], A[i][j], m.a[j], m.w[j], m.p[j], m.b[j]);
        }
        m.text += "  " + left + " = " + right + ";\n";
    }
    m.text += "end Mixed;\n";
    return m;
}

TEST(ConsistentValuesStay, InDenseBases) {
    for (unsigned seed = 1; seed <= 24; ++seed) {
        const std::size_t index = 2 + seed % 4, states = seed / 4 % 4, n = index + states;
        SCOPED_TRACE(fmt::format("index {}, {} states, seed {}", index, states, seed));
        const Mixed m = mixed(index, states, seed);
        const auto model = Model::from_string(m.text);
        ASSERT_TRUE(model.has_value());
        const auto start = initialize(*model);
        ASSERT_TRUE(start.has_value()) << start.error().front().message;
        for (std::size_t j = 0; j < n; ++j) {
            const auto value = (*start)[fmt::format("u{}", j)];
            ASSERT_TRUE(value.has_value());
            EXPECT_NEAR(*value, m.exact(j, 0.0), 1e-9);
        }
        const auto s = solve(*model, {.until = 2, .rtol = 1e-6, .points = 20});
        ASSERT_TRUE(s.has_value()) << s.error().front().message;
        ASSERT_TRUE(s->success()) << s->message();
        for (std::size_t j = 0; j < n; ++j) {
            const auto u = (*s)[fmt::format("u{}", j)];
            EXPECT_NEAR(u[0], m.exact(j, 0.0), 1e-9);
            for (std::size_t k = 0; k < s->time().size(); ++k)
                EXPECT_NEAR(u[k], m.exact(j, s->time()[k]), 1e-4) << s->time()[k];
        }
    }
}

// What the hidden constraint determines is not free: z = 1, whatever its guess is, as `solve` has it.
TEST(ConsistentValuesStay, HiddenConstraintDeterminesTheStart) {
    const char* const text = R"(model Product
  Real x(start = 0), z(start = 1.3);
equation
  der(x) + z = cos(time) + exp(-time);
  z*(der(x) + z - (cos(time) + exp(-time))) + x = sin(time);
end Product;
)";
    const auto model = Model::from_string(text);
    ASSERT_TRUE(model.has_value());
    const auto start = initialize(*model);
    ASSERT_TRUE(start.has_value()) << start.error().front().message;
    EXPECT_NEAR(*(*start)["z"], 1.0, 1e-8);
    EXPECT_NEAR(*(*start)["x"], 0.0, 1e-8);
    EXPECT_EQ(start->degrees_of_freedom, 0);
    const auto s = solve(*model, {.until = 1});
    ASSERT_TRUE(s.has_value()) << s.error().front().message;
    EXPECT_NEAR((*s)["z"][0], 1.0, 1e-8);
}

// u4 is of size 1e11 without a nominal value. Its second derivative, of size 1e12, was taken for one of size 1, and u3
// and u6 were moved by hundreds. u1 = 1e6 (2.74 − 0.94 t − 1.77 t²), u4 = 1e12 (0.8 − 0.7 exp(−1.88 t)), …
TEST(ConsistentValuesStay, StartValuesTellTheSizeOfDerivatives) {
    const char* const text = R"(model Scales
  Real u1(start = 2.74e6), u2(start = -1.68e-11, nominal = 1e-11), u3(start = 0.28586521344611238);
  Real u4(start = 1e11), u5(start = 1.7910994377547402e-08, nominal = 1e-08), u6(start = -47.579625063369733);
  Real u7(start = 9.6e10);
  Real a1 = 2.74 - 0.94*time - 1.77*time^2, a2 = -1.59*exp(-2.39*time) - 0.09, a3 = 0.96 - 0.71*sin(2.36*time + 1.89);
  Real a4 = 0.8 - 0.7*exp(-1.88*time), a5 = 0.99*sin(0.9*time + 1.12) + 0.9, a6 = -0.61*sin(2.63*time + 2.78) - 0.26;
  Real a7 = 0.96 - 0.14*time - 0.98*time^2;
equation
  1e11*(1e-6*(der(u1) + u1) - 0.04e11*u2 - 0.032*(1e-12*u4)^2
    - (-3.54*time - 0.94 + a1 - 0.04*a2 - 0.032*a4^2)) = 0;
  10*(1e11*(der(u2) + 1.76*u2) + 0.23*u3 + 0.15e-12*u4
    - (3.8001*exp(-2.39*time) + 1.76*a2 + 0.23*a3 + 0.15*a4)) = 0;
  100*(der(u3) + 1.6*u3 + 0.11*sin(1e-6*u1) + 0.046*(1e-12*u4)^2
    - (-1.6756*cos(2.36*time + 1.89) + 1.6*a3 + 0.11*sin(a1) + 0.046*a4^2)) = 0;
  0.001*(-0.6e-12*u4 + 0.25e-6*u1 - (-0.6*a4 + 0.25*a1)) = 0;
  1e6*(1e-12*der(u4) + 1.09e8*u5 - 0.24*sin(1e-12*u4) - (1.316*exp(-1.88*time) + 1.09*a5 - 0.24*sin(a4))) = 0;
  1e5*(1e8*der(u5) + 0.0113*u6 - 0.36e8*u5 - (0.891*cos(0.9*time + 1.12) + 1.13*a6 - 0.36*a5)) = 0;
  1000*(0.01*der(u6) + 1.1e-11*u7 - 0.31*sin(1e-12*u4)
    - (-1.6043*cos(2.63*time + 2.78) + 1.1*a7 - 0.31*sin(a4))) = 0;
end Scales;
)";
    const auto model = Model::from_string(text);
    ASSERT_TRUE(model.has_value());
    const auto start = initialize(*model);
    ASSERT_TRUE(start.has_value()) << start.error().front().message;
    EXPECT_NEAR(*(*start)["u3"], 0.28586521344611238, 1e-12);
    EXPECT_NEAR(*(*start)["u6"], -47.579625063369733, 1e-9);
    EXPECT_NEAR(*(*start)["u5"], 1.7910994377547402e-08, 1e-20);
}

} // namespace
} // namespace daedalus
