// A system of any index as one of index 1 with the same solutions, from its derivative array, without structure:
//   Kunkel & Mehrmann (1998): with Z₂ᵀ ∂F_μ/∂y = 0 and Z₁ᵀ F_x' T₂ nonsingular,
//       Z₁ᵀ F(t, x, x') = 0            (d differential equations)
//       Z₂ᵀ F_μ(t, x, y) = 0           (a constraints, all hidden ones among them; y = (x', …, x^(μ+1)) eliminated);
//   Campbell & Moore (1995), HW (2.30): in a partition of x into d states p and the rest, chosen by pivoted QR of the
//   constraints' Jacobian,
//       x_p' − f_p(t, x) = 0,          f from F_ν(t, x, f, …) = 0 by least squares,
//       Z₂ᵀ F_ν(t, x, y) = 0,
//   and with F_μ in place of F_ν where that determines the derivatives of a possible choice of states.
// y is found by an inner iteration: y = y₀ + V₁ w with U₁ᵀ F_k(t, x, y) = 0, U₁ and V₁ as array_elimination.hpp finds
// them at a reference point; Z₂ spans what they leave over.
// The reference (U₁, V₁, Z₁, Z₂, partition) is chosen anew whenever a Jacobian is asked for: between two Jacobians the
// residual is one smooth function of (t, x, x'). The unknowns never change, so an integrator notices nothing.
#pragma once

#include "analysis/differentiation_index.hpp"
#include "problem/implicit_problem.hpp"

#include <memory>
#include <span>

namespace daedalus::analysis {

enum class ReducedForm { kunkel_mehrmann, campbell_moore };

/// `index` must be decided. z0: a consistent point of the array of order ν at t0. `written`: the same equations as
/// written, in the same unknowns, on the branches that hold at t0; outputs and events are its own. Behind an event the
/// reduction is made anew for the branches and held values there, whatever their index is. hidden: the differentiated
/// equations, with y as found.
[[nodiscard]] problem::ImplicitProblem array_reduced_problem(std::shared_ptr<problem::DerivativeArray> array,
                                                             const ArrayIndex& index, double t0,
                                                             std::span<const double> z0, ReducedForm form,
                                                             problem::ImplicitProblem written);

/// Of such a problem: the highest differentiation index on branches that its run has met so far.
[[nodiscard]] int highest_index_met(const problem::ImplicitProblem& problem);

} // namespace daedalus::analysis
