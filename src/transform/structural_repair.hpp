// Structure can promise more than the numbers keep: where a combination of equations cancels all leading derivatives,
// the system Jacobian is singular everywhere and the offsets are wrong. The linear combination method (Tan, Nedialkov
// & Pryce 2017) replaces one of those equations by the combination
//     f̄ = Σ_{i ∈ L} u_i f_i^(c_i − c_min),      Σ_i u_i ∂f_i^(c_i)/∂x_j^(d_j) = 0 for all j,
// which is equivalent and has a smaller transversal; repeated until the system Jacobian is regular. The multipliers u
// are found symbolically, by elimination on the block of the Jacobian that is singular; a pivot counts as zero when it
// vanishes at several random points.
#pragma once

#include "transform/index_reduction.hpp"

#include <string>
#include <vector>

namespace daedalus::transform {

struct Repair {
    int row = 0;               ///< equation that was replaced
    std::vector<int> combined; ///< equations in the combination
    std::string text;          ///< for the report
};

struct RepairOutcome {
    std::vector<Repair> repairs;
    bool regular = true;            ///< the system Jacobian is now generically nonsingular
    std::vector<int> singular_rows; ///< otherwise: equations of the block that could not be repaired
    std::string why_not;            ///< and why
};

/// Checks the blocks of the system Jacobian and repairs `system` (equations change in place).
[[nodiscard]] RepairOutcome repair_structure(System& system);

} // namespace daedalus::transform
