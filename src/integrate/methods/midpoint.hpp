// Implicit midpoint rule with an implicit Euler step as its error estimate, for F(t, x, x') = 0 of index 1 and for
// Hessenberg systems of index 2 (S (52)).
//
// Rows of F that contain derivatives are taken at t_n + h/2 with x = (x_n + x_{n+1})/2, x' = (x_{n+1} - x_n)/h; rows
// without, the constraints, at t_{n+1} and x_{n+1}, so that every step ends on them. Algebraic unknowns of index 2
// (pressures) are not averaged: their value belongs to the step. Twice the former rows and once the latter have the
// iteration matrix J + (2/h) M, with the corrections of unknowns of index 2 halved. The difference to implicit Euler,
// F(t_{n+1}, x̂, (x̂ - x_n)/h) = 0, estimates h²x''/2, the error of the latter: pessimistic and never blind.
// A constraint that is hidden in a combination of rows with derivatives (a singular block of M) is not recognised:
// there the rule is only neutrally stable. Such problems need another method, or constraints as rows of their own.
// Order 2, symmetric, A-stable with R(∞) = -1: for conservative and mildly stiff problems.
#pragma once

#include "integrate/stepper.hpp"

namespace daedalus::integrate {

[[nodiscard]] std::unique_ptr<Stepper> make_midpoint(const problem::ImplicitProblem& problem,
                                                     const IntegrationOptions& options);

} // namespace daedalus::integrate
