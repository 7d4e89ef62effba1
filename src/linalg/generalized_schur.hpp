// Generalized Schur form of a square pencil A - λ B, the eigenvalues in it, and the coupled Sylvester equations
//     A R - L B = C ,   D R - L E = F
// that split a block triangular pencil in two. LAPACK gges and tgsyl (Kågström & Poromaa 1996).
#pragma once

#include "linalg/dense_matrix.hpp"

#include <complex>

namespace daedalus::linalg {

/// A = Q S Zᵀ, B = Q T Zᵀ, with S quasi-triangular and T triangular.
struct GeneralizedSchur {
    Matrix s, t, q, z;
    std::vector<std::complex<double>> alpha; ///< eigenvalue i is alpha/beta …
    std::vector<double> beta;                ///< … infinite where this is 0
    bool converged = true;
};
/// Without `vectors`, Q and Z stay empty.
[[nodiscard]] GeneralizedSchur generalized_schur(const Matrix& a, const Matrix& b, bool vectors = true);

struct CoupledSylvester {
    Matrix r, l;
    bool ok = true;
    /// Lower-bound estimate of the separation of the two pencils: the solution's error is of size ε / dif.
    double dif = 0.0;
};
/// `left` is the Schur form of (A, D), `right` that of (B, E), both with vectors.
[[nodiscard]] CoupledSylvester solve_coupled_sylvester(const GeneralizedSchur& left, const GeneralizedSchur& right,
                                                       const Matrix& c, const Matrix& f);

} // namespace daedalus::linalg
