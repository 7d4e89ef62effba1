// Extrapolated linearly implicit Euler method of variable order and step for F(t, x, x') = 0 of index 1 (the class of
// LIMEX and SEULEX: Deuflhard, Hairer & Zugck 1987; HW IV.9, VI.5).
//
// Row j of the extrapolation table makes n_j substeps of size τ = H/n_j with J = ∂F/∂x, M = ∂F/∂x' frozen at the start
// of the basic step; as for Rosenbrock methods x' = z is a variable of its own, whose elimination leaves
//     (J + M/τ) Δ_k = -F(t_{k+1}, x_k, z_k) + M z_k ,   x_{k+1} = x_k + Δ_k ,   z_{k+1} = Δ_k / τ ,
// and with constant M simply (J + M/τ) Δ_k = -F(t_{k+1}, x_k, 0). T_{j,1} = x_{n_j}; T_{j,k} of Aitken and Neville is
// of order k. Sequence n_j = 2, 3, 4, …: harmonic, and without the single step, because on differential-algebraic
// problems the asymptotic expansion is perturbed and the perturbation smaller the more substeps there are (HW VI.5).
// Order and step together minimise the work per unit of time (Deuflhard 1983). Continuous output: derivatives at the
// end of the step from extrapolated backward differences of the substeps (Hairer & Ostermann 1990).
#pragma once

#include "integrate/stepper.hpp"

namespace daedalus::integrate {

[[nodiscard]] std::unique_ptr<Stepper> make_extrapolation(const problem::ImplicitProblem& problem,
                                                          const IntegrationOptions& options);

} // namespace daedalus::integrate
