// The generalised-α method on the index-3 form of mechanisms (Chung & Hulbert 1993; Arnold & Brüls 2007), with its
// Lie-group form where orientations are not vectors (Brüls & Cardona 2010):
//
//     y_{n+1} = y_n ∘ exp(h Δ),   Δ = v_n + h (1/2 - β) a_n + h β a_{n+1}
//     v_{n+1} = v_n + h (1 - γ) a_n + h γ a_{n+1}
//     (1 - α_m) a_{n+1} + α_m a_n = (1 - α_f) v'_{n+1} + α_f v'_n
//     M v'_{n+1} = f - L λ_{n+1},   0 = g(y_{n+1})   (0 = w(y_{n+1}, v_{n+1}) where a constraint is non-holonomic)
//
// y ∘ exp(hΔ) is where y' = k(y, Δ) leads in the time h with Δ held: y + hΔ where y' = v, a rotation where y is a
// quaternion, whatever the description calls it. Coefficients follow from the spectral radius ρ at infinity (here 0.8):
// α_m = (2ρ - 1)/(ρ + 1), α_f = ρ/(ρ + 1), γ = 1/2 - α_m + α_f, β = (γ + 1/2)²/4. Order 2 in y, v and λ.
//
// a_n is v' at t_n + δh, δ = α_m - α_f, and v_n keeps g = 0 with the errors of the method, so that W v_n is not 0 but
// h² (1/6 - δ/2 - β) W v''. Both start there, or multipliers begin with an error O(h) (Arnold, Brüls & Cardona 2015);
// where the step size changes, both move on. What is shown is v_n returned to the constraints on velocities, and v' and
// λ of that point.
#pragma once

#include "integrate/stepper.hpp"

namespace daedalus::integrate {

[[nodiscard]] std::unique_ptr<Stepper> make_generalized_alpha(const problem::ImplicitProblem& problem,
                                                              const IntegrationOptions& options);

} // namespace daedalus::integrate
