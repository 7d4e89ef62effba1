// Scaling of a pencil λ E + H before ranks are decided: rows, columns and the unit of time, by powers of two so that
// no digit is lost,
//     Ẽ = 2^e D_r E D_c ,   H̃ = 2^h D_r H D_c .
// The Kronecker structure does not change; eigenvalues are multiplied by 2^(h-e).
#pragma once

#include "linalg/dense_matrix.hpp"

namespace daedalus::analysis {

struct ScaledPencil {
    linalg::Matrix e, h;
    std::vector<int> row_exponent, col_exponent;
    int e_exponent = 0, h_exponent = 0;
    bool lost = false; ///< an entry became zero, or so small that only its sign of being not zero is left
};

/// Each matrix to largest entry about 1; rows and columns stay.
[[nodiscard]] ScaledPencil scale_norms(const linalg::Matrix& e, const linalg::Matrix& h);
/// Rows and columns too, until the largest entry of each in [E H] and in [E; H] is about 1 (Ruiz 2001).
[[nodiscard]] ScaledPencil scale_rows_and_columns(const linalg::Matrix& e, const linalg::Matrix& h);
/// Least squares of the logarithms of all entries first (Curtis & Reid 1972): where one row or column joins entries so
/// far apart that the rule of the largest loses some.
[[nodiscard]] ScaledPencil scale_all_entries(const linalg::Matrix& e, const linalg::Matrix& h);

/// Binary orders of magnitude between the largest and the smallest nonzero entry of each matrix, the larger of both.
[[nodiscard]] int exponent_spread(const linalg::Matrix& e, const linalg::Matrix& h);

} // namespace daedalus::analysis
