// Row and column scaling As = R A C that makes the largest entry of every row and column of order one. Factors are
// powers of two, so scaling commits no rounding error (Golub & Van Loan, 3.5.2).
#pragma once

#include "base/sparsity_pattern.hpp"

#include <complex>
#include <span>
#include <vector>

namespace daedalus::linalg {

template <class Scalar>
class Equilibration {
public:
    explicit Equilibration(const SparsityPattern& pattern);

    /// Computes R and C and writes As; false if a value is NaN or infinite.
    [[nodiscard]] bool scale(const SparsityPattern& pattern, std::span<const Scalar> values, std::span<Scalar> scaled);
    [[nodiscard]] std::span<const double> rows() const { return row_; }
    [[nodiscard]] std::span<const double> cols() const { return col_; }

private:
    std::vector<double> row_;
    std::vector<double> col_;
};

extern template class Equilibration<double>;
extern template class Equilibration<std::complex<double>>;

} // namespace daedalus::linalg
