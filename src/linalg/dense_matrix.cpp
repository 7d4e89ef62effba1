#include "linalg/dense_matrix.hpp"

#include "linalg/lapack_api.hpp"
#include "linalg/norms.hpp"

#include <cmath>

namespace daedalus::linalg {

using lapack::leading;

Matrix::Matrix(std::initializer_list<std::initializer_list<double>> rows)
    : Matrix(static_cast<int>(rows.size()), rows.size() == 0 ? 0 : static_cast<int>(rows.begin()->size())) {
    int i = 0;
    for (const auto& row : rows) {
        assert(static_cast<int>(row.size()) == cols_);
        int j = 0;
        for (const double entry : row) (*this)(i, j++) = entry;
        ++i;
    }
}

Matrix Matrix::identity(int n) {
    Matrix a(n, n);
    for (int i = 0; i < n; ++i) a(i, i) = 1.0;
    return a;
}

Matrix Matrix::diagonal(std::span<const double> entries) {
    const int n = static_cast<int>(entries.size());
    Matrix a(n, n);
    for (int i = 0; i < n; ++i) a(i, i) = entries[static_cast<std::size_t>(i)];
    return a;
}

Matrix Matrix::block(int row, int col, int rows, int cols) const {
    assert(row >= 0 && col >= 0 && row + rows <= rows_ && col + cols <= cols_);
    Matrix part(rows, cols);
    if (rows == 0) return part;
    for (int j = 0; j < cols; ++j) std::copy_n(&data_[at(row, col + j)], rows, &part(0, j));
    return part;
}

void Matrix::set_block(int row, int col, const Matrix& part) {
    assert(row >= 0 && col >= 0 && row + part.rows_ <= rows_ && col + part.cols_ <= cols_);
    if (part.rows_ == 0) return;
    for (int j = 0; j < part.cols_; ++j) std::copy_n(&part.data_[part.at(0, j)], part.rows_, &(*this)(row, col + j));
}

Matrix Matrix::transposed() const {
    Matrix t(cols_, rows_);
    for (int j = 0; j < cols_; ++j)
        for (int i = 0; i < rows_; ++i) t(j, i) = (*this)(i, j);
    return t;
}

Matrix& Matrix::operator+=(const Matrix& b) {
    assert(rows_ == b.rows_ && cols_ == b.cols_);
    for (std::size_t k = 0; k < data_.size(); ++k) data_[k] += b.data_[k];
    return *this;
}

Matrix& Matrix::operator-=(const Matrix& b) {
    assert(rows_ == b.rows_ && cols_ == b.cols_);
    for (std::size_t k = 0; k < data_.size(); ++k) data_[k] -= b.data_[k];
    return *this;
}

Matrix& Matrix::operator*=(double factor) {
    for (double& entry : data_) entry *= factor;
    return *this;
}

Matrix operator+(Matrix a, const Matrix& b) { return a += b; }
Matrix operator-(Matrix a, const Matrix& b) { return a -= b; }
Matrix operator*(double factor, Matrix a) { return a *= factor; }

namespace {

Matrix multiply(char transpose_a, const Matrix& a, const Matrix& b) {
    const bool t = transpose_a == 'T';
    const int m = t ? a.cols() : a.rows(), k = t ? a.rows() : a.cols(), n = b.cols();
    assert(k == b.rows());
    Matrix c(m, n);
    if (m == 0 || n == 0 || k == 0) return c;
    const double one = 1.0, zero = 0.0;
    const int lda = leading(a.rows()), ldb = leading(b.rows()), ldc = leading(m);
    dgemm_(&transpose_a, "N", &m, &n, &k, &one, a.data(), &lda, b.data(), &ldb, &zero, c.data(), &ldc);
    return c;
}

} // namespace

Matrix operator*(const Matrix& a, const Matrix& b) { return multiply('N', a, b); }
Matrix transposed_times(const Matrix& a, const Matrix& b) { return multiply('T', a, b); }

std::vector<double> operator*(const Matrix& a, std::span<const double> x) {
    assert(static_cast<int>(x.size()) == a.cols());
    std::vector<double> y(static_cast<std::size_t>(a.rows()), 0.0);
    for (int j = 0; j < a.cols(); ++j)
        for (int i = 0; i < a.rows(); ++i) y[static_cast<std::size_t>(i)] += a(i, j) * x[static_cast<std::size_t>(j)];
    return y;
}

Matrix beside(const Matrix& a, const Matrix& b) {
    assert(a.rows() == b.rows());
    Matrix c(a.rows(), a.cols() + b.cols());
    c.set_block(0, 0, a);
    c.set_block(0, a.cols(), b);
    return c;
}

Matrix above(const Matrix& a, const Matrix& b) {
    assert(a.cols() == b.cols());
    Matrix c(a.rows() + b.rows(), a.cols());
    c.set_block(0, 0, a);
    c.set_block(a.rows(), 0, b);
    return c;
}

bool all_finite(const Matrix& a) {
    const auto entries = a.entries();
    return std::all_of(entries.begin(), entries.end(), [](double entry) { return std::isfinite(entry); });
}

double max_abs(const Matrix& a) { return norm_inf(a.entries()); }
double frobenius_norm(const Matrix& a) { return norm_2(a.entries()); }

double norm_1(const Matrix& a) {
    double largest = 0.0;
    for (int j = 0; j < a.cols(); ++j) largest = std::max(largest, norm_1(a.column(j)));
    return largest;
}

std::optional<LinearSolution> solve(const Matrix& a, const Matrix& b) {
    assert(a.square() && a.rows() == b.rows());
    const int n = a.rows(), columns = b.cols();
    if (n == 0) return LinearSolution{b, 1.0};
    if (!all_finite(a)) return std::nullopt;
    Matrix lu = a;
    std::vector<int> pivots(static_cast<std::size_t>(n));
    int info = 0;
    dgetrf_(&n, &n, lu.data(), &n, pivots.data(), &info);
    if (info != 0) return std::nullopt;
    LinearSolution solution{b, 0.0};
    const double norm = norm_1(a);
    std::vector<double> work(4 * static_cast<std::size_t>(n));
    std::vector<int> iwork(static_cast<std::size_t>(n));
    dgecon_("1", &n, lu.data(), &n, &norm, &solution.reciprocal_condition, work.data(), iwork.data(), &info);
    if (columns > 0) dgetrs_("N", &n, &columns, lu.data(), &n, pivots.data(), solution.x.data(), &n, &info);
    return solution;
}

} // namespace daedalus::linalg
