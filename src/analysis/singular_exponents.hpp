// How solutions of  M(τ) δ' + J(τ) δ = 0  leave τ = 0 where the equations are singular: like  δ_j = c_j τ^(e_j) .
//
// With P = diag(p_j), δ_j = τ^(e + p_j) c_j gives  (e M/τ + M P/τ + J) δ = 0 : e is an eigenvalue of the pencil
// (M/τ, -(J + M P/τ)). Where τ M⁻¹ J has a limit (singularities of the first kind; de Hoog & Weiss 1976) all p_j are
// zero. Elsewhere components have different powers, as x and x' of a second-order equation do: p_j is found from how
// the null vector of the pencil with P = 0 changes with τ, and e with it. Solutions part from nothing where all e_j are
// positive; where only some are, start values of the others tell them apart. Exponents that grow as τ → 0 belong to
// solutions that leave faster than any power, or by a right side that has no derivative.
#pragma once

#include "linalg/dense_matrix.hpp"

#include <optional>
#include <span>

namespace daedalus::analysis {

struct SingularLinearisation {
    double tau = 0.0; ///< signed
    linalg::Matrix J, M;
};

struct PartingSolutions {
    double exponent = 0.0; ///< least of the e_j, at the least distance
    bool power = false;    ///< it is the same at all distances
};

/// At distances that shrink by the same factor. Nothing: none part from nothing, or it cannot be told.
[[nodiscard]] std::optional<PartingSolutions> parting_solutions(std::span<const SingularLinearisation> at);

/// The largest real part of an eigenvalue at one distance, with P = 0.
[[nodiscard]] double largest_exponent(const SingularLinearisation& at);

} // namespace daedalus::analysis
