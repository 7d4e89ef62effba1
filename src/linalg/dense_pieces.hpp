// What elimination in dense pieces is made of: a product, a triangular system with many right-hand sides, and LU
// without exchanges, on column-major matrices whose columns are padded with zeros to a multiple of `padding` rows.
#pragma once

#include <cstddef>

namespace daedalus::linalg {

constexpr int padding = 4; ///< rows that are computed together
[[nodiscard]] constexpr int padded(int rows) { return (rows + padding - 1) / padding * padding; }

/// A matrix that is read by elements: (i, j) lies at data[i down + j across].
struct Elements {
    const double* data;
    std::ptrdiff_t down, across;
    [[nodiscard]] double operator()(int i, int j) const { return data[i * down + j * across]; }
    [[nodiscard]] Elements from(int i, int j) const { return {data + i * down + j * across, down, across}; }
};

/// C := C - A B with C of m × n and k columns in A; m is a multiple of `padding`.
void subtract_product(int m, int n, int k, const double* a, int lda, Elements b, double* c, int ldc);

/// X := X T⁻¹ with T upper triangular of size w and X of m × w; m is a multiple of `padding`.
void divide_by_triangle(int m, int w, double* x, int ldx, Elements t, bool unit_diagonal);

/// A := L U in place with pivots on the diagonal, L with ones there. False: a pivot is zero or not finite.
[[nodiscard]] bool eliminate_in_place(int w, double* a, int lda);

/// y := T⁻¹ y with the factors of eliminate_in_place(): T is L or U. y has padded(w) numbers.
void solve_lower(int w, const double* a, int lda, double* y);
void solve_upper(int w, const double* a, int lda, double* y);

/// y_i := max(y_i, max_j |a_ij|) with A of m × k; m is a multiple of `padding`.
void largest_in_rows(int m, int k, const double* a, int lda, double* y);

/// y := y - A x with A of m × k; m is a multiple of `padding`.
void subtract_image(int m, int k, const double* a, int lda, const double* x, double* y);

/// y := y - Aᵀ x with A of m × k; m is a multiple of `padding`.
void subtract_transposed_image(int m, int k, const double* a, int lda, const double* x, double* y);

} // namespace daedalus::linalg
