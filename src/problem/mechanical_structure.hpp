// Facets of mechanisms: the equations of motion by their parts, for methods that use them (half-explicit and symplectic
// ones, projections in the metric of the masses).
//
//     y' = k(t, y, v)                                   positions, and whatever else follows from (y, v)
//     M(t, y) v' = f(t, y, v) - L(t, y) λ               velocities
//     0 = g(t, y)                                       constraints on positions
//     0 = w(t, y, v)                                    those of velocities: first g' = g_y k + g_t, then non-holonomic
//     0 = W v' + γ(t, y, v),  W = w_v,  γ = w_y k + w_t   and of accelerations: γ has g_qq(v, v) and all terms of time
//
// HW (1.46), (2.4)-(2.5); L is G^T where the author wrote it so, and any other basis of the forces of constraint else.
// M may be singular as long as the matrix [M L; W 0] of (2.5) is not.
#pragma once

#include "base/sparsity_pattern.hpp"
#include "problem/functions.hpp"

#include <string>
#include <vector>

namespace daedalus::problem {

struct MechanicalStructure {
    int positions = 0;   ///< y
    int velocities = 0;  ///< v
    int holonomic = 0;   ///< constraints g
    int constraints = 0; ///< constraints w, and multipliers λ

    std::vector<int> y, v, lambda; ///< unknowns of the problem that they are
    SparsityPattern matrix;        ///< of [M L; W 0]

    /// k from (t, y, v); g from (t, y); w from (t, y, v)
    EvalStatus (*rates)(const Call&, double t, const double* y, const double* v, double* k) = nullptr;
    EvalStatus (*position)(const Call&, double t, const double* y, double* g) = nullptr;
    EvalStatus (*velocity)(const Call&, double t, const double* y, const double* v, double* w) = nullptr;
    /// values[0 … nonzeros) of the matrix from (t, y)
    EvalStatus (*matrices)(const Call&, double t, const double* y, double* values) = nullptr;
    /// The same, and behind them f and -γ, the right side of (2.5), with subexpressions shared
    EvalStatus (*dynamics)(const Call&, double t, const double* y, const double* v, double* values_f_gamma) = nullptr;
    /// Z of y' = Z v + …: k_v on z_pattern (positions × velocities), from (t, y, v)
    EvalStatus (*kinematics)(const Call&, double t, const double* y, const double* v, double* values) = nullptr;
    SparsityPattern z_pattern;
    /// g_y on slopes_pattern (holonomic × positions), from (t, y). Null where the formulation is not `tangent`.
    EvalStatus (*slopes)(const Call&, double t, const double* y, double* values) = nullptr;
    SparsityPattern slopes_pattern;
    /// (dM/dt) v along y' = k, from (t, y, v): momenta p = M v have p' = f + (dM/dt) v - L λ. Null: masses are
    /// constant.
    EvalStatus (*mass_rate)(const Call&, double t, const double* y, const double* v, double* values) = nullptr;
    /// ∂(M v' + L λ - f)/∂(y, v) on forces_pattern (velocities × (positions + velocities)), from (t, y, v, v', λ); for
    /// methods that solve for stages. Null where the formulation is for others.
    EvalStatus (*forces)(const Call&, double t, const double* y, const double* v_a_lambda, double* values) = nullptr;
    SparsityPattern forces_pattern;
    /// The whole x and behind it x' of the problem from (t, y, v, v', λ)
    EvalStatus (*expand)(const Call&, double t, const double* y, const double* v_a_lambda, double* x_dx) = nullptr;

    /// Level of constraints that the loop returns to after each step, in the metric of M: 0 none, 1 positions HW
    /// (2.10), 2 velocities HW (2.11).
    int projected_level = 0;
    bool tangent = false;             ///< explicit methods take coordinates of the tangent space, HW (2.23), (2.24)
    bool identity_kinematics = false; ///< y' = v, in this order
    bool constant_masses = false;     ///< M depends on nothing
    [[nodiscard]] bool empty() const { return dynamics == nullptr; }
};

/// Hamilton's equations q' = H_p, p' = -H_q - Gᵀ λ, HW (2.14), with p = M(q) v: methods work with y = q and v. Either
/// velocities are derivatives of positions, H = pᵀ M(q)⁻¹ p/2 + U(q), or v are the momenta themselves and M is diagonal
/// and constant.
struct Hamiltonian {
    bool present = false;
    bool separable = false; ///< H = T(p) + U(q): k depends on v alone, f on y alone, M on nothing
    std::string why_not;    ///< where a mechanism has none
    std::string why_not_separable;
};

} // namespace daedalus::problem
