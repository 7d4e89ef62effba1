#include "integrate/tableau/stage_form.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <complex>

namespace daedalus::tableau {

namespace {

using Real = long double;
using Complex = std::complex<Real>;

/// Square, row-major.
template <class Scalar>
struct Square {
    int n;
    std::vector<Scalar> entries;
    explicit Square(int size) : n(size), entries(static_cast<std::size_t>(size) * static_cast<std::size_t>(size)) {}
    Scalar& operator()(int i, int j) { return entries[static_cast<std::size_t>(i * n + j)]; }
    const Scalar& operator()(int i, int j) const { return entries[static_cast<std::size_t>(i * n + j)]; }
};

/// M^{-1} r by elimination with partial pivoting; a pivot that vanishes becomes `tiny`, as inverse iteration wants it.
template <class Scalar>
std::vector<Scalar> solve(Square<Scalar> M, std::vector<Scalar> r, Real tiny = 0) {
    const int n = M.n;
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k + 1; i < n; ++i)
            if (std::abs(M(i, k)) > std::abs(M(pivot, k))) pivot = i;
        for (int j = 0; j < n; ++j) std::swap(M(k, j), M(pivot, j));
        std::swap(r[static_cast<std::size_t>(k)], r[static_cast<std::size_t>(pivot)]);
        if (std::abs(M(k, k)) <= tiny) M(k, k) = tiny;
        for (int i = 0; i < n; ++i) {
            if (i == k) continue;
            const Scalar factor = M(i, k) / M(k, k);
            for (int j = k; j < n; ++j) M(i, j) -= factor * M(k, j);
            r[static_cast<std::size_t>(i)] -= factor * r[static_cast<std::size_t>(k)];
        }
    }
    for (int k = 0; k < n; ++k) r[static_cast<std::size_t>(k)] /= M(k, k);
    return r;
}

Square<Real> inverse(const Square<Real>& M) {
    Square<Real> result(M.n);
    for (int j = 0; j < M.n; ++j) {
        std::vector<Real> unit(static_cast<std::size_t>(M.n));
        unit[static_cast<std::size_t>(j)] = 1;
        const std::vector<Real> column = solve(M, unit);
        for (int i = 0; i < M.n; ++i) result(i, j) = column[static_cast<std::size_t>(i)];
    }
    return result;
}

/// The characteristic polynomial by Faddeev & LeVerrier, highest power first, and its zeros by Weierstrass' iteration.
std::vector<Complex> eigenvalues(const Square<Real>& W) {
    const int n = W.n;
    std::vector<Real> p{1};
    Square<Real> M(n);
    for (int k = 1; k <= n; ++k) {
        Square<Real> next(n);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                for (int l = 0; l < n; ++l) next(i, j) += W(i, l) * M(l, j);
                if (i == j) next(i, j) += p.back();
            }
        M = next;
        Real trace = 0;
        for (int i = 0; i < n; ++i)
            for (int l = 0; l < n; ++l) trace += W(i, l) * M(l, i);
        p.push_back(-trace / static_cast<Real>(k));
    }
    const Real radius = std::pow(std::abs(p.back()), 1.0L / static_cast<Real>(n));
    std::vector<Complex> zero(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < zero.size(); ++i)
        zero[i] = std::polar(radius, 0.4L + 6.2831853L * static_cast<Real>(i) / static_cast<Real>(n));
    constexpr int enough = 200; // quadratic convergence once the zeros are told apart
    for (int iteration = 0; iteration < enough; ++iteration)
        for (std::size_t i = 0; i < zero.size(); ++i) {
            Complex value = 0;
            for (const Real coefficient : p) value = value * zero[i] + coefficient;
            for (std::size_t j = 0; j < zero.size(); ++j)
                if (j != i) value /= zero[i] - zero[j];
            zero[i] -= value;
        }
    return zero;
}

/// By inverse iteration, which also makes the last digits of the eigenvalue right.
std::vector<Complex> eigenvector(const Square<Real>& W, Complex& lambda) {
    const int n = W.n;
    std::vector<Complex> v(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = Complex(1, 0.1L * static_cast<Real>(i + 1));
    constexpr Real tiny = 1e-24L;
    for (int iteration = 0; iteration < 3; ++iteration) {
        Square<Complex> shifted(n);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) shifted(i, j) = W(i, j) - (i == j ? lambda : Complex(0));
        v = solve(shifted, v, tiny);
        const Complex largest =
            *std::max_element(v.begin(), v.end(), [](Complex a, Complex b) { return std::abs(a) < std::abs(b); });
        for (Complex& entry : v) entry /= largest;
        Complex numerator = 0, denominator = 0;
        for (int i = 0; i < n; ++i) {
            Complex product = 0;
            for (int j = 0; j < n; ++j) product += W(i, j) * v[static_cast<std::size_t>(j)];
            numerator += std::conj(v[static_cast<std::size_t>(i)]) * product;
            denominator += std::norm(v[static_cast<std::size_t>(i)]);
        }
        lambda = numerator / denominator;
    }
    return v;
}

std::vector<double> rounded(const std::vector<Real>& values) { return {values.begin(), values.end()}; }

