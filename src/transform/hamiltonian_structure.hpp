// Whether equations of motion are Hamilton's, q' = H_p, p' = -H_q - Gᵀ λ (HW (2.14)), and what the momenta are where
// the author wrote the equations of first order, der(q) = p/m. Derivatives are compared at random points.
#pragma once

#include "transform/equations_of_motion.hpp"

#include <span>
#include <utility>
#include <vector>

namespace daedalus::transform {

/// x' = rate of one state.
struct FirstOrder {
    NodeId leaf, rate;
    bool position = false, momentum = false; ///< what it is, where that is known
};

/// Positions and the momenta that belong to them, by place in the list; empty: the equations are not seen to be of this
/// form. With z = (q, p) it asks for ∂z'/∂z = J S with a symmetric S, and for H_pp > 0 on the diagonal, which tells a
/// momentum from a position.
[[nodiscard]] std::vector<std::pair<int, int>> canonical_pairs(const System& system,
                                                               std::span<const FirstOrder> states);

/// Fills in mass_rate, no_hamiltonian and no_separable.
void judge_hamiltonian(const System& system, EquationsOfMotion& motion);

} // namespace daedalus::transform
