// Explicit Runge–Kutta methods in coordinates of the tangent space at the beginning of each step: HW (2.23), (2.24); S
// (38). With P the projection onto the kernel of W(q_0) along M⁻¹ L of the same point,
//
//     η' = P v,   ν' = P v',    q = q_0 + η + M⁻¹ L μ  with  g(q) = 0,    v = v_0 + ν + M⁻¹ L κ  with  W(q) v + w_t = 0
//     .
//
// Every stage is on the constraints of both levels, and so is the end of the step: nothing drifts. No basis of the
// tangent space is needed, since P η = η all along. Another step has other coordinates, which costs nothing.
#pragma once

#include "integrate/stepper.hpp"
#include "integrate/tableau/explicit_runge_kutta.hpp"

namespace daedalus::integrate {

[[nodiscard]] std::unique_ptr<Stepper> make_tangent(const problem::ImplicitProblem& problem,
                                                    const IntegrationOptions& options,
                                                    const tableau::ExplicitRungeKutta& method);

} // namespace daedalus::integrate
