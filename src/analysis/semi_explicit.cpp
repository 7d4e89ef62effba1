#include "analysis/semi_explicit.hpp"

#include "linalg/singular_values.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::analysis {

using linalg::Matrix;

namespace {

double norm_2(const Matrix& a) {
    const auto s = linalg::singular_values_only(a);
    return s.values.empty() ? 0.0 : s.values.front();
}

Matrix part(const Matrix& a, const std::vector<int>& rows, const std::vector<int>& cols) {
    Matrix p(static_cast<int>(rows.size()), static_cast<int>(cols.size()));
    for (int j = 0; j < p.cols(); ++j)
        for (int i = 0; i < p.rows(); ++i)
            p(i, j) = a(rows[static_cast<std::size_t>(i)], cols[static_cast<std::size_t>(j)]);
    return p;
}

std::optional<SemiExplicit> by_permutation(const LinearisedPoint& p) {
    const int m = p.e.rows(), n = p.e.cols();
    if (m != n) return std::nullopt;
    std::vector<char> row(static_cast<std::size_t>(m), 0), col(static_cast<std::size_t>(n), 0);
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < m; ++i)
            if (p.e(i, j) != 0.0) row[static_cast<std::size_t>(i)] = col[static_cast<std::size_t>(j)] = 1;
    std::vector<int> rows, constraints, differential, algebraic;
    for (int i = 0; i < m; ++i) (row[static_cast<std::size_t>(i)] ? rows : constraints).push_back(i);
    for (int j = 0; j < n; ++j) (col[static_cast<std::size_t>(j)] ? differential : algebraic).push_back(j);
    if (rows.size() != differential.size()) return std::nullopt;
    const Matrix E = part(p.e, rows, differential);
    const auto inverse = linalg::solve(E, Matrix::identity(E.rows()));
    if (!inverse || inverse->reciprocal_condition < 1e-14) return std::nullopt;
    SemiExplicit s;
    s.a = -1.0 * (inverse->x * part(p.h, rows, differential));
    s.b = -1.0 * (inverse->x * part(p.h, rows, algebraic));
    s.c = part(p.h, constraints, differential);
    s.d = part(p.h, constraints, algebraic);
    s.constraint_rows = Matrix(m, static_cast<int>(constraints.size()));
    for (std::size_t k = 0; k < constraints.size(); ++k) s.constraint_rows(constraints[k], static_cast<int>(k)) = 1.0;
    return s;
}

/// Singular vectors of E; none where its rank is not clear.
struct Split {
    Matrix u, v;
    std::vector<double> sigma;
    int rank = 0;
};
std::optional<Split> split(const Matrix& e) {
    const linalg::SingularValues s = linalg::singular_values(e);
    if (!s.converged || !e.square()) return std::nullopt;
    const double norm = s.values.empty() ? 0.0 : s.values.front();
    const linalg::RankGap gap =
        linalg::decide_rank(s.values, e.rows(), e.cols(), linalg::rank_rule(e.rows(), e.cols(), norm));
    if (!gap.decided) return std::nullopt;
    return Split{s.u, s.v, s.values, gap.rank};
}

/// The basis of the same space nearest to `old` (orthogonal Procrustes problem).
Matrix turned(const Matrix& basis, const Matrix& old) {
    if (basis.empty()) return basis;
    const linalg::SingularValues s = linalg::singular_values(linalg::transposed_times(basis, old));
    return s.converged ? basis * (s.u * s.v.transposed()) : basis;
}

/// With bases V₁, V₂ of the row space and the kernel, and their derivatives.
SemiExplicit by_bases(const LinearisedPoint& p, const Split& s, const Matrix& v1, const Matrix& v2, const Matrix& dv1,
                      const Matrix& dv2) {
    const int r = s.rank, n = p.e.rows();
    const Matrix u1 = s.u.columns(0, r), u2 = s.u.columns(r, n - r);
    // (U₁ᵀ E V₁)⁻¹ U₁ᵀ H
    const auto scaled = linalg::solve(linalg::transposed_times(u1, p.e * v1), linalg::transposed_times(u1, p.h));
    const Matrix rates = r > 0 && scaled ? scaled->x : Matrix(r, n);
    SemiExplicit out;
    out.a = -1.0 * (rates * v1 + linalg::transposed_times(v1, dv1));
    out.b = -1.0 * (rates * v2 + linalg::transposed_times(v1, dv2));
    const Matrix on_x = linalg::transposed_times(u2, p.h);
    out.c = on_x * v1;
    out.d = on_x * v2;
    out.constraint_rows = u2;
    return out;
}

} // namespace

std::optional<SemiExplicit> semi_explicit(const LinearisedPoint& p) {
    if (auto s = by_permutation(p)) return s;
    const auto s = split(p.e);
    if (!s) return std::nullopt;
    const int n = p.e.rows(), r = s->rank;
    return by_bases(p, *s, s->v.columns(0, r), s->v.columns(r, n - r), Matrix(n, r), Matrix(n, n - r));
}

