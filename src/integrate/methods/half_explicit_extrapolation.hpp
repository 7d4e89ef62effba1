// Extrapolation of a half-explicit midpoint rule on the index-2 form of mechanisms (Lubich 1991; Lubich, Engstler,
// Nowak & Pöhle 1995, MEXX). With substeps τ,
//
//     y_{n+1} = y_{n-1} + 2τ k(y_n, v_n),
//     M(y_n) (v_{n+1} - v_{n-1}) = 2τ (f(y_n, v_n) - L(y_n) λ_n),   0 = w(y_{n+1}, v_{n+1}),
//
// begun by a step of the same kind of size τ from (y_0, v_0). Backward it is the same rule, also at its start: there
// corrections of v_0 along M⁻¹ L make w vanish at +τ and -τ, and they change neither v_1 nor anything that follows. So
// errors have expansions in τ², and k rows of the table of Aitken and Neville have order 2k. The end of a step returns
// to the constraints on velocities; order and step size vary as in ODEX.
#pragma once

#include "integrate/stepper.hpp"

namespace daedalus::integrate {

[[nodiscard]] std::unique_ptr<Stepper> make_half_explicit_extrapolation(const problem::ImplicitProblem& problem,
                                                                        const IntegrationOptions& options);

} // namespace daedalus::integrate
