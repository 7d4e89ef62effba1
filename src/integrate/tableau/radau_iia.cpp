#include "integrate/tableau/radau_iia.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <complex>
#include <mutex>

namespace daedalus::tableau {

namespace {

// 113-bit arithmetic: the Vandermonde-like systems below lose up to ten digits at s = 9.
__extension__ typedef __float128 Quad; // NOLINT(modernize-use-using): that takes no __extension__
constexpr Quad quad_eps = 2e-34L;

Quad magnitude(Quad a) { return a < 0 ? -a : a; }

template <class Real>
struct ComplexOf {
    Real re = 0, im = 0;
    friend ComplexOf operator+(ComplexOf a, ComplexOf b) { return {a.re + b.re, a.im + b.im}; }
    friend ComplexOf operator-(ComplexOf a, ComplexOf b) { return {a.re - b.re, a.im - b.im}; }
    friend ComplexOf operator*(ComplexOf a, ComplexOf b) {
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
    friend ComplexOf operator/(ComplexOf a, ComplexOf b) {
        const Real d = b.re * b.re + b.im * b.im;
        return {(a.re * b.re + a.im * b.im) / d, (a.im * b.re - a.re * b.im) / d};
    }
};
using QuadComplex = ComplexOf<Quad>;
using DoubleComplex = ComplexOf<double>;
double magnitude(DoubleComplex a) { return std::abs(a.re) + std::abs(a.im); }
Quad magnitude(QuadComplex a) { return magnitude(a.re) + magnitude(a.im); }

/// Coefficients by rising power.
template <class T>
using Polynomial = std::vector<T>;

template <class T, class Real = Quad>
T evaluate(const Polynomial<Quad>& p, T x) {
    T value{};
    for (std::size_t k = p.size(); k-- > 0;) value = value * x + T{static_cast<Real>(p[k])};
    return value;
}

Polynomial<Quad> derivative(const Polynomial<Quad>& p) {
    Polynomial<Quad> d;
    for (std::size_t k = 1; k < p.size(); ++k) d.push_back(static_cast<Quad>(k) * p[k]);
    return d;
}

Polynomial<Quad> times_linear(const Polynomial<Quad>& p, Quad root) {
    Polynomial<Quad> q(p.size() + 1, 0);
    for (std::size_t k = 0; k < p.size(); ++k) {
        q[k + 1] += p[k];
        q[k] -= root * p[k];
    }
    return q;
}

/// In place: rhs := M^{-1} rhs (partial pivoting), rhs with `columns` columns, row-major.
template <class T>
void solve_dense(std::vector<T> M, int n, std::vector<T>& rhs, int columns) {
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k + 1; i < n; ++i)
            if (magnitude(M[i * n + k]) > magnitude(M[pivot * n + k])) pivot = i;
        for (int j = 0; j < n; ++j) std::swap(M[k * n + j], M[pivot * n + j]);
        for (int j = 0; j < columns; ++j) std::swap(rhs[k * columns + j], rhs[pivot * columns + j]);
        const T reciprocal = T{1} / M[k * n + k];
        for (int i = k + 1; i < n; ++i) {
            const T factor = M[i * n + k] * reciprocal;
            for (int j = k + 1; j < n; ++j) M[i * n + j] = M[i * n + j] - factor * M[k * n + j];
            for (int j = 0; j < columns; ++j)
                rhs[i * columns + j] = rhs[i * columns + j] - factor * rhs[k * columns + j];
        }
        M[k * n + k] = reciprocal;
    }
    for (int i = n - 1; i >= 0; --i)
        for (int j = 0; j < columns; ++j) {
            T value = rhs[i * columns + j];
            for (int k = i + 1; k < n; ++k) value = value - M[i * n + k] * rhs[k * columns + j];
            rhs[i * columns + j] = value * M[i * n + i];
        }
}

template <class T>
std::vector<T> inverse(const std::vector<T>& M, int n) {
    std::vector<T> result(static_cast<std::size_t>(n) * n, T{});
    for (int i = 0; i < n; ++i) result[i * n + i] = T{1};
    solve_dense(M, n, result, n);
    return result;
}

/// Cubic convergence ends in the rounding of the polynomial's values, which no further iteration makes smaller.
bool stagnates(Quad step, Quad previous) { return step < 1e-24L && step > previous / 2; }

/// Zeros of the Radau polynomial, ascending; the last is 1. All are real, simple and in (0, 1].
std::vector<Quad> nodes(int s) {
    Polynomial<Quad> p{1};
    for (int k = 0; k < s - 1; ++k) p = times_linear(p, 0);
    for (int k = 0; k < s; ++k) p = times_linear(p, 1);
    for (int k = 0; k < s - 1; ++k) p = derivative(p);
    const Polynomial<Quad> dp = derivative(p);
    std::vector<Quad> c(static_cast<std::size_t>(s));
    // Newton from Chebyshev-like guesses with deflation of the zeros already found (Aberth's correction).
    for (int i = 0; i < s; ++i) {
        Quad x = 0.5L * (1.0L - std::cos(3.14159265358979323846L * (i + 0.8L) / (s + 0.3L)));
        Quad previous = 1;
        for (int iteration = 0; iteration < 200; ++iteration) {
            const Quad ratio = evaluate(p, x) / evaluate(dp, x);
            Quad repulsion = 0;
            for (int j = 0; j < i; ++j) repulsion += 1 / (x - c[j]);
            const Quad step = ratio / (1 - ratio * repulsion);
            x -= step;
            if (magnitude(step) < 8 * quad_eps || stagnates(magnitude(step), previous)) break;
            previous = magnitude(step);
        }
        c[i] = x;
    }
    std::sort(c.begin(), c.end());
    c.back() = 1;
    return c;
}

std::vector<Quad> collocation_matrix(const std::vector<Quad>& c) {
    const int s = static_cast<int>(c.size());
    std::vector<Quad> A(static_cast<std::size_t>(s) * s);
    for (int j = 0; j < s; ++j) {
        Polynomial<Quad> lagrange{1};
        Quad denominator = 1;
        for (int m = 0; m < s; ++m) {
            if (m == j) continue;
            lagrange = times_linear(lagrange, c[m]);
            denominator *= c[j] - c[m];
        }
        Polynomial<Quad> integral(lagrange.size() + 1, 0);
        for (std::size_t k = 0; k < lagrange.size(); ++k)
            integral[k + 1] = lagrange[k] / (static_cast<Quad>(k + 1) * denominator);
        for (int i = 0; i < s; ++i) A[i * s + j] = evaluate(integral, c[i]);
    }
    return A;
}

/// All zeros at once (Aberth 1973), from guesses, until they do not get better.
template <class Complex, class Size>
void improve_zeros(const Polynomial<Quad>& p, std::vector<Complex>& z, Size negligible) {
    using Real = decltype(Complex{}.re);
    const Polynomial<Quad> dp = derivative(p);
    const std::size_t s = z.size();
    Size previous = 1;
    for (int iteration = 0; iteration < 500; ++iteration) {
        Size largest = 0;
        for (std::size_t i = 0; i < s; ++i) {
            const Complex ratio = evaluate<Complex, Real>(p, z[i]) / evaluate<Complex, Real>(dp, z[i]);
            Complex repulsion{};
            for (std::size_t j = 0; j < s; ++j)
                if (j != i) repulsion = repulsion + Complex{1} / (z[i] - z[j]);
            const Complex step = ratio / (Complex{1} - ratio * repulsion);
            z[i] = z[i] - step;
            largest = std::max(largest, static_cast<Size>(magnitude(step)));
        }
        if (largest < negligible || (largest < 1e10 * negligible && largest > previous / 2)) break;
        previous = largest;
    }
}

/// Eigenvalues of A^{-1} are the poles of the stability function, the (s-1, s) Padé approximant of exp (HW (3.30)):
/// zeros of Σ_j  s!/(s-j)! (2s-1-j)!/(2s-1)! (-z)^j / j!.
std::vector<QuadComplex> eigenvalues(int s) {
    Polynomial<Quad> q{1};
    for (int j = 1; j <= s; ++j)
        q.push_back(-q.back() * static_cast<Quad>(s - j + 1) / (static_cast<Quad>(2 * s - j) * static_cast<Quad>(j)));
    std::vector<DoubleComplex> near(static_cast<std::size_t>(s)); // quadruple precision is for the last digits only
    for (int i = 0; i < s; ++i) {
        const double angle = 3.14159265358979323846 * (2.0 * (i + 0.31) / s - 1.0);
        near[i] = {1.3 * s * std::cos(angle), 1.1 * s * std::sin(angle)};
    }
    improve_zeros(q, near, 1e-12);
    std::vector<QuadComplex> z;
    z.reserve(near.size());
    for (const DoubleComplex& zero : near) z.push_back({zero.re, zero.im});
    improve_zeros(q, z, 64 * quad_eps * s);
    // Real one first, then the pairs by rising imaginary part.
    std::sort(z.begin(), z.end(), [](QuadComplex a, QuadComplex b) { return magnitude(a.im) < magnitude(b.im); });
    return z;
}

/// Eigenvector of A^{-1} with last component 1.
std::vector<QuadComplex> eigenvector(const std::vector<Quad>& A_inverse, int s, QuadComplex lambda) {
    const int m = s - 1;
    std::vector<QuadComplex> M(static_cast<std::size_t>(m) * m), v(static_cast<std::size_t>(m));
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < m; ++j) M[i * m + j] = QuadComplex{A_inverse[i * s + j]};
        M[i * m + i] = M[i * m + i] - lambda;
        v[i] = QuadComplex{-A_inverse[i * s + m]};
    }
    solve_dense(M, m, v, 1);
    v.push_back({1});
    return v;
}

