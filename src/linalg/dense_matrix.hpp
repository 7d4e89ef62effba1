// A dense matrix that owns its entries, column by column, with the arithmetic that analyses are written in. For
// matrices of at most a few hundred rows; kernels inside integrators use spans and solvers instead.
#pragma once

#include "linalg/rank.hpp"

#include <cassert>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace daedalus::linalg {

class Matrix {
public:
    Matrix() = default;
    Matrix(int rows, int cols) : rows_(rows), cols_(cols), data_(size(rows, cols), 0.0) {}
    /// Row by row, as it is written on paper.
    Matrix(std::initializer_list<std::initializer_list<double>> rows);
    [[nodiscard]] static Matrix identity(int n);
    [[nodiscard]] static Matrix diagonal(std::span<const double> entries);

    [[nodiscard]] int rows() const { return rows_; }
    [[nodiscard]] int cols() const { return cols_; }
    [[nodiscard]] bool empty() const { return rows_ == 0 || cols_ == 0; }
    [[nodiscard]] bool square() const { return rows_ == cols_; }
    [[nodiscard]] double& operator()(int i, int j) { return data_[at(i, j)]; }
    [[nodiscard]] double operator()(int i, int j) const { return data_[at(i, j)]; }
    [[nodiscard]] double* data() { return data_.data(); }
    [[nodiscard]] const double* data() const { return data_.data(); }
    [[nodiscard]] std::span<double> entries() { return data_; }
    [[nodiscard]] std::span<const double> entries() const { return data_; }
    [[nodiscard]] std::span<double> column(int j) { return std::span(data_).subspan(at(0, j), size(rows_, 1)); }
    [[nodiscard]] std::span<const double> column(int j) const {
        return std::span(data_).subspan(at(0, j), size(rows_, 1));
    }
    [[nodiscard]] DenseView view() const { return {data_, rows_, cols_}; }

    /// A copy of `rows` × `cols` entries from (row, col) on; and the way back.
    [[nodiscard]] Matrix block(int row, int col, int rows, int cols) const;
    void set_block(int row, int col, const Matrix& part);
    [[nodiscard]] Matrix columns(int first, int count) const { return block(0, first, rows_, count); }
    [[nodiscard]] Matrix rows_from(int first, int count) const { return block(first, 0, count, cols_); }
    [[nodiscard]] Matrix transposed() const;

    Matrix& operator+=(const Matrix& b);
    Matrix& operator-=(const Matrix& b);
    Matrix& operator*=(double factor);

private:
    static std::size_t size(int rows, int cols) {
        assert(rows >= 0 && cols >= 0);
        return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
    }
    [[nodiscard]] std::size_t at(int i, int j) const {
        return static_cast<std::size_t>(j) * static_cast<std::size_t>(rows_) + static_cast<std::size_t>(i);
    }

    int rows_ = 0;
    int cols_ = 0;
    std::vector<double> data_;
};

[[nodiscard]] Matrix operator+(Matrix a, const Matrix& b);
[[nodiscard]] Matrix operator-(Matrix a, const Matrix& b);
[[nodiscard]] Matrix operator*(double factor, Matrix a);
[[nodiscard]] Matrix operator*(const Matrix& a, const Matrix& b);
[[nodiscard]] std::vector<double> operator*(const Matrix& a, std::span<const double> x);
/// Aᵀ B
[[nodiscard]] Matrix transposed_times(const Matrix& a, const Matrix& b);
/// [A B] and [A; B]
[[nodiscard]] Matrix beside(const Matrix& a, const Matrix& b);
[[nodiscard]] Matrix above(const Matrix& a, const Matrix& b);

[[nodiscard]] bool all_finite(const Matrix& a);
[[nodiscard]] double max_abs(const Matrix& a);
/// Scaled by the largest entry, so that 1e200 does not overflow.
[[nodiscard]] double frobenius_norm(const Matrix& a);
/// Largest column sum.
[[nodiscard]] double norm_1(const Matrix& a);

struct LinearSolution {
    Matrix x;
    double reciprocal_condition = 0.0; ///< of A in the 1-norm, estimated
};
/// A⁻¹ B by LU with partial pivoting; nothing if A is singular to the last bit.
[[nodiscard]] std::optional<LinearSolution> solve(const Matrix& a, const Matrix& b);

} // namespace daedalus::linalg
