// Stability constants against closed forms, and the effective index of MW Example 7.1's kind.
#include "analysis/conditioning.hpp"
#include "analysis/stability_constants.hpp"
#include "linalg/matrix_exponential.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace daedalus::analysis {
namespace {

// x' = -x + y, 0 = x + d y: E x' + H x with H = -[A B; C D].
std::vector<LinearisedPoint> scalar(double d, int points = 201) {
    std::vector<LinearisedPoint> along;
    for (int k = 0; k < points; ++k) along.push_back({4.0 * k / (points - 1), {{1, 0}, {0, 0}}, {{1, -1}, {1, d}}});
    return along;
}

TEST(Conditioning, Index1OfAScalarEquation) {
    // y = -x/d: x' = -(1 + 1/d) x, so that kappa1 = 1 and kappa2 = (1 - exp(-4 (1 + 1/d))) / (1 + 1/d).
    const Conditioning c = conditioning(scalar(1.0), 1);
    ASSERT_TRUE(c.kappa1 && c.kappa2) << c.reason;
    EXPECT_NEAR(*c.kappa1, 1.0, 1e-12);
    EXPECT_NEAR(*c.kappa2, (1 - std::exp(-8.0)) / 2, 1e-3);
    EXPECT_TRUE(c.advice.empty());
}

TEST(Conditioning, Index2IsRestrictedToTheConstraint) {
    // x1' = x2 + y, x2' = -x2, 0 = x1: P projects onto x1, what is left is x2' = -x2.
    std::vector<LinearisedPoint> along;
    for (int k = 0; k <= 200; ++k)
        along.push_back({0.02 * k, {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}, {{0, -1, -1}, {0, 1, 0}, {1, 0, 0}}});
    const Conditioning c = conditioning(along, 2);
    ASSERT_TRUE(c.kappa1 && c.kappa2) << c.reason;
    EXPECT_NEAR(*c.kappa1, 1.0, 1e-12);
    EXPECT_NEAR(*c.kappa2, 1 - std::exp(-4.0), 1e-3);
    ASSERT_TRUE(c.observed_power);
    EXPECT_NEAR(*c.observed_power, 2.0, 0.2);
}

TEST(Conditioning, DoesNotDependOnTheBasis) {
    // The same system with orthogonally mixed equations and unknowns: E is no longer [I 0; 0 0] by permutations.
    const double c = std::cos(0.7), s = std::sin(0.7);
    const linalg::Matrix u{{c, -s}, {s, c}}, v{{0.8, 0.6}, {-0.6, 0.8}};
    std::vector<LinearisedPoint> along = scalar(0.5);
    const Conditioning plain = conditioning(along, 1);
    for (LinearisedPoint& p : along) {
        p.e = u * p.e * v;
        p.h = u * p.h * v;
    }
    const Conditioning mixed = conditioning(along, 1);
    ASSERT_TRUE(mixed.kappa1 && mixed.kappa2) << mixed.reason;
    EXPECT_NEAR(*mixed.kappa1, *plain.kappa1, 1e-10);
    EXPECT_NEAR(*mixed.kappa2, *plain.kappa2, 1e-10);
}

TEST(Conditioning, FollowsATurningKernel) {
    // x' = -x, 0 = y in unknowns that turn with t: (x, y)ᵀ = R(t) z, E = [1 0; 0 0] R, H = [1 0; 0 0] R' + diag(1, 1)
    // R.
    std::vector<LinearisedPoint> along;
    for (int k = 0; k <= 400; ++k) {
        const double t = 0.01 * k, c = std::cos(2 * t), s = std::sin(2 * t);
        const linalg::Matrix R{{c, -s}, {s, c}}, dR{{-2 * s, -2 * c}, {2 * c, -2 * s}}, first{{1, 0}, {0, 0}};
        along.push_back({t, first * R, first * dR + R});
    }
    const Conditioning c = conditioning(along, 1);
    ASSERT_TRUE(c.kappa1 && c.kappa2) << c.reason;
    EXPECT_NEAR(*c.kappa1, 1.0, 1e-3);
    EXPECT_NEAR(*c.kappa2, 1 - std::exp(-4.0), 5e-3);
}

TEST(Conditioning, Index2WithUnknownsOfIndex1Besides) {
    // As above, and 0 = x2 + y2 with y2 in the equation of x2: x2' = -x2 + y2 = -2 x2.
    std::vector<LinearisedPoint> along;
    for (int k = 0; k <= 200; ++k)
        along.push_back({0.02 * k,
                         {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}},
                         {{0, -1, -1, 0}, {0, 1, 0, -1}, {1, 0, 0, 0}, {0, 1, 0, 1}}});
    const Conditioning c = conditioning(along, 2);
    ASSERT_TRUE(c.kappa1 && c.kappa2) << c.reason;
    EXPECT_NEAR(*c.kappa1, 1.0, 1e-12);
    EXPECT_NEAR(*c.kappa2, (1 - std::exp(-8.0)) / 2, 1e-3);
}

