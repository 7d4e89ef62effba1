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
    /// The whole x and behind it x' of the problem from (t, y, v, v', λ)
    EvalStatus (*expand)(const Call&, double t, const double* y, const double* v_a_lambda, double* x_dx) = nullptr;

    /// Level of constraints that the loop returns to after each step, in the metric of M: 0 none, 1 positions HW
    /// (2.10), 2 velocities HW (2.11).
    int projected_level = 0;
    bool tangent = false;             ///< explicit methods take coordinates of the tangent space, HW (2.23), (2.24)
    bool identity_kinematics = false; ///< y' = v, in this order
    bool constant_masses = false;     ///< M depends on nothing
    bool forces_of_position = false;  ///< f depends on y alone, g not on time
    bool gradient_forces = false;     ///< M and f_y are symmetric: f = -∂U/∂y
    [[nodiscard]] bool empty() const { return dynamics == nullptr; }
};

/// H(p, q) = p^T M^-1 p / 2 + U(q) with constant M, p = M v: HW (2.14). Methods work with v.
struct Hamiltonian {
    bool present = false;
    std::string why_not; ///< where a mechanism has none
};

} // namespace daedalus::problem
