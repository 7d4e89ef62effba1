#include "analysis/drazin_inverse.hpp"

#include "linalg/reflectors.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace daedalus::analysis {

using linalg::Matrix;

int NilpotentSplit::nilpotent_size() const { return std::accumulate(steps.begin(), steps.end(), 0); }

NilpotentSplit split_nilpotent(const Matrix& a, double noise) {
    assert(a.square());
    const int n = a.rows();
    NilpotentSplit split{Matrix::identity(n), a, {}, {}, true};
    const auto rule = linalg::rank_rule(n, n, frobenius_norm(a), noise);
    for (int at = 0; at < n;) {
        const int rest = n - at;
        linalg::RankGap gap;
        const Matrix kernel = linalg::null_space(split.a.block(at, at, rest, rest), rule, &gap);
        const bool ok = all_finite(kernel);
        split.gaps.push_back(gap);
        split.decided = split.decided && ok && gap.decided;
        const int null = kernel.cols();
        if (null == 0 || !ok) break;
        const linalg::Reflectors to_front(kernel);
        to_front.apply_to_columns(split.a, at);
        to_front.apply_to_rows(split.a, at);
        to_front.apply_to_columns(split.v, at);
        split.a.set_block(at, at, Matrix(rest, null));
        split.steps.push_back(null);
        at += null;
        split.a.set_block(at, 0, Matrix(n - at, at)); // rounding errors of zeros
    }
    return split;
}

std::optional<DrazinInverse> drazin_inverse(const Matrix& a, double noise) {
    if (!a.square() || !all_finite(a)) return std::nullopt;
    const NilpotentSplit split = split_nilpotent(a, noise);
    const int n = a.rows(), k = split.nilpotent_size();
    const Matrix nilpotent = split.a.block(0, 0, k, k), f = split.a.block(0, k, k, n - k);
    const Matrix b = split.a.block(k, k, n - k, n - k);
    const auto inverse = solve(b, Matrix::identity(n - k));
    if (!inverse) return std::nullopt;
    const Matrix& b_inverse = inverse->x;
    // Y = (F + N Y) B⁻¹: exact after as many sweeps as N has powers.
    Matrix y = f * b_inverse;
    for (int sweep = 1; sweep < split.index(); ++sweep) y = (f + nilpotent * y) * b_inverse;

    DrazinInverse d;
    d.index = split.index();
    d.decided = split.decided;
    d.gaps = split.gaps;
    const Matrix right = split.v.columns(k, n - k);
    const Matrix core = split.v.columns(0, k) * y + right; // V [Y; I]
    d.inverse = core * b_inverse * right.transposed();
    d.projector = core * right.transposed();
    return d;
}

double drazin_axioms_error(const Matrix& a, const Matrix& x, int index) {
    const double size_a = frobenius_norm(a), size_x = frobenius_norm(x);
    if (size_a == 0.0) return size_x;
    const auto ratio = [](double error, double size) { return size > 0.0 ? error / size : error; };
    Matrix power = Matrix::identity(a.rows());
    for (int k = 0; k < index; ++k) power = power * a;
    const Matrix ax = a * x;
    return std::max({ratio(frobenius_norm(ax - x * a), size_a * size_x),
                     ratio(frobenius_norm(x * ax - x), std::max(size_x, size_x * size_x * size_a)),
                     ratio(frobenius_norm(x * (a * power) - power), size_x * size_a * frobenius_norm(power))});
}

std::optional<ShiftedPencil> shifted_pencil(const Matrix& e, const Matrix& h) {
    assert(e.square());
    const double size_e = frobenius_norm(e), size_h = frobenius_norm(h);
    const double unit = size_e > 0.0 && size_h > 0.0 ? size_h / size_e : 1.0;
    // Numbers without a pattern, so that no eigenvalue is likely to be among them.
    constexpr double shifts[] = {0.6180, -0.7321, 1.4571, -2.3028, 0.2361};
    std::optional<ShiftedPencil> best;
    for (const double shift : shifts) {
        const double s = shift * unit;
        const auto solution = solve(s * e + h, beside(e, h));
        if (!solution || !all_finite(solution->x)) continue;
        if (best && best->reciprocal_condition >= solution->reciprocal_condition) continue;
        const int n = e.rows();
        best = ShiftedPencil{s, solution->x.columns(0, n), solution->x.columns(n, n), solution->reciprocal_condition};
        if (best->reciprocal_condition > 1e-4) break; // good enough
    }
    return best;
}

std::optional<SpectralProjectors> spectral_projectors(const Matrix& e, const Matrix& h) {
    if (!e.square() || !all_finite(e) || !all_finite(h)) return std::nullopt;
    const auto shifted = shifted_pencil(e, h);
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    if (!shifted || shifted->reciprocal_condition < 10.0 * epsilon) return std::nullopt;
    const auto d = drazin_inverse(shifted->e_hat, epsilon / shifted->reciprocal_condition);
    if (!d) return std::nullopt;
    SpectralProjectors s;
    s.finite = d->projector;
    s.infinite = Matrix::identity(e.rows()) - d->projector;
    s.index = d->index;
    s.decided = d->decided;
    // The projector's singular values are 0 or at least 1.
    s.consistent = linalg::range(s.finite, {0.5, 0.5});
    return s;
}

} // namespace daedalus::analysis