// MW Example 7.1: x' = -y, 0 = x - ε y, on [0, 1] with the points that `analyze` takes.
std::vector<LinearisedPoint> example_7_1(double epsilon) {
    std::vector<LinearisedPoint> along;
    for (int k = 0; k <= 40; ++k) along.push_back({k / 40.0, {{1, 0}, {0, 0}}, {{0, 1}, {1, -epsilon}}});
    return along;
}

TEST(StabilityConstants, Example71DecaysBetweenThePoints) {
    for (const double epsilon : {1e-1, 1e-2, 1e-3, 1e-6, 1e-9}) {
        const Conditioning c = conditioning(example_7_1(epsilon), 1);
        ASSERT_TRUE(c.kappa1 && c.kappa2) << c.reason;
        EXPECT_NEAR(*c.kappa1, 1.0, 1e-12);
        EXPECT_NEAR(*c.kappa2 / (epsilon * (1 - std::exp(-1 / epsilon))), 1.0, 1e-6) << epsilon;
    }
}

TEST(StabilityConstants, SmallCB) {
    // A = [0 0; 1 0], B = (1, 0)ᵀ, C = (ε, 1), CB = ε, CAB = 1: I − P = [0 -1/ε; 0 1], and on its range, spanned by
    // (1, -ε), z' = -z/ε. So κ₁ = ‖I − P‖ = √(1 + ε²)/ε and κ₂ = κ₁ ε (1 − exp(−1/ε)) (MW (3.21)).
    for (const double epsilon : {1e-2, 1e-4, 1e-6}) {
        std::vector<LinearisedPoint> along;
        for (int k = 0; k <= 40; ++k)
            along.push_back({k / 40.0, {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}, {{0, 0, -1}, {-1, 0, 0}, {epsilon, 1, 0}}});
        const Conditioning c = conditioning(along, 2);
        ASSERT_TRUE(c.kappa1 && c.kappa2) << c.reason;
        const double size = std::sqrt(1 + epsilon * epsilon) / epsilon;
        EXPECT_NEAR(*c.kappa1 / size, 1.0, 1e-8);
        EXPECT_NEAR(*c.kappa2 / (size * epsilon * (1 - std::exp(-1 / epsilon))), 1.0, 1e-5) << epsilon;
    }
}

TEST(StabilityConstants, GrowthBetweenThePointsIsSeen) {
    // x' = [-a b; 0 -2a] x with a = 1000, b = 1e5: ‖X‖ rises to about b/(4a) at t = ln 2/a, long before the next point.
    std::vector<LinearisedPoint> along;
    for (int k = 0; k <= 40; ++k) along.push_back({k / 40.0, {{1, 0}, {0, 1}}, {{1000, -1e5}, {0, 2000}}});
    const Conditioning c = conditioning(along, 1);
    ASSERT_TRUE(c.kappa1) << c.reason;
    EXPECT_NEAR(*c.kappa1, 25.0, 1.0);
}

// x' = A x + B y + p, 0 = C x + ε y + q with constant matrices and p, q = (p₀, q₀) sin ωt: largest ‖x‖, ‖y‖ on [0, 1]
// from the exact solution.
struct Response {
    double x = 0.0, y = 0.0, x0 = 0.0, y0 = 0.0;
};
double length(const linalg::Matrix& v) { return linalg::frobenius_norm(v); }
Response response(const SemiExplicit& s, double epsilon, const linalg::Matrix& p0, const linalg::Matrix& q0,
                  double omega, const linalg::Matrix& x0) {
    using linalg::Matrix;
    const int n = s.a.rows();
    const Matrix k = s.a - (1 / epsilon) * (s.b * s.c), g = p0 - (1 / epsilon) * (s.b * q0);
    // x = u sin ωt + v cos ωt: ω u = K v, -ω v = K u + g.
    const auto u = linalg::solve(k * k + omega * omega * Matrix::identity(n), -1.0 * (k * g));
    const Matrix v = (-1 / omega) * (k * u->x + g);
    Response r;
    const int points = 400;
    for (int i = 0; i <= 2 * points; ++i) { // half of them in the layer at the start
        const double t = i <= points ? 20 * epsilon * i / points : (i - points) / static_cast<double>(points);
        const Matrix x =
            std::sin(omega * t) * u->x + std::cos(omega * t) * v + linalg::matrix_exponential(t * k) * (x0 - v);
        const Matrix y = (-1 / epsilon) * (s.c * x + std::sin(omega * t) * q0);
        r.x = std::max(r.x, length(x));
        r.y = std::max(r.y, length(y));
        if (i == 0) r = {r.x, r.y, length(x), length(y)};
    }
    return r;
}

