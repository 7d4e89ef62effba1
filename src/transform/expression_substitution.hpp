// The expression substitution method (Tan, Nedialkov & Pryce 2017, section 5). A vector v with J v = 0 for the system
// Jacobian J of a block says that its equations see the leading derivatives of L = {j : v_j ≠ 0} only in combinations.
// With C the most differentiations of the equations that meet L, and one l ∈ L, these combinations become variables,
//     y_j = x_j^(d_j − C) − (v_j/v_l) x_l^(d_l − C),      j ∈ L \ {l},
// and x_j^(d_j − c_i) in f_i gives way to (y_j + (v_j/v_l) x_l^(d_l − C))^(C − c_i); then x_l^(d_l − c_i) cancels.
// It applies where d_j ≥ C for all j ∈ L, and v mentions x_j below d_j − C for j ∈ L, and up to d_j − C otherwise.
#pragma once

#include "transform/sampled_block.hpp"
#include "transform/structural_repair.hpp"

#include <optional>

namespace daedalus::transform {

/// Changes `system` and says how, or leaves it alone where the method does not apply.
[[nodiscard]] std::optional<Repair> substitute_expressions(System& system, const ReducedSystem& reduced,
                                                           const std::vector<int>& column_of, int block,
                                                           const Vanishing& vanishing);

} // namespace daedalus::transform