std::vector<double> rounded(const std::vector<Quad>& values) {
    std::vector<double> result;
    result.reserve(values.size());
    for (const Quad v : values) result.push_back(static_cast<double>(v));
    return result;
}

} // namespace

namespace {

RadauIIA compute(int s) {
    const std::vector<Quad> c = nodes(s);
    const std::vector<Quad> A = collocation_matrix(c);
    const std::vector<Quad> A_inverse = inverse(A, s);
    const std::vector<QuadComplex> lambda = eigenvalues(s);

    RadauIIA method;
    method.stages = s;
    method.c = rounded(c);
    method.A = rounded(A);
    method.A_inverse = rounded(A_inverse);
    const Quad gamma = lambda[0].re;
    method.gamma = static_cast<double>(gamma);
    std::vector<Quad> T(static_cast<std::size_t>(s) * s);
    const auto real_vector = eigenvector(A_inverse, s, {gamma});
    for (int i = 0; i < s; ++i) T[i * s] = real_vector[i].re;
    for (int k = 1; k < s; k += 2) {
        // λ = α - iβ makes the real 2×2 block [α -β; β α] on (Re v, Im v).
        const Quad alpha = lambda[k].re;
        const Quad beta = magnitude(lambda[k].im);
        method.alpha.push_back(static_cast<double>(alpha));
        method.beta.push_back(static_cast<double>(beta));
        const auto v = eigenvector(A_inverse, s, {alpha, -beta});
        for (int i = 0; i < s; ++i) {
            T[i * s + k] = v[i].re;
            T[i * s + k + 1] = v[i].im;
        }
    }
    // The complex eigenvectors' imaginary parts vanish in the last row; T stays regular because Im v ≠ 0 elsewhere.
    method.T = rounded(T);
    method.T_inverse = rounded(inverse(T, s));

    // b̂ from Σ b̂_i c_i^{k-1} = 1/k - γ_0 δ_{k1}, k = 1 … s; then e = (b̂ - b) A^{-1}.
    std::vector<Quad> vandermonde(static_cast<std::size_t>(s) * s), b_hat(static_cast<std::size_t>(s));
    for (int k = 0; k < s; ++k) {
        for (int i = 0; i < s; ++i) vandermonde[k * s + i] = k == 0 ? 1 : vandermonde[(k - 1) * s + i] * c[i];
        b_hat[k] = Quad(1) / static_cast<Quad>(k + 1) - (k == 0 ? 1 / gamma : Quad(0));
    }
    solve_dense(vandermonde, s, b_hat, 1);
    for (int j = 0; j < s; ++j) {
        Quad e = 0;
        for (int i = 0; i < s; ++i) e += (b_hat[i] - A[(s - 1) * s + i]) * A_inverse[i * s + j];
        method.error.push_back(static_cast<double>(e * gamma));
    }
    for (int i = 0; i < s; ++i) {
        Quad product = c[i];
        for (int j = 0; j < s; ++j)
            if (j != i) product *= c[i] - c[j];
        method.lagrange.push_back(static_cast<double>(1 / product));
    }
    constexpr int samples = 400; // of a polynomial with at most nine humps: one percent is missed at most
    for (int k = 1; k < samples; ++k) {
        double product = static_cast<double>(k) / samples;
        for (const double node : method.c) product *= static_cast<double>(k) / samples - node;
        method.between = std::max(method.between, std::abs(product));
    }
    return method;
}

} // namespace

