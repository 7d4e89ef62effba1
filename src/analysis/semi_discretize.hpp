// A linear PDAE E u_t + H u_xx + C u = c on (0, L), u = 0 at both ends (S (48)), made a DAE in time by central
// differences at N inner points:
//     (I ⊗ E) U' + (T ⊗ H + I ⊗ C) U = c,      T = tridiag(1, −2, 1) / h²,   h = L/(N + 1).
// T has the eigenvalues μ_k = −4/h² sin²(kπ h/2L): the system falls apart into N small ones with the pencils
// (E, C + μ_k H), and its index is the largest of theirs.
#pragma once

#include "analysis/matrix_market.hpp"
#include "linalg/dense_matrix.hpp"

#include <vector>

namespace daedalus::analysis {

struct SemiDiscretePencil {
    MarketMatrix e, h;
};
[[nodiscard]] SemiDiscretePencil semi_discretize(const linalg::Matrix& e, const linalg::Matrix& h,
                                                 const linalg::Matrix& c, int points, double length);
/// μ_1 … μ_N
[[nodiscard]] std::vector<double> difference_eigenvalues(int points, double length);

} // namespace daedalus::analysis
