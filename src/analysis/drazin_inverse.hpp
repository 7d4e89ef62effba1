// Drazin inverse of a square matrix: with k the index of A, the one X with
//     A X = X A ,   X A X = X ,   X A^{k+1} = A^k                                                       S (42)
// by an orthogonal staircase that splits off the nilpotent part, V ᵀA V = [N F; 0 B], and the finite sum that solves
// N Y + F = Y B. Of a regular pencil, with a shift s such that s E + H is regular,
//     Ê = (s E + H)⁻¹ E ,   Ĥ = (s E + H)⁻¹ H
// commute, and x is a consistent initial value of E x' + H x = 0 exactly if Ê^D Ê x = x.              S (43), (44)
#pragma once

#include "linalg/singular_values.hpp"

#include <optional>

namespace daedalus::analysis {

/// Vᵀ A V = [N F; 0 B] with N strictly block upper triangular and B nonsingular.
struct NilpotentSplit {
    linalg::Matrix v, a;    ///< orthogonal V, and Vᵀ A V
    std::vector<int> steps; ///< dim ker A^j - dim ker A^{j-1}; as many as the index
    std::vector<linalg::RankGap> gaps;
    bool decided = true;
    [[nodiscard]] int nilpotent_size() const;
    [[nodiscard]] int index() const { return static_cast<int>(steps.size()); }
};
[[nodiscard]] NilpotentSplit split_nilpotent(const linalg::Matrix& a, double noise = 0.0);

struct DrazinInverse {
    linalg::Matrix inverse;   ///< A^D
    linalg::Matrix projector; ///< A^D A, onto range(A^k) along ker(A^k)
    int index = 0;
    bool decided = true; ///< every rank decision was clear
    std::vector<linalg::RankGap> gaps;
};
/// Nothing if A is not finite.
[[nodiscard]] std::optional<DrazinInverse> drazin_inverse(const linalg::Matrix& a, double noise = 0.0);

/// Largest of the three axioms' relative errors.
[[nodiscard]] double drazin_axioms_error(const linalg::Matrix& a, const linalg::Matrix& x, int index);

/// Ê and Ĥ with the shift, of a few, that gives the best conditioned s E + H; nothing if all are singular. E and H
/// should be of similar size.
struct ShiftedPencil {
    double shift = 0.0;
    linalg::Matrix e_hat, h_hat;
    double reciprocal_condition = 0.0;
};
[[nodiscard]] std::optional<ShiftedPencil> shifted_pencil(const linalg::Matrix& e, const linalg::Matrix& h);

/// Projectors of a regular pencil, from Ê: onto the consistent initial values (the finite deflating subspace) and its
/// complement, the basis of the former, and the index.
struct SpectralProjectors {
    linalg::Matrix finite, infinite; ///< Ê^D Ê and I - Ê^D Ê
    linalg::Matrix consistent;       ///< orthonormal basis of the consistent initial values of E x' + H x = 0
    int index = 0;
    bool decided = true;
};
[[nodiscard]] std::optional<SpectralProjectors> spectral_projectors(const linalg::Matrix& e, const linalg::Matrix& h);

} // namespace daedalus::analysis
