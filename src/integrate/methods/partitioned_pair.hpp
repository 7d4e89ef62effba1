// Partitioned Runge–Kutta methods of constant step for Hamiltonian systems with constraints, momenta p = M(q) v (or v
// itself, problem/mechanical_structure.hpp) and p' = F = f + (dM/dt) v - L λ:
//
//     P_i = p_0 + h Σ â_ij (F(Q_j, V_j) - L(Q_j) Λ_j),   P_i = M(Q_i) V_i,
//     Q_i = q_0 + h Σ a_ij k(Q_j, V_j),                  0 = g(Q_i),
//     p_1 = p_0 + h Σ b_i (F(Q_i, V_i) - L(Q_i) Λ_i),    q_1 = q_0 + h Σ b_i k(Q_i, V_i),   0 = g(q_1) = w(q_1, v_1).
//
// With a of Lobatto IIIA and â of Lobatto IIIB it is symplectic, symmetric and of order 2s - 2 in q, p and λ, for any H
// (Jay 1996; Hairer, Lubich & Wanner 2006, VII.1.4); s = 2 is RATTLE. One stage with a = 0, â = b = 1 and another
// multiplier at q_1 is symplectic Euler (ibid., (1.20)).
//
// Stages are solved for to round-off, with the matrix of (2.5) and the masses at the beginning of the step: the
// iteration converges as h does, and what is stiff needs other methods.
#pragma once

#include "integrate/stepper.hpp"

namespace daedalus::integrate {

/// `stages` of Lobatto, 1: symplectic Euler; `order` 4 or 6: so composed.
[[nodiscard]] std::unique_ptr<Stepper> make_partitioned_pair(const problem::ImplicitProblem& problem,
                                                             const IntegrationOptions& options, int stages, int order);

} // namespace daedalus::integrate
