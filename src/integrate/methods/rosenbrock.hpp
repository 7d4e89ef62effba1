// Rosenbrock methods for F(t, x, x') = 0 of index 1: one Jacobian and one factorisation per step, no Newton iteration.
//
// The method is applied to the system x' = z, 0 = F(t, x, z), which is semi-explicit of index 1 where F is, so that
// leading matrices which depend on t and x, and F nonlinear in x', keep the full order. Eliminating the stages of z
// leaves linear systems of the original size with J = ∂F/∂x, M = ∂F/∂x' at (t_n, x_n, z_n):
//     (J + M/(hγ)) u_i = -F(t_i, X_i, Z_i) + M (Z_i + (1/h) Σ_{j<i} c_ij u_j) - d_i h F_t .
// If M is constant, F(t, X, Z) - M Z does not depend on Z, and the right-hand side is -F(t_i, X_i, V_i) - d_i h F_t
// with V_i = -(1/h) Σ c_ij u_j: the textbook form for M x' = f(t, x), M singular or not. F_t is a difference.
// Unknowns of index 2 and 3 are not supported.
#pragma once

#include "integrate/stepper.hpp"
#include "integrate/tableau/rosenbrock.hpp"

namespace daedalus::integrate {

[[nodiscard]] std::unique_ptr<Stepper> make_rosenbrock(const problem::ImplicitProblem& problem,
                                                       const IntegrationOptions& options, tableau::RosenbrockName name);

} // namespace daedalus::integrate