std::vector<SemiExplicit> semi_explicit_along(std::span<const LinearisedPoint> along) {
    std::vector<SemiExplicit> out;
    for (const LinearisedPoint& p : along) {
        auto s = by_permutation(p);
        if (!s || (!out.empty() && s->d.rows() != out.front().d.rows())) break;
        out.push_back(*std::move(s));
    }
    if (out.size() == along.size()) return out;
    out.clear();
    std::vector<Split> splits;
    std::vector<Matrix> v1, v2;
    for (const LinearisedPoint& p : along) {
        auto s = split(p.e);
        if (!s || (!splits.empty() && s->rank != splits.front().rank)) return {};
        const int n = p.e.rows(), r = s->rank;
        const Matrix row_space = s->v.columns(0, r), kernel = s->v.columns(r, n - r);
        v1.push_back(v1.empty() ? row_space : turned(row_space, v1.back()));
        v2.push_back(v2.empty() ? kernel : turned(kernel, v2.back()));
        splits.push_back(*std::move(s));
    }
    for (std::size_t i = 0; i < along.size(); ++i) {
        const std::size_t before = i > 0 ? i - 1 : i, after = std::min(i + 1, along.size() - 1);
        const double rate = after > before ? 1.0 / (along[after].t - along[before].t) : 0.0;
        out.push_back(by_bases(along[i], splits[i], v1[i], v2[i], rate * (v1[after] - v1[before]),
                               rate * (v2[after] - v2[before])));
    }
    return out;
}

WithoutIndex1 eliminate_index_1(const SemiExplicit& s, double noise) {
    const linalg::SingularValues d = linalg::singular_values(s.d);
    const double scale = norm_2(s.d) + norm_2(s.c) * norm_2(s.b);
    WithoutIndex1 out;
    int r = 0;
    while (r < static_cast<int>(d.values.size()) && d.values[static_cast<std::size_t>(r)] > noise * scale) ++r;
    if (r > 0) out.smallest = d.values[static_cast<std::size_t>(r - 1)] / scale;
    const Matrix u1 = d.u.columns(0, r), u2 = d.u.columns(r, s.d.rows() - r);
    const Matrix v1 = d.v.columns(0, r), v2 = d.v.columns(r, s.d.cols() - r);
    Matrix determined = linalg::transposed_times(u1, s.c); // y₁ = −Σ⁻¹ U₁ᵀ C x
    for (int i = 0; i < r; ++i)
        for (int j = 0; j < determined.cols(); ++j) determined(i, j) /= d.values[static_cast<std::size_t>(i)];
    out.rest.a = s.a - s.b * v1 * determined;
    out.rest.b = s.b * v2;
    out.rest.c = linalg::transposed_times(u2, s.c);
    out.rest.d = Matrix(s.d.rows() - r, s.d.cols() - r);
    out.rest.constraint_rows = s.constraint_rows * u2;
    return out;
}

std::optional<int> effective_index_at_noise(const SemiExplicit& s, double noise) {
    if (s.d.rows() == 0 && s.d.cols() == 0) return 0;
    if (s.d.rows() != s.d.cols()) return std::nullopt;
    SemiExplicit rest = s;
    for (int index = 1; index <= s.a.rows() + 1; ++index) {
        rest = eliminate_index_1(rest, noise).rest;
        if (rest.d.cols() == 0) return index;
        // The constraints C x = 0 that are left, differentiated: C A x + C B y = 0.
        rest.d = rest.c * rest.b;
        rest.c = rest.c * rest.a;
        const double size = norm_2(rest.c) + norm_2(rest.d);
        if (size == 0.0) return std::nullopt;
        rest.c *= 1.0 / size;
        rest.d *= 1.0 / size;
    }
    return std::nullopt;
}

SingularDirection singular_direction(const SemiExplicit& s) {
    SingularDirection out;
    const int m = s.d.rows(), k = s.d.cols();
    if (m == 0 || k == 0) return out;
    const double a = std::max(norm_2(s.a), 1e-300), b = norm_2(s.b), c = norm_2(s.c), d = norm_2(s.d);
    const double scale = std::max(d, b * c);
    if (!(scale > 0.0)) {
        out.distance = 0.0;
        return out;
    }
    Matrix blocks = (1.0 / scale) * s.d;
    Matrix power = (b > 0 ? 1.0 / b : 0.0) * s.b; // Aⁱ B
    const double of_c = b * c / scale / std::max(c, 1e-300);
    for (int i = 0; i < s.a.rows(); ++i) {
        blocks = linalg::beside(blocks, of_c * (s.c * power));
        power = (1.0 / a) * (s.a * power);
    }
    const linalg::SingularValues sv = linalg::singular_values(blocks);
    if (!sv.converged) return out;
    out.distance = sv.values.back();
    const Matrix z = s.constraint_rows * sv.u.columns(m - 1, 1);
    out.combination.assign(z.entries().begin(), z.entries().end());
    return out;
}

} // namespace daedalus::analysis
