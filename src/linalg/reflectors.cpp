#include "linalg/reflectors.hpp"

#include "linalg/lapack_api.hpp"

#include <cassert>

namespace daedalus::linalg {

Reflectors::Reflectors(const Matrix& a) : factors_(a), tau_(static_cast<std::size_t>(a.cols())) {
    assert(a.cols() <= a.rows());
    const int m = a.rows(), s = a.cols();
    if (s == 0) return;
    double size = 0.0;
    int query = -1, info = 0;
    dgeqrf_(&m, &s, factors_.data(), &m, tau_.data(), &size, &query, &info);
    const int lwork = static_cast<int>(size);
    std::vector<double> work(static_cast<std::size_t>(lwork));
    dgeqrf_(&m, &s, factors_.data(), &m, tau_.data(), work.data(), &lwork, &info);
}

Matrix Reflectors::triangle() const {
    Matrix r(factors_.cols(), factors_.cols());
    for (int j = 0; j < r.cols(); ++j)
        for (int i = 0; i <= j; ++i) r(i, j) = factors_(i, j);
    return r;
}

namespace {

void apply(char side, char transpose, const Matrix& factors, const std::vector<double>& tau, double* c, int rows,
           int cols, int stride) {
    const int s = factors.cols(), lda = factors.rows();
    if (s == 0 || rows == 0 || cols == 0) return;
    double size = 0.0;
    int query = -1, info = 0;
    dormqr_(&side, &transpose, &rows, &cols, &s, factors.data(), &lda, tau.data(), c, &stride, &size, &query, &info);
    const int lwork = static_cast<int>(size);
    std::vector<double> work(static_cast<std::size_t>(lwork));
    dormqr_(&side, &transpose, &rows, &cols, &s, factors.data(), &lda, tau.data(), c, &stride, work.data(), &lwork,
            &info);
}

} // namespace

void Reflectors::apply_to_rows(Matrix& a, int first) const {
    assert(a.rows() - first == size());
    apply('L', 'T', factors_, tau_, a.data() + first, size(), a.cols(), a.rows());
}

void Reflectors::apply_to_columns(Matrix& a, int first) const {
    assert(a.cols() - first == size());
    if (a.rows() == 0 || size() == 0) return; // there is no such column
    apply('R', 'N', factors_, tau_, a.column(first).data(), a.rows(), size(), a.rows());
}

namespace {

/// At least as many rows as columns: more columns than rows have no thin factor, and are few.
Matrix range_of_wide(const Matrix& a) { return a.cols() <= a.rows() ? a : Matrix(a.rows(), 0); }

} // namespace

RowSplit::RowSplit(const Matrix& a, const RankRule& rule) : q_(range_of_wide(a)) {
    const bool thin = a.cols() <= a.rows();
    const SingularValues s = singular_values(thin ? q_.triangle() : a);
    ok_ = s.converged && all_finite(a);
    u_ = s.converged ? s.u : Matrix::identity(thin ? a.cols() : a.rows());
    gap_ = decide_rank(s.values, a.rows(), a.cols(), rule);
}

void RowSplit::apply_to_rows(Matrix& a, int first) const {
    q_.apply_to_rows(a, first);
    a.set_block(first, 0, transposed_times(u_, a.rows_from(first, u_.rows())));
}

void RowSplit::apply_to_columns(Matrix& a, int first) const {
    q_.apply_to_columns(a, first);
    a.set_block(0, first, a.columns(first, u_.rows()) * u_);
}

} // namespace daedalus::linalg
