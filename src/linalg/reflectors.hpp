// An orthogonal matrix as a product of a few Householder reflections, never formed: Q = H₁ … H_s with Qᵀ A = [R; 0] for
// an m × s matrix A. Applied to n columns it costs O(m n s) where the product with Q itself costs O(m² n); reductions
// that split off a few rows or columns at a time stay cubic by it.
#pragma once

#include "linalg/singular_values.hpp"

namespace daedalus::linalg {

class Reflectors {
public:
    /// Q whose first columns span those of `a`, which has at most as many columns as rows.
    explicit Reflectors(const Matrix& a);
    [[nodiscard]] int size() const { return factors_.rows(); }
    /// R, s × s.
    [[nodiscard]] Matrix triangle() const;
    /// The part of A from row `first` on := Qᵀ times it; that from column `first` on := it times Q.
    void apply_to_rows(Matrix& a, int first) const;
    void apply_to_columns(Matrix& a, int first) const;

private:
    Matrix factors_;
    std::vector<double> tau_;
};

/// The rows of a matrix with few columns compressed: Uᵀ A = [R; 0] with R of full row rank, U = Q diag(u, I).
class RowSplit {
public:
    RowSplit(const Matrix& a, const RankRule& rule);
    [[nodiscard]] const RankGap& gap() const { return gap_; }
    [[nodiscard]] bool ok() const { return ok_; }
    void apply_to_rows(Matrix& a, int first) const;
    void apply_to_columns(Matrix& a, int first) const;

private:
    Reflectors q_;
    Matrix u_;
    RankGap gap_;
    bool ok_ = true;
};

} // namespace daedalus::linalg