const RadauIIA& make_radau_iia(int stages) {
    assert(stages >= 1 && stages <= 9 && stages % 2 == 1);
    static std::array<std::once_flag, 10> once;
    static std::array<RadauIIA, 10> known;
    const auto s = static_cast<std::size_t>(stages);
    std::call_once(once[s], [&] { known[s] = compute(stages); });
    return known[s];
}

void RadauIIA::collocation_weights(double theta, std::span<double> weight, std::span<double> slope) const {
    for (int i = 0; i < stages; ++i) {
        // ℓ_i vanishes at 0 and at the other nodes; the derivative is accumulated by the product rule.
        double value = theta / c[i];
        double change = 1.0 / c[i];
        for (int j = 0; j < stages; ++j) {
            if (j == i) continue;
            const double d = 1.0 / (c[i] - c[j]);
            change = (change * (theta - c[j]) + value) * d;
            value *= (theta - c[j]) * d;
        }
        weight[i] = value;
        slope[i] = change;
    }
}

void RadauIIA::collocation_weights(double theta, std::span<double> weight) const {
    for (int i = 0; i < stages; ++i) {
        double value = theta * lagrange[i];
        for (int j = 0; j < stages; ++j)
            if (j != i) value *= theta - c[j];
        weight[i] = value;
    }
}

} // namespace daedalus::tableau
