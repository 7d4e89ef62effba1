// Explicit Runge–Kutta methods for F(t, x, x') = 0 of index ≤ 1 that is not stiff: mechanisms, planets, oscillators.
//
// At each stage the differential unknowns are known explicitly,
//     X_d = x_d + h Σ_{j<i} a_ij K_j ,
// and F(t_i, (X_d, X_a), K_i) = 0 is solved for (K_i, X_a) by Newton with the local matrix [∂F/∂x'_d, ∂F/∂x_a]
// (local_system.hpp), which does not depend on h and is kept as long as the iteration converges quickly. This is the
// method applied to the ordinary differential equation that F hides: the order of the method holds, constraints that
// are rows of F hold at every stage (half-explicit in the sense of HW VII.6, with all constraints of the reduced
// system).
//
// The estimate of the error of the states is carried over to algebraic unknowns by δx_a = -[…]⁻¹ ∂F/∂x_d δx_d.
// Between the ends of a step the states come from the dense output, everything else from a polynomial through solutions
// of F = 0 at Chebyshev points inside the step, found when first asked for.
//
// Where stability and not accuracy limits the step (|hλ|, measured at the two stages at the end of the step, on the
// boundary for many steps: Hairer & Wanner 1996, IV.2) the stepper says so.
#pragma once

#include "integrate/stepper.hpp"
#include "integrate/tableau/explicit_runge_kutta.hpp"

namespace daedalus::integrate {

[[nodiscard]] std::unique_ptr<Stepper> make_explicit(const problem::ImplicitProblem& problem,
                                                     const IntegrationOptions& options, tableau::ExplicitName name);

} // namespace daedalus::integrate
