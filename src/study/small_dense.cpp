#include "study/small_dense.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace daedalus::study {

Matrix Matrix::identity(int n) {
    Matrix I(n, n);
    for (int i = 0; i < n; ++i) I(i, i) = 1;
    return I;
}

Matrix operator*(const Matrix& a, const Matrix& b) {
    assert(a.columns == b.rows);
    Matrix c(a.rows, b.columns);
    for (int i = 0; i < a.rows; ++i)
        for (int k = 0; k < a.columns; ++k)
            for (int j = 0; j < b.columns; ++j) c(i, j) += a(i, k) * b(k, j);
    return c;
}

Matrix operator+(const Matrix& a, const Matrix& b) {
    Matrix c = a;
    for (std::size_t k = 0; k < c.entries.size(); ++k) c.entries[k] += b.entries[k];
    return c;
}

Matrix operator*(Real s, Matrix a) {
    for (Real& entry : a.entries) entry *= s;
    return a;
}

Vector operator*(const Matrix& a, const Vector& x) {
    Vector y(static_cast<std::size_t>(a.rows));
    for (int i = 0; i < a.rows; ++i)
        for (int j = 0; j < a.columns; ++j) y[static_cast<std::size_t>(i)] += a(i, j) * x[static_cast<std::size_t>(j)];
    return y;
}

Matrix transposed(const Matrix& a) {
    Matrix t(a.columns, a.rows);
    for (int i = 0; i < a.rows; ++i)
        for (int j = 0; j < a.columns; ++j) t(j, i) = a(i, j);
    return t;
}

bool solve_in_place(Matrix A, std::span<Real> x) {
    const int n = A.rows;
    assert(A.columns == n && static_cast<int>(x.size()) == n);
    // Rows are equilibrated first: equations of a DAE differ by powers of h.
    for (int i = 0; i < n; ++i) {
        Real largest = 0;
        for (int j = 0; j < n; ++j) largest = std::max(largest, std::abs(A(i, j)));
        if (!(largest > 0)) return false;
        for (int j = 0; j < n; ++j) A(i, j) /= largest;
        x[static_cast<std::size_t>(i)] /= largest;
    }
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k + 1; i < n; ++i)
            if (std::abs(A(i, k)) > std::abs(A(pivot, k))) pivot = i;
        // Each level of index costs a factor h in a pivot: only exact noise counts as zero.
        if (!(std::abs(A(pivot, k)) > 4 * round_off * round_off)) return false;
        if (pivot != k) {
            std::swap_ranges(&A(k, 0), &A(k, 0) + n, &A(pivot, 0));
            std::swap(x[static_cast<std::size_t>(k)], x[static_cast<std::size_t>(pivot)]);
        }
        for (int i = k + 1; i < n; ++i) {
            const Real factor = A(i, k) / A(k, k);
            if (factor == 0) continue;
            for (int j = k + 1; j < n; ++j) A(i, j) -= factor * A(k, j);
            x[static_cast<std::size_t>(i)] -= factor * x[static_cast<std::size_t>(k)];
        }
    }
    for (int k = n - 1; k >= 0; --k) {
        Real sum = x[static_cast<std::size_t>(k)];
        for (int j = k + 1; j < n; ++j) sum -= A(k, j) * x[static_cast<std::size_t>(j)];
        x[static_cast<std::size_t>(k)] = sum / A(k, k);
    }
    return true;
}

Matrix inverse(const Matrix& A) {
    Matrix X(A.rows, A.rows);
    for (int j = 0; j < A.rows; ++j) {
        Vector e(static_cast<std::size_t>(A.rows));
        e[static_cast<std::size_t>(j)] = 1;
        [[maybe_unused]] const bool regular = solve_in_place(A, e);
        assert(regular);
        for (int i = 0; i < A.rows; ++i) X(i, j) = e[static_cast<std::size_t>(i)];
    }
    return X;
}

int rank(Matrix A, Real tolerance) {
    const Real scale = [&] {
        Real largest = 0;
        for (const Real a : A.entries) largest = std::max(largest, std::abs(a));
        return largest;
    }();
    int r = 0;
    for (; r < std::min(A.rows, A.columns); ++r) {
        int row = r, column = r;
        for (int i = r; i < A.rows; ++i)
            for (int j = r; j < A.columns; ++j)
                if (std::abs(A(i, j)) > std::abs(A(row, column))) row = i, column = j;
        if (!(std::abs(A(row, column)) > tolerance * scale)) break;
        for (int j = 0; j < A.columns; ++j) std::swap(A(r, j), A(row, j));
        for (int i = 0; i < A.rows; ++i) std::swap(A(i, r), A(i, column));
        for (int i = r + 1; i < A.rows; ++i) {
            const Real factor = A(i, r) / A(r, r);
            for (int j = r; j < A.columns; ++j) A(i, j) -= factor * A(r, j);
        }
    }
    return r;
}

int pencil_index(const Matrix& E, const Matrix& H) {
    const int n = E.rows;
    // det(μE + H) has at most n zeros, so one of n + 1 shifts is regular if any is.
    for (int k = 0; k <= n; ++k) {
        const Real mu = 1.0L + 0.37L * static_cast<Real>(k);
        const Matrix shifted = mu * E + H;
        if (rank(shifted) < n) continue;
        const Matrix M = inverse(shifted) * E;
        Matrix power = Matrix::identity(n);
        int previous = n;
        for (int index = 0; index <= n; ++index) {
            power = power * M;
            const int next = rank(power);
            if (next == previous) return index;
            previous = next;
            if (next == 0) return index + 1;
        }
    }
    return -1;
}

Real max_norm(std::span<const Real> x) {
    Real largest = 0;
    for (const Real v : x)
        if (!(std::abs(v) <= largest)) largest = std::abs(v);
    return largest;
}

Real max_norm(const Matrix& A) {
    Real largest = 0;
    for (int i = 0; i < A.rows; ++i) {
        Real sum = 0;
        for (int j = 0; j < A.columns; ++j) sum += std::abs(A(i, j));
        largest = std::max(largest, sum);
    }
    return largest;
}

} // namespace daedalus::study
