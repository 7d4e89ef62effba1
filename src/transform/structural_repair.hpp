// Structure can promise more than the numbers keep: where a combination of equations cancels all leading derivatives,
// the system Jacobian is singular everywhere and the offsets are wrong. Two conversions to an equivalent system with a
// smaller transversal (Tan, Nedialkov & Pryce 2017), repeated until the system Jacobian is regular:
//   linear combination: one of the dependent equations is replaced by
//     f̄ = Σ_{i ∈ L} u_i f_i^(c_i − c_min),      Σ_i u_i ∂f_i^(c_i)/∂x_j^(d_j) = 0 for all j;
//   expression substitution, where that does not apply: new variables for the combinations of leading derivatives
//   that the equations really contain (expression_substitution.hpp).
// Where equations depend on each other on solutions only, which somebody must have seen there, leading derivatives are
// eliminated (leading_elimination.hpp).
// What none can convert is left as it is and reported: `regular` is false, and a reduction by derivative arrays
// would start there.
#pragma once

#include "transform/index_reduction.hpp"

#include <string>
#include <vector>

namespace daedalus::transform {

enum class RepairMethod { linear_combination, expression_substitution, leading_elimination };

struct Repair {
    RepairMethod method = RepairMethod::linear_combination;
    int row = 0;               ///< equation that was replaced; the first, where several were
    std::vector<int> combined; ///< equations in the combination, or that were rewritten
    std::string text;          ///< for the report
};

struct RepairOutcome {
    std::vector<Repair> repairs;
    bool regular = true;              ///< the system Jacobian is now generically nonsingular
    std::vector<int> singular_rows;   ///< otherwise: dependent equations that could not be repaired
    std::string singular_combination; ///< their left null vector: Σ multiplier·[differentiated equation], if known
    std::string why_not;              ///< why they could not be
    int eliminated = 0;               ///< sets of equations that depend on solutions only and were converted
    int unchecked = 0;                ///< blocks whose elimination fills in too much to be looked at
};

/// Checks the blocks of the system Jacobian and repairs `system` (equations change in place). `dependent`: sets of
/// equations, by their origin, that somebody found to depend on each other at solutions, though not elsewhere; they are
/// converted in this order (leading_elimination.hpp) as far as possible.
[[nodiscard]] RepairOutcome repair_structure(System& system, const std::vector<std::vector<int>>& dependent = {});

} // namespace daedalus::transform