TEST(NearIndex2, Property51AndTheorem52OnRandomSystems) {
    using linalg::Matrix;
    std::minstd_rand random(7);
    std::uniform_real_distribution<double> one(-1.0, 1.0);
    const auto draw = [&](int rows, int cols) {
        Matrix m(rows, cols);
        for (double& e : m.entries()) e = one(random);
        return m;
    };
    for (int trial = 0; trial < 20; ++trial) {
        const int n = 1 + trial % 3;
        // BC = B (2 I + small) B⁻¹: its eigenvalues are positive, so that (5.6) holds.
        const Matrix b = 2.0 * Matrix::identity(n) + 0.4 * draw(n, n);
        const auto of_b = linalg::solve(b, Matrix::identity(n));
        const Matrix c = (2.0 * Matrix::identity(n) + 0.4 * draw(n, n)) * of_b->x, a = draw(n, n);
        double first_scaled = 0.0;
        for (const double epsilon : {1e-3, 1e-5, 1e-7}) {
            const SemiExplicit s{a, b, c, epsilon * Matrix::identity(n), {}};
            std::vector<LinearisedPoint> along;
            Matrix e(2 * n, 2 * n), h(2 * n, 2 * n);
            e.set_block(0, 0, Matrix::identity(n));
            h.set_block(0, 0, -1.0 * a);
            h.set_block(0, n, -1.0 * b);
            h.set_block(n, 0, c);
            h.set_block(n, n, s.d);
            for (int k = 0; k <= 40; ++k) along.push_back({k / 40.0, e, h});
            const Conditioning found = conditioning(along, 1);
            ASSERT_TRUE(found.near_index_2) << found.reason;
            const NearIndex2& bound = *found.near_index_2;
            EXPECT_NEAR(bound.epsilon / epsilon, 1.0, 1e-12);
            if (first_scaled == 0.0) first_scaled = bound.scaled_kappa2;
            EXPECT_NEAR(bound.scaled_kappa2 / first_scaled, 1.0, 0.01); // Property 5.1: the same for all small ε
            const Matrix p = draw(n, 1), q = draw(n, 1), q_only(n, 1);
            for (const double omega : {1.0, 30.0}) {
                const Response r = response(s, epsilon, p, q, omega, draw(n, 1));
                const double slack = 1 + 10 * epsilon * (1 + omega); // "to first order in ε"
                const double bx = bound.x.start * r.x0 + bound.x.p * length(p) + bound.x.q * length(q) +
                                  bound.x.dq * omega * length(q);
                const double by = bound.y.start * r.y0 + bound.y.p * length(p) + bound.y.q * length(q) +
                                  bound.y.dq * omega * length(q);
                EXPECT_LE(r.x, slack * bx) << trial << " " << epsilon << " " << omega;
                EXPECT_LE(r.y, slack * by) << trial << " " << epsilon << " " << omega;
                // Not for the bound's being huge: the naive one (2.7) has ‖D⁻¹‖ = 1/ε here.
                EXPECT_GT(r.y, 1e-3 * by) << trial << " " << epsilon << " " << omega;
            }
        }
    }
}

