// The integer part of the dummy derivative method (Mattsson & Söderlind 1993), in terms of the offsets of the Σ-method.
// In each irreducible block of the system Jacobian S0 with rows R, columns J, offsets c and d, let
//     R_k = {i ∈ R : c_i ≥ k},   J_0 = J,   J_k ⊂ J_{k−1} with |J_k| = |R_k| and S0[R_k, J_k] nonsingular,  k = 1, 2, …
// For j ∈ J_k the derivative x_j^(d_j − k + 1) becomes an algebraic unknown of its own, a dummy derivative. A block
// adds Σ c_i dummies, and Σ d_j − Σ c_i of its derivatives below d_j remain states: the degrees of freedom. Where a
// level has no more columns (that meet R_k at all) than rows, J_k is forced. Where it has more, the choice depends on
// numbers and may change along the solution: such blocks are returned for whoever has numbers.
#pragma once

#include "structure/block_triangular_form.hpp"
#include "structure/incidence.hpp"
#include "structure/signature_method.hpp"

#include <cstdint>
#include <vector>

namespace daedalus::structure {

/// Level k ≥ 1: `rows` = |R_k| columns are to be chosen out of `columns` candidates. Candidates are columns of J_{k−1}
/// that meet R_k; below the first level with a choice J_{k−1} is not known, and `columns` bounds them from above.
struct DummyLevel {
    int rows = 0;
    int columns = 0;
    friend bool operator==(const DummyLevel&, const DummyLevel&) = default;
};

struct ChoiceBlock {
    int block = 0; ///< number in the block triangular form
    std::vector<int> equations, variables;
    std::vector<int> c, d; ///< offsets of `equations` and `variables`
    std::vector<DummyLevel> levels;
};

/// The dummy derivatives of one variable: x^(lowest), …, x^(highest). They are consecutive because the J_k are nested,
/// and listing ranges keeps the result linear where the index is high; `highest` is d of the variable.
struct DummyRange {
    int variable = 0;
    int lowest = 1;
    int highest = 0;
    friend bool operator==(const DummyRange&, const DummyRange&) = default;
};

struct DummyDerivativeStructure {
    std::vector<ChoiceBlock> choices; ///< in solving order
    std::vector<DummyRange> forced;   ///< of the blocks without choice, by variable
    std::int64_t dummies = 0;         ///< of all blocks: Σ c
    std::int64_t states = 0;          ///< Σ d − Σ c
};

[[nodiscard]] DummyDerivativeStructure dummy_derivatives(const SignatureAnalysis& analysis,
                                                         const BlockTriangularForm& blocks);

/// The dummies of a block once the nested choices J_1 ⊃ J_2 ⊃ … are made (`chosen[k − 1]` = J_k, global numbers).
[[nodiscard]] std::vector<DummyRange> dummies_of_choice(const SignatureAnalysis& analysis,
                                                        const std::vector<std::vector<int>>& chosen);

} // namespace daedalus::structure
