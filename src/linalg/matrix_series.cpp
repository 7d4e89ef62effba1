#include "linalg/matrix_series.hpp"

#include <algorithm>

namespace daedalus::linalg {

MatrixSeries MatrixSeries::constant(const Matrix& a, int order) {
    std::vector<Matrix> c(static_cast<std::size_t>(order) + 1, Matrix(a.rows(), a.cols()));
    c.front() = a;
    return MatrixSeries(std::move(c));
}

MatrixSeries MatrixSeries::block(int row, int col, int rows, int cols) const {
    std::vector<Matrix> c;
    for (const Matrix& a : c_) c.push_back(a.block(row, col, rows, cols));
    return MatrixSeries(std::move(c));
}

MatrixSeries MatrixSeries::derivative() const {
    std::vector<Matrix> c;
    for (int k = 1; k <= order(); ++k) c.push_back(static_cast<double>(k) * (*this)[k]);
    if (c.empty()) c.emplace_back(rows(), cols());
    return MatrixSeries(std::move(c));
}

MatrixSeries MatrixSeries::truncated(int order) const {
    return MatrixSeries({c_.begin(), c_.begin() + std::min(order, this->order()) + 1});
}

namespace {

template <class Combine>
MatrixSeries combined(const MatrixSeries& a, const MatrixSeries& b, Combine combine) {
    std::vector<Matrix> c;
    for (int k = 0; k <= std::min(a.order(), b.order()); ++k) c.push_back(combine(a[k], b[k]));
    return MatrixSeries(std::move(c));
}

} // namespace

MatrixSeries operator+(const MatrixSeries& a, const MatrixSeries& b) {
    return combined(a, b, [](const Matrix& x, const Matrix& y) { return x + y; });
}
MatrixSeries operator-(const MatrixSeries& a, const MatrixSeries& b) {
    return combined(a, b, [](const Matrix& x, const Matrix& y) { return x - y; });
}
MatrixSeries beside(const MatrixSeries& a, const MatrixSeries& b) {
    return combined(a, b, [](const Matrix& x, const Matrix& y) { return beside(x, y); });
}
MatrixSeries above(const MatrixSeries& a, const MatrixSeries& b) {
    return combined(a, b, [](const Matrix& x, const Matrix& y) { return above(x, y); });
}

MatrixSeries operator*(const MatrixSeries& a, const MatrixSeries& b) {
    std::vector<Matrix> c;
    for (int k = 0; k <= std::min(a.order(), b.order()); ++k) {
        Matrix sum = a[0] * b[k];
        for (int j = 1; j <= k; ++j) sum += a[j] * b[k - j];
        c.push_back(std::move(sum));
    }
    return MatrixSeries(std::move(c));
}

std::optional<MatrixSeries> inverse(const MatrixSeries& a) {
    const auto first = solve(a.value(), Matrix::identity(a.rows()));
    if (!first) return std::nullopt;
    // A X = I: A₀ X_k = -(A₁ X_{k-1} + … + A_k X₀)
    std::vector<Matrix> x{first->x};
    for (int k = 1; k <= a.order(); ++k) {
        Matrix sum(a.rows(), a.rows());
        for (int j = 1; j <= k; ++j) sum -= a[j] * x[static_cast<std::size_t>(k - j)];
        x.push_back(first->x * sum);
    }
    return MatrixSeries(std::move(x));
}

SmoothSpaces smooth_spaces(const MatrixSeries& a, const RankRule& rule) {
    const int m = a.rows(), n = a.cols(), order = a.order();
    const SingularValues s = singular_values(a.value());
    SmoothSpaces spaces;
    spaces.gap = decide_rank(s.values, m, n, rule);
    const int r = spaces.gap.rank;
    const MatrixSeries u = MatrixSeries::constant(s.u, order), v = MatrixSeries::constant(s.v, order);
    // In the bases of the leading coefficient, A = [A₁₁ A₁₂; A₂₁ A₂₂] with A₁₁ invertible near s = 0.
    const MatrixSeries b = MatrixSeries::constant(s.u.transposed(), order) * a * v;
    const MatrixSeries b11 = b.block(0, 0, r, r), b12 = b.block(0, r, r, n - r);
    const MatrixSeries b21 = b.block(r, 0, m - r, r), b22 = b.block(r, r, m - r, n - r);
    const auto inverted = inverse(b11);
    assert(inverted); // its smallest singular value exceeds the tolerance
    const MatrixSeries& b11_inverse = *inverted;
    const MatrixSeries lift = b11_inverse * b12;
    const MatrixSeries schur = b22 - b21 * lift; // vanishes if the rank is constant
    const auto identity = [order](int size) { return MatrixSeries::constant(Matrix::identity(size), order); };
    const auto zero = [order](int rows, int cols) { return MatrixSeries::constant(Matrix(rows, cols), order); };
    spaces.null_space = v * above(zero(r, n - r) - lift, identity(n - r));
    spaces.range = u * above(identity(r), b21 * b11_inverse);
    spaces.inner_inverse = v * above(beside(b11_inverse, zero(r, m - r)), zero(n - r, m)) *
                           MatrixSeries::constant(s.u.transposed(), order);
    double size = 0.0;
    for (int k = 0; k <= order; ++k) size = std::max(size, frobenius_norm(a[k]));
    for (int k = 1; k <= order; ++k)
        spaces.rank_defect = std::max(spaces.rank_defect, size > 0.0 ? frobenius_norm(schur[k]) / size : 0.0);
    return spaces;
}

} // namespace daedalus::linalg
