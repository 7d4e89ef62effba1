#include "analysis/weierstrass_form.hpp"

#include "linalg/generalized_schur.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::analysis {

using linalg::GeneralizedSchur;
using linalg::Matrix;

namespace {

std::complex<double> scaled_by(std::complex<double> value, int exponent) {
    return {std::ldexp(value.real(), exponent), std::ldexp(value.imag(), exponent)};
}

std::vector<std::complex<double>> eigenvalues_of(const GeneralizedSchur& finite, const ScaledPencil& scaled) {
    std::vector<std::complex<double>> lambda;
    const int exponent = scaled.e_exponent - scaled.h_exponent; // λ E + H = 0 ⇔ λ 2^(h-e) Ẽ + H̃ = 0
    for (std::size_t i = 0; i < finite.alpha.size(); ++i)
        lambda.push_back(scaled_by(-finite.alpha[i] / finite.beta[i], exponent));
    std::sort(lambda.begin(), lambda.end(), [](const auto& a, const auto& b) {
        return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
    });
    for (auto& value : lambda) value += std::complex<double>(0.0, 0.0); // no negative zeros
    return lambda;
}

/// Rotates rows and columns inside each step so that the diagonal blocks of H are diagonal: then the pair (H, E) of the
/// infinite part is a generalized Schur form already.
void diagonalise_steps(KroneckerStaircase& k) {
    Matrix left = Matrix::identity(k.finite_row), right = Matrix::identity(k.finite_col);
    int at = 0;
    for (const int s : k.right_s) {
        const auto block = linalg::singular_values(k.h.block(at, at, s, s));
        left.set_block(at, at, block.u);
        right.set_block(at, at, block.v);
        at += s;
    }
    const int n = k.e.rows(), size = at;
    for (Matrix* a : {&k.e, &k.h}) {
        a->set_block(0, 0, transposed_times(left, a->rows_from(0, size)));
        a->set_block(0, 0, a->columns(0, size) * right);
    }
    k.u.set_block(0, 0, k.u.columns(0, size) * left);
    k.v.set_block(0, 0, k.v.columns(0, size) * right);
    // What is zero by construction is made so.
    at = 0;
    for (const int s : k.right_s) {
        k.e.set_block(at, at, Matrix(n - at, s));
        std::vector<double> diagonal;
        for (int i = 0; i < s; ++i) diagonal.push_back(k.h(at + i, at + i));
        k.h.set_block(at, at, Matrix(n - at, s));
        k.h.set_block(at, at, Matrix::diagonal(diagonal));
        at += s;
    }
}

double relative_error(const Matrix& p, const Matrix& a, const Matrix& q, const Matrix& form) {
    const double size = frobenius_norm(p) * frobenius_norm(a) * frobenius_norm(q);
    return size > 0.0 ? frobenius_norm(p * a * q - form) / size : 0.0;
}

double condition(const Matrix& a) {
    if (a.empty()) return 1.0;
    const auto s = linalg::singular_values_only(a).values;
    return s.back() > 0.0 ? s.front() / s.back() : std::numeric_limits<double>::infinity();
}

} // namespace

std::optional<std::vector<std::complex<double>>> finite_eigenvalues(const KroneckerStaircase& k,
                                                                    const ScaledPencil& scaled) {
    const int row = k.finite_row, col = k.finite_col, size = k.finite_size;
    const auto schur =
        linalg::generalized_schur(k.h.block(row, col, size, size), k.e.block(row, col, size, size), false);
    if (!schur.converged) return std::nullopt;
    return eigenvalues_of(schur, scaled);
}

