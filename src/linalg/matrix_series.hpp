// Truncated Taylor series A₀ + A₁ s + A₂ s² + … with matrix coefficients: derivatives of products, inverses, null
// spaces and projectors of matrix functions, exact up to rounding (no difference quotients).
#pragma once

#include "linalg/singular_values.hpp"

#include <vector>

namespace daedalus::linalg {

class MatrixSeries {
public:
    MatrixSeries() = default;
    explicit MatrixSeries(std::vector<Matrix> coefficients) : c_(std::move(coefficients)) {}
    /// A constant, with `order` zero coefficients after it.
    static MatrixSeries constant(const Matrix& a, int order);

    [[nodiscard]] int order() const { return static_cast<int>(c_.size()) - 1; }
    [[nodiscard]] const Matrix& operator[](int k) const { return c_[static_cast<std::size_t>(k)]; }
    [[nodiscard]] const Matrix& value() const { return c_.front(); }
    [[nodiscard]] int rows() const { return c_.front().rows(); }
    [[nodiscard]] int cols() const { return c_.front().cols(); }

    /// Coefficient by coefficient.
    [[nodiscard]] MatrixSeries block(int row, int col, int rows, int cols) const;
    /// One order less; of a series of order 0 that is declared constant: zero.
    [[nodiscard]] MatrixSeries derivative() const;
    [[nodiscard]] MatrixSeries truncated(int order) const;

private:
    std::vector<Matrix> c_;
};

// Results have the lower order of both.
[[nodiscard]] MatrixSeries operator+(const MatrixSeries& a, const MatrixSeries& b);
[[nodiscard]] MatrixSeries operator-(const MatrixSeries& a, const MatrixSeries& b);
[[nodiscard]] MatrixSeries operator*(const MatrixSeries& a, const MatrixSeries& b);
[[nodiscard]] MatrixSeries beside(const MatrixSeries& a, const MatrixSeries& b);
[[nodiscard]] MatrixSeries above(const MatrixSeries& a, const MatrixSeries& b);
/// The leading coefficient must be invertible.
[[nodiscard]] std::optional<MatrixSeries> inverse(const MatrixSeries& a);

/// Bases that depend smoothly on s, of a matrix function whose rank is constant.
struct SmoothSpaces {
    MatrixSeries null_space;    ///< columns span ker A(s)
    MatrixSeries range;         ///< columns span im A(s)
    MatrixSeries inner_inverse; ///< A X A = A
    RankGap gap;                ///< of the leading coefficient
    double rank_defect = 0.0;   ///< size, relative to A, of what contradicts a constant rank: 0 if it is constant
};
[[nodiscard]] SmoothSpaces smooth_spaces(const MatrixSeries& a, const RankRule& rule);

} // namespace daedalus::linalg
