// Half-explicit Runge–Kutta methods on systems of index 2 that are no mechanisms (problem/index_two.hpp):
//
//     Y_i = y0 + h Σ_{j<i} a_ij K_j,   0 = F_d(t_i, Y_i, K_i, Z_i),   Z_i such that g = 0 at y0 + h Σ_{j≤i} a_{i+1,j}
//     K_j
//
// (Brasey & Hairer 1993; HW VII.6; in Hessenberg form K = f(Y, Z)). Each stage is a small nonlinear system, linear
// where f is linear in z and g in y. Steps end on the constraints to round-off; z at their end is that of the
// equations, with g' = 0. Between them a quintic through slopes of the equations (Enright, Jackson, Nørsett & Thomsen
// 1986), returned to the constraints.
#pragma once

#include "integrate/stepper.hpp"
#include "integrate/tableau/half_explicit.hpp"

namespace daedalus::integrate {

/// Not for partitioned methods.
[[nodiscard]] std::unique_ptr<Stepper> make_half_explicit_index_two(const problem::ImplicitProblem& problem,
                                                                    const IntegrationOptions& options,
                                                                    const tableau::HalfExplicit& method);

} // namespace daedalus::integrate