std::optional<WeierstrassForm> weierstrass_form(const KroneckerStaircase& staircase, const ScaledPencil& scaled,
                                                const Matrix& e, const Matrix& h) {
    KroneckerStaircase k = staircase;
    const int n = k.e.rows(), infinite = k.finite_row, finite = k.finite_size;
    assert(n == k.e.cols() && infinite + finite == n && k.right_s == k.right_r);
    diagonalise_steps(k);
    const Matrix e11 = k.e.block(0, 0, infinite, infinite), h11 = k.h.block(0, 0, infinite, infinite);
    const Matrix e12 = k.e.block(0, infinite, infinite, finite), h12 = k.h.block(0, infinite, infinite, finite);
    const Matrix e22 = k.e.block(infinite, infinite, finite, finite),
                 h22 = k.h.block(infinite, infinite, finite, finite);

    // [I X; 0 I] (λE + H) [I Y; 0 I] is block diagonal if H₁₁ Y + X H₂₂ = -H₁₂ and E₁₁ Y + X E₂₂ = -E₁₂.
    const GeneralizedSchur left{h11, e11, Matrix::identity(infinite), Matrix::identity(infinite), {}, {}, true};
    const GeneralizedSchur right = linalg::generalized_schur(h22, e22);
    if (!right.converged) return std::nullopt;
    const auto split = linalg::solve_coupled_sylvester(left, right, -1.0 * h12, -1.0 * e12);
    if (!split.ok) return std::nullopt;
    const Matrix& y = split.r;
    const Matrix x = -1.0 * split.l;

    const Matrix u1 = k.u.columns(0, infinite), u2 = k.u.columns(infinite, finite);
    const Matrix v1 = k.v.columns(0, infinite), v2 = k.v.columns(infinite, finite);
    const auto p_finite = solve(e22, beside(u2.transposed(), h22));
    const auto p_infinite = solve(h11, beside(u1.transposed() + x * u2.transposed(), e11));
    if (!p_finite || !p_infinite) return std::nullopt;

    WeierstrassForm w;
    w.index = static_cast<int>(k.right_s.size());
    w.dif = split.dif;
    w.eigenvalues = eigenvalues_of(right, scaled);
    w.p = above(p_finite->x.columns(0, n), p_infinite->x.columns(0, n));
    w.q = beside(v1 * y + v2, v1);
    w.c = p_finite->x.columns(n, finite);
    w.n = p_infinite->x.columns(n, infinite);
    int at = 0;
    for (const int s : k.right_s) { // strictly block upper triangular
        w.n.set_block(at, at, Matrix(infinite - at, s));
        at += s;
    }
    // Back to the pencil before scaling: P = diag(2^e, 2^h) P̃ D_r, Q = D_c Q̃.
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) {
            const int of_row = i < finite ? scaled.e_exponent : scaled.h_exponent;
            w.p(i, j) = std::ldexp(w.p(i, j), of_row + scaled.row_exponent[static_cast<std::size_t>(j)]);
            w.q(i, j) = std::ldexp(w.q(i, j), scaled.col_exponent[static_cast<std::size_t>(i)]);
        }
    const int time = scaled.e_exponent - scaled.h_exponent;
    for (double& entry : w.c.entries()) entry = std::ldexp(entry, time);
    for (double& entry : w.n.entries()) entry = std::ldexp(entry, -time);
    if (!all_finite(w.p) || !all_finite(w.q) || !all_finite(w.c) || !all_finite(w.n)) return std::nullopt;

    Matrix form_e(n, n), form_h(n, n);
    form_e.set_block(0, 0, Matrix::identity(finite));
    form_e.set_block(finite, finite, w.n);
    form_h.set_block(0, 0, w.c);
    form_h.set_block(finite, finite, Matrix::identity(infinite));
    w.backward_error = std::max(relative_error(w.p, e, w.q, form_e), relative_error(w.p, h, w.q, form_h));
    if (!std::isfinite(w.backward_error)) return std::nullopt;
    w.condition_p = condition(w.p);
    w.condition_q = condition(w.q);
    return w;
}

std::optional<WeierstrassForm> weierstrass_form(const Matrix& e, const Matrix& h, double noise) {
    if (!e.square() || !all_finite(e) || !all_finite(h)) return std::nullopt;
    for (const ScaledPencil& scaled : {scale_norms(e, h), scale_rows_and_columns(e, h)}) {
        if (scaled.lost) continue;
        const KroneckerStaircase k = kronecker_staircase(scaled.e, scaled.h, noise);
        if (k.decided() && k.right_s == k.right_r && k.left_s.empty() && k.finite_row + k.finite_size == e.rows())
            return weierstrass_form(k, scaled, e, h);
    }
    return std::nullopt;
}

} // namespace daedalus::analysis