/// Columns of T: eigenvectors, or real and imaginary parts of those with β < 0 … > 0 taken once.
void decouple(const Square<Real>& W, StageForm& form) {
    const int m = W.n;
    Square<Real> T(m);
    form.triangular = true;
    for (int i = 0; i < m; ++i)
        for (int j = i + 1; j < m; ++j)
            if (std::abs(W(i, j)) > 1e-15L * std::abs(W(i, i))) form.triangular = false;
    if (form.triangular) {
        for (int i = 0; i < m; ++i) {
            T(i, i) = 1;
            form.units.push_back({i, static_cast<double>(W(i, i)), 0.0});
        }
    } else {
        std::vector<Complex> values = eigenvalues(W);
        constexpr Real real = 1e-9L; // imaginary parts relative to the modulus
        std::stable_partition(values.begin(), values.end(),
                              [](Complex z) { return std::abs(z.imag()) <= real * std::abs(z); });
        int column = 0;
        for (Complex lambda : values) {
            const bool is_real = std::abs(lambda.imag()) <= real * std::abs(lambda);
            if (is_real)
                lambda = lambda.real();
            else if (lambda.imag() < 0)
                continue;
            const std::vector<Complex> v = eigenvector(W, lambda);
            for (int i = 0; i < m; ++i) {
                T(i, column) = v[static_cast<std::size_t>(i)].real();
                if (!is_real) T(i, column + 1) = v[static_cast<std::size_t>(i)].imag();
            }
            form.units.push_back(
                {column, static_cast<double>(lambda.real()), is_real ? 0.0 : static_cast<double>(lambda.imag())});
            column += is_real ? 1 : 2;
        }
        assert(column == m);
    }
    Real product = 1;
    for (const StageForm::Unit& unit : form.units)
        product *= unit.beta == 0 ? std::abs(unit.alpha) : std::hypot(Real(unit.alpha), Real(unit.beta));
    form.scale = form.units.front().beta == 0
                     ? form.units.front().alpha
                     : static_cast<double>(std::pow(product, 1.0L / static_cast<Real>(form.units.size())));
    form.T = rounded(T.entries);
    form.T_inverse = rounded(inverse(T).entries);
}

/// Lagrange's ℓ_i(x) on these stages' nodes, 0 for the others.
std::vector<double> interpolation(const std::vector<Real>& c, const std::vector<int>& used, Real x) {
    std::vector<double> weight(c.size());
    for (const int i : used) {
        Real product = 1;
        for (const int j : used)
            if (j != i)
                product *= (x - c[static_cast<std::size_t>(j)]) /
                           (c[static_cast<std::size_t>(i)] - c[static_cast<std::size_t>(j)]);
        weight[static_cast<std::size_t>(i)] = static_cast<double>(product);
    }
    return weight;
}

} // namespace

StageForm make_stage_form(const ButcherTableau& method) {
    const int s = method.stages;
    StageForm form;
    form.stages = s;
    form.c = rounded(method.c);
    const auto vanishes = [](Real a) { return std::abs(a) < 1e-15L; };
    bool zero_row = true, zero_column = true;
    for (int j = 0; j < s; ++j) {
        zero_row = zero_row && vanishes(method.a(0, j));
        zero_column = zero_column && vanishes(method.a(j, s - 1));
    }
    form.first = zero_row ? 1 : 0;
    form.last_apart = zero_column && !zero_row;
    const int m = form.solved = s - form.first - (form.last_apart ? 1 : 0);
    assert(m > 0);
    Square<Real> A(m);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < m; ++j) A(i, j) = method.a(form.first + i, form.first + j);
    const Square<Real> W = inverse(A);
    form.W = rounded(W.entries);
    decouple(W, form);

    std::vector<Real> w(static_cast<std::size_t>(m)), e(w.size()), last(w.size());
    Real end_first = form.first == 1 ? method.b[0] : 0.0L;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < m; ++j) {
            const auto ii = static_cast<std::size_t>(i), jj = static_cast<std::size_t>(j);
            if (form.first == 1) w[ii] += W(i, j) * method.a(1 + j, 0);
            e[jj] += method.b[static_cast<std::size_t>(form.first + i)] * W(i, j);
            if (form.last_apart) last[jj] += method.a(s - 1, i) * W(i, j);
        }
    for (int i = 0; i < m; ++i)
        end_first -= method.b[static_cast<std::size_t>(form.first + i)] * w[static_cast<std::size_t>(i)];
    form.stiffly_accurate = !form.last_apart && std::abs(method.c.back() - 1) < 1e-15L;
    for (int j = 0; j < s && form.stiffly_accurate; ++j)
        form.stiffly_accurate = vanishes(method.a(s - 1, j) - method.b[static_cast<std::size_t>(j)]);
    form.from_first = rounded(w);
    form.end = rounded(e);
    form.last = rounded(last);
    form.end_first = static_cast<double>(end_first);
    form.end_last = form.last_apart ? static_cast<double>(method.b.back()) : 0.0;

    std::vector<int> all, later;
    for (int i = 0; i < s; ++i) {
        all.push_back(i);
        if (!vanishes(method.c[static_cast<std::size_t>(i)])) later.push_back(i);
    }
    form.slope_at_end = interpolation(method.c, all, 1);
    form.slope_at_begin = interpolation(method.c, later, 0);
    form.order_of_stages = properties(method).C;
    form.order_of_estimate = static_cast<int>(later.size());
    return form;
}

} // namespace daedalus::tableau