// MW Theorem 6.1: A = [a b; k d], B = (1, 0)ᵀ, C = (ε, 1): CB = ε, CAB = k + ε a. With p = 0 the constraint 0 = ε x1 +
// x2 + q gives x2, and with x2' = k x1 + d x2 it leaves ε x1' = −(k + ε d) x1 … a scalar equation for w = x1,
//     w' = −(k/ε − d) w + (d q − q')/ε,      y = w' − a w − b x2,
// which is solved exactly for q = sin ωt.
TEST(NearIndex2, Theorem61) {
    for (const double k : {0.7, 1.0, 3.0})
        for (const double epsilon : {1e-3, 1e-5}) {
            const double a = 0.4, b = -0.3, d = -0.5, omega = 4.0, w0 = 0.3;
            std::vector<LinearisedPoint> along;
            for (int i = 0; i <= 40; ++i)
                along.push_back(
                    {i / 40.0, {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}}, {{-a, -b, -1}, {-k, -d, 0}, {epsilon, 1, 0}}});
            const Conditioning c = conditioning(along, 2);
            ASSERT_TRUE(c.near_index_3) << c.reason;
            const NearIndex2& bound = *c.near_index_3;
            EXPECT_NEAR(bound.epsilon / epsilon, 1.0, 1e-9);
            EXPECT_NEAR(bound.scaled_kappa2 * (k + epsilon * a), 1.0, 1e-4); // Property 5.1 for the fast part
            // w = u sin ωt + v cos ωt + (w0 − v) e^(−rate t):  ω u = −rate v − ω/ε,  −ω v = −rate u + d/ε
            const double rate = k / epsilon - d;
            const double v = (-rate - d) * omega / epsilon / (omega * omega + rate * rate);
            const double u = (omega * v + d / epsilon) / rate;
            double largest_w = 0.0, largest_y = 0.0, y0 = 0.0;
            for (int i = 0; i <= 800; ++i) {
                const double t = i <= 400 ? 20 * epsilon * i / 400 : (i - 400) / 400.0;
                const double q = std::sin(omega * t), fast = (w0 - v) * std::exp(-rate * t);
                const double w = u * q + v * std::cos(omega * t) + fast;
                const double dw = omega * (u * std::cos(omega * t) - v * q) - rate * fast;
                EXPECT_NEAR(dw, -rate * w + (d * q - omega * std::cos(omega * t)) / epsilon, 1e-9 * rate);
                const double y = dw - a * w - b * (-epsilon * w - q);
                if (i == 0) y0 = std::abs(y);
                largest_w = std::max(largest_w, std::abs(w));
                largest_y = std::max(largest_y, std::abs(y));
            }
            // r = q' (p = 0), and the slow x2 = −q enters the fast equation as A's other column does: |d q| besides.
            const double r = omega + std::abs(d), dr = omega * r, slack = 1 + 20 * epsilon * omega;
            EXPECT_LE(largest_w, slack * (bound.x.start * w0 + bound.x.q * r + bound.x.dq * dr)) << k << epsilon;
            EXPECT_LE(largest_y, slack * (bound.y.start * y0 + bound.y.q * r + bound.y.dq * dr) + std::abs(b))
                << k << epsilon;
            EXPECT_GT(largest_y, 0.05 * bound.y.start * y0); // and not by being huge
        }
}

TEST(NearIndex2, IsNotClaimedWhereItsAssumptionsFail) {
    EXPECT_FALSE(conditioning(scalar(1.0), 1).near_index_2); // D is not small
    EXPECT_TRUE(conditioning(example_7_1(1e-6), 1).near_index_2);
    std::vector<LinearisedPoint> growing = example_7_1(-0.005); // no decay: (5.6) does not hold
    EXPECT_FALSE(conditioning(growing, 1).near_index_2);
}

// MW (9.5): A = [-1 -1; 0 0], B = (1, 0)ᵀ, C = (0, 1), D = ε.
SemiExplicit nearly_singular(double epsilon) {
    return {{{-1, -1}, {0, 0}}, {{1}, {0}}, {{0, 1}}, {{epsilon}}, {{0}, {0}, {1}}};
}

TEST(SingularPencil, DistanceAndDirection) {
    for (const double epsilon : {1e-2, 1e-5, 1e-8}) {
        const SingularDirection z = singular_direction(nearly_singular(epsilon));
        EXPECT_NEAR(z.distance / epsilon, 1.0, 1e-6);
        ASSERT_EQ(z.combination.size(), 3U);
        EXPECT_NEAR(std::abs(z.combination[2]), 1.0, 1e-12);
        EXPECT_EQ(effective_index_at_noise(nearly_singular(epsilon), 0.1 * epsilon), 1);
        EXPECT_EQ(effective_index_at_noise(nearly_singular(epsilon), 10 * epsilon), std::nullopt);
    }
    EXPECT_LT(singular_direction(nearly_singular(0)).distance, 1e-15);
    // MW (9.4): CB = 0, CAB = 1: index 3, and far from singular.
    const SemiExplicit three{{{0, 1}, {1, 0}}, {{1}, {0}}, {{0, 1}}, {{0}}, {{0}, {0}, {1}}};
    EXPECT_GT(singular_direction(three).distance, 0.5);
    EXPECT_EQ(effective_index_at_noise(three, 1e-12), 3);
}

TEST(Conditioning, NearlyIndex2) {
    const Conditioning c = conditioning(scalar(1e-6), 1);
    EXPECT_FALSE(c.advice.empty());
    const LinearisedPoint p = scalar(1e-6).front();
    EXPECT_EQ(effective_index(p, 1e-3), 2);  // steps above d feel index 2 …
    EXPECT_EQ(effective_index(p, 1e-10), 1); // … and far below it index 1
    const auto s = semi_explicit(p);
    ASSERT_TRUE(s);
    EXPECT_EQ(effective_index_at_noise(*s, 1e-3), 2);
    EXPECT_EQ(effective_index_at_noise(*s, 1e-9), 1);
}

} // namespace
} // namespace daedalus::analysis
