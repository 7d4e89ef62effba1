// Residual of a sparse system with the componentwise backward error max_i |b - A x|_i / (|A||x| + |b|)_i of Oettli &
// Prager (1964), which does not change when rows or columns are scaled.
#pragma once

#include "base/sparsity_pattern.hpp"

#include <complex>
#include <span>
#include <vector>

namespace daedalus::linalg {

class BackwardError {
public:
    BackwardError() = default;
    explicit BackwardError(const SparsityPattern& pattern);

    /// r := b - A x (or Aᵀ x); returns the backward error, 0 where nothing is to be said. `a`: values on the pattern.
    template <class Scalar>
    [[nodiscard]] double operator()(const SparsityPattern& pattern, const Scalar* a, std::span<const Scalar> b,
                                    std::span<const Scalar> x, std::span<Scalar> r, bool transposed) const;

private:
    std::vector<int> row_start_, entry_, column_; ///< the pattern by rows
};

} // namespace daedalus::linalg
