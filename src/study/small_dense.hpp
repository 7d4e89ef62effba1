// Small dense matrices in extended precision: elimination, rank, inverse. For the handful of
// unknowns of a textbook example; production code uses linalg.
#pragma once

#include "study/real.hpp"

#include <span>

namespace daedalus::study {

/// Row-major, square or not.
struct Matrix {
    int rows = 0;
    int columns = 0;
    Vector entries;

    Matrix() = default;
    Matrix(int m, int n) : rows(m), columns(n), entries(static_cast<std::size_t>(m) * static_cast<std::size_t>(n)) {}
    Matrix(int m, int n, Vector values) : rows(m), columns(n), entries(std::move(values)) {}
    [[nodiscard]] static Matrix identity(int n);

    Real& operator()(int i, int j) { return entries[static_cast<std::size_t>(i * columns + j)]; }
    Real operator()(int i, int j) const { return entries[static_cast<std::size_t>(i * columns + j)]; }

    friend Matrix operator*(const Matrix& a, const Matrix& b);
    friend Matrix operator+(const Matrix& a, const Matrix& b);
    friend Matrix operator*(Real s, Matrix a);
    friend Vector operator*(const Matrix& a, const Vector& x);
};

[[nodiscard]] Matrix transposed(const Matrix& a);

/// x := A^{-1} x; false where a pivot is no larger than round-off against the largest entry.
[[nodiscard]] bool solve_in_place(Matrix A, std::span<Real> x);
/// A must be regular.
[[nodiscard]] Matrix inverse(const Matrix& A);
/// Number of pivots above `tolerance` times the largest entry.
[[nodiscard]] int rank(Matrix A, Real tolerance = 1e-12L);

/// Index of nilpotency of a regular pencil λE + H: the smallest k with rank M^{k+1} = rank M^k, M = (μE + H)^{-1} E.
/// -1: singular for every μ tried (more than its determinant can have zeros).
[[nodiscard]] int pencil_index(const Matrix& E, const Matrix& H);

[[nodiscard]] Real max_norm(std::span<const Real> x);
/// The largest sum of moduli in a row.
[[nodiscard]] Real max_norm(const Matrix& A);

} // namespace daedalus::study
