#include "integrate/tableau/multistep_coefficients.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <complex>

namespace daedalus::tableau {

namespace {

using Real = long double;

Real power(Real x, int n) {
    Real p = 1;
    for (int k = 0; k < n; ++k) p *= x;
    return p;
}

/// Small systems of order conditions: elimination with partial pivoting.
std::vector<Real> solve(std::vector<std::vector<Real>> M, std::vector<Real> b) {
    const std::size_t n = b.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::abs(M[i][k]) > std::abs(M[pivot][k])) pivot = i;
        std::swap(M[k], M[pivot]);
        std::swap(b[k], b[pivot]);
        for (std::size_t i = 0; i < n; ++i) {
            if (i == k) continue;
            const Real factor = M[i][k] / M[k][k];
            for (std::size_t j = k; j < n; ++j) M[i][j] -= factor * M[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (std::size_t k = 0; k < n; ++k) b[k] /= M[k][k];
    return b;
}

/// β on the points -i, i in `points`, with ∫_{-1}^0 s^q ds = Σ β_i (-i)^q - known(q).
std::vector<Real> quadrature_of_last_step(const std::vector<int>& points, Real known_beta0) {
    const int m = static_cast<int>(points.size());
    std::vector<std::vector<Real>> M;
    std::vector<Real> b;
    for (int q = 0; q < m; ++q) {
        M.emplace_back();
        for (const int i : points) M.back().push_back(power(-static_cast<Real>(i), q));
        b.push_back(-power(-1.0L, q + 1) / static_cast<Real>(q + 1) - (q == 0 ? known_beta0 : 0.0L));
    }
    return solve(M, b);
}

} // namespace

void bdf_alpha(std::span<const Real> t, std::span<Real> alpha) {
    const std::size_t k = t.size();
    alpha[0] = 0;
    // ℓ_i'(t_0): for i > 0 only the factor (t - t_0) is differentiated.
    for (std::size_t i = 1; i < k; ++i) {
        Real slope = 1 / (t[i] - t[0]);
        for (std::size_t j = 1; j < k; ++j)
            if (j != i) slope *= (t[0] - t[j]) / (t[i] - t[j]);
        alpha[i] = slope;
        alpha[0] -= slope;
    }
}

std::vector<Real> bdf_alpha(std::span<const Real> t) {
    std::vector<Real> alpha(t.size());
    bdf_alpha(t, alpha);
    return alpha;
}

int multistep_order(const MultistepMethod& method) {
    for (int q = 0;; ++q) {
        Real defect = 0;
        Real size = 0;
        for (int i = 0; i <= method.steps(); ++i) {
            const Real s = -static_cast<Real>(i);
            const Real left = method.alpha[static_cast<std::size_t>(i)] * power(s, q);
            const Real right =
                q == 0 ? 0.0L : static_cast<Real>(q) * method.beta[static_cast<std::size_t>(i)] * power(s, q - 1);
            defect += left - right;
            size += std::abs(left) + std::abs(right);
        }
        if (std::abs(defect) > 1e-12L * size) return q - 1;
    }
}

Real spectral_radius_at_infinity(const MultistepMethod& method) {
    // Zeros of Σ β_i ζ^{k-i} by Weierstrass' simultaneous iteration; trailing zeros of β are zeros at the origin.
    std::vector<Real> beta = method.beta;
    while (!beta.empty() && beta.back() == 0) beta.pop_back();
    const std::size_t k = beta.empty() ? 0 : beta.size() - 1;
    if (k == 0) return 0;
    if (beta[0] == 0) return INFINITY;
    std::vector<std::complex<Real>> zero(k);
    for (std::size_t i = 0; i < k; ++i) zero[i] = std::polar(1.1L, 0.4L + 6.2831853L * static_cast<Real>(i) / k);
    for (int iteration = 0; iteration < 500; ++iteration) {
        for (std::size_t i = 0; i < k; ++i) {
            std::complex<Real> p = beta[0];
            for (std::size_t j = 1; j <= k; ++j) p = p * zero[i] + beta[j];
            p /= beta[0];
            for (std::size_t j = 0; j < k; ++j)
                if (j != i) p /= zero[i] - zero[j];
            zero[i] -= p;
        }
    }
    Real radius = 0;
    for (const auto& z : zero) radius = std::max(radius, std::abs(z));
    return radius;
}

MultistepMethod make_bdf(int k) {
    assert(k >= 1 && k <= 6);
    MultistepMethod m{"bdf" + std::to_string(k), "BDF " + std::to_string(k), k, true, false, {}, {}};
    std::vector<Real> t;
    for (int i = 0; i <= k; ++i) t.push_back(-static_cast<Real>(i));
    m.alpha = bdf_alpha(t);
    m.beta.assign(static_cast<std::size_t>(k) + 1, 0);
    m.beta[0] = 1;
    return m;
}

MultistepMethod make_adams(int k, bool implicit) {
    MultistepMethod m;
    m.id = (implicit ? "am" : "ab") + std::to_string(k);
    m.title = (implicit ? "Adams–Moulton, " : "Adams–Bashforth, ") + std::to_string(k) + (k == 1 ? " step" : " steps");
    m.order = implicit ? k + 1 : k;
    m.alpha.assign(static_cast<std::size_t>(k) + 1, 0);
    m.alpha[0] = 1;
    m.alpha[1] = -1;
    std::vector<int> points;
    for (int i = implicit ? 0 : 1; i <= k; ++i) points.push_back(i);
    m.beta = quadrature_of_last_step(points, 0);
    if (!implicit) m.beta.insert(m.beta.begin(), 0);
    return m;
}

MultistepMethod make_damped_adams(int k, Real beta0) {
    MultistepMethod m;
    m.id = "da" + std::to_string(k);
    m.title = "damped Adams, " + std::to_string(k) + " steps";
    m.order = k;
    m.alpha.assign(static_cast<std::size_t>(k) + 1, 0);
    m.alpha[0] = 1;
    m.alpha[1] = -1;
    std::vector<int> points;
    for (int i = 1; i <= k; ++i) points.push_back(i);
    m.beta = quadrature_of_last_step(points, beta0);
    m.beta.insert(m.beta.begin(), beta0);
    return m;
}

} // namespace daedalus::tableau
