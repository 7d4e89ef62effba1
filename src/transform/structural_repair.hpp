// Structure can promise more than the numbers keep: where a combination of equations cancels all leading derivatives,
// the system Jacobian is singular everywhere and the offsets are wrong. Two conversions to an equivalent system with a
// smaller transversal (Tan, Nedialkov & Pryce 2017), repeated until the system Jacobian is regular:
//   linear combination: one of the dependent equations is replaced by
//     f̄ = Σ_{i ∈ L} u_i f_i^(c_i − c_min),      Σ_i u_i ∂f_i^(c_i)/∂x_j^(d_j) = 0 for all j;
//   expression substitution, where that does not apply: new variables for the combinations of leading derivatives
//   that the equations really contain (expression_substitution.hpp).
// What neither can convert is left as it is and reported: `regular` is false, and a reduction by derivative arrays
// would start there.
#pragma once

#include "transform/index_reduction.hpp"

#include <string>
#include <vector>

namespace daedalus::transform {

enum class RepairMethod { linear_combination, expression_substitution };

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
    int unchecked = 0;                ///< blocks whose elimination fills in too much to be looked at
};

/// Checks the blocks of the system Jacobian and repairs `system` (equations change in place).
[[nodiscard]] RepairOutcome repair_structure(System& system);

} // namespace daedalus::transform
