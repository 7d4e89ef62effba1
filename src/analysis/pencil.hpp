// What a pair of matrices (E, H) of any shape says about E x' + H x = c: regular or singular, Kronecker structure,
// index, eigenvalues, Weierstrass form; with the evidence for every rank decision, and "undecided" where the evidence
// does not suffice.                                                           HW Thm 1.1, W Thms 1.3 and 1.4, S 2.3
//
// When it is undecided:
//  - an entry is not finite, or entries span so many decades that the small ones cannot be told from zero;
//  - a singular value lies between the tolerance of its rank decision and √ε of the norm (linalg::rank_rule):
//    noise in the data could have made it;
//  - the ranks contradict each other, or the scaled and the unscaled pencil have different structures;
//  - the structure contradicts that of (s E + H)⁻¹ E, which is found independently (drazin_inverse.hpp).
#pragma once

#include "analysis/weierstrass_form.hpp"

namespace daedalus::analysis {

struct PencilOptions {
    double noise = 0.0;      ///< relative accuracy of the entries; 0: exact up to rounding
    bool weierstrass = true; ///< compute P and Q too (regular pencils)
};

/// The blocks of the Kronecker canonical form.
struct KroneckerStructure {
    std::vector<int> right_minimal_indices; ///< ε of the blocks L_ε: ε equations in ε + 1 unknowns
    std::vector<int> left_minimal_indices;  ///< η of the blocks L_ηᵀ: η + 1 equations in η unknowns
    std::vector<int> infinite_blocks;       ///< sizes of the nilpotent Jordan blocks, descending
    int finite_size = 0;                    ///< number of finite eigenvalues
    [[nodiscard]] bool regular() const { return right_minimal_indices.empty() && left_minimal_indices.empty(); }
    [[nodiscard]] int index() const { return infinite_blocks.empty() ? 0 : infinite_blocks.front(); }
    friend bool operator==(const KroneckerStructure&, const KroneckerStructure&) = default;
};

/// x₀ + λ x₁ + … of least degree with (λ E + H) x(λ) = 0; or, from the left, of the equations.
using NullPolynomial = std::vector<std::vector<double>>;

enum class CrossCheck { agrees, disagrees, not_possible };

struct PencilReport {
    int rows = 0, cols = 0;
    bool decided = false;
    std::vector<std::string> reasons; ///< why undecided
    /// Decided, or else only the likeliest with the tolerance used.
    KroneckerStructure structure;
    std::optional<std::vector<std::complex<double>>> eigenvalues; ///< finite ones, if they could be computed
    std::optional<WeierstrassForm> weierstrass;                   ///< regular and decided
    double backward_error = 0.0; ///< of the Weierstrass form if there is one, else of the staircase form
    std::vector<StaircaseGap> gaps;
    CrossCheck cross_check = CrossCheck::not_possible;
    bool balanced = false; ///< rows and columns were scaled
    NullPolynomial right_null, left_null;
    std::vector<std::string> remarks;
};

[[nodiscard]] PencilReport analyze_pencil(const linalg::Matrix& e, const linalg::Matrix& h,
                                          const PencilOptions& options = {});

/// Polynomial of degree `degree` in the null space, of unit length; empty if there is none or it is too large to
/// compute.
[[nodiscard]] NullPolynomial null_polynomial(const linalg::Matrix& e, const linalg::Matrix& h, int degree);

} // namespace daedalus::analysis
