// The equations of motion of a mechanism, found in a general system:
//
//     y' = k(t, y, v),   M(t, y) v' = f(t, y, v) - L(t, y) λ,   0 = g(t, y)  or  0 = w(t, y, v)       HW (1.46)
//
// Variables that an equation defines alone (forces, lengths, sines) are put into the others. Then equations without
// leading derivatives are the constraints and unknowns without derivatives are the multipliers; rows with multipliers
// or second derivatives are those of velocities, which need not be solved for v': M may be full. What is not of this
// form is told in words.
#pragma once

#include "transform/index_reduction.hpp"

#include <string>
#include <vector>

namespace daedalus::transform {

struct EquationsOfMotion {
    std::vector<JetEntry> y, v, lambda;
    std::vector<NodeId> k, f, g, w, gamma; ///< γ: of w' = W v' + γ
    struct Entry {
        int row, column;
        NodeId value;
    };
    std::vector<Entry> M, L, W; // NOLINT(readability-identifier-naming): letters of the literature
    struct Definition {
        JetEntry entry;
        NodeId value; ///< in t, y, v, v' and λ
    };
    std::vector<Definition> definitions;
    std::vector<int> rows; ///< of the system, that w comes from
    int holonomic = 0;     ///< so many of w, the first ones, are derivatives of g
    std::string why_not;   ///< empty: found
    bool identity_kinematics = false, constant_masses = false;
    std::vector<NodeId> mass_rate; ///< (dM/dt) v along y' = k; empty: constant masses
    std::string no_hamiltonian;    ///< why it is no Hamiltonian system; empty: it is one
    std::string no_separable;      ///< why H is not T(p) + U(q)

    [[nodiscard]] bool found() const { return why_not.empty(); }
};

/// T with L T = Wᵀ, constant: λ = T s is what multipliers are for the force Wᵀ s. Authors write multiples of gradients,
/// the other sign, or sums of multipliers. Empty where there is no such matrix.
[[nodiscard]] std::vector<std::vector<double>> multipliers_of_gradient(const System& system,
                                                                       const EquationsOfMotion& motion);

[[nodiscard]] EquationsOfMotion equations_of_motion(const System& system, const ReducedSystem& reduced);

} // namespace daedalus::transform
