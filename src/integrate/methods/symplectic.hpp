// Symplectic methods of constant step for constrained Hamiltonian systems H(p, q) = T(p) + U(q), 0 = g(q), written in
// v with M v = p or in v = p (Hairer, Lubich & Wanner 2006, VII.1):
//
//     M (v̂ - v_0) = α h f(q_0) - L(q_0) λ,   q_1 = q_0 + h k(v̂),   0 = g(q_1)
//     M (v_1 - v̂) = (1 - α) h f(q_1) - L(q_1) μ,                   0 = W(q_1) v_1
//
// α = 1/2 is RATTLE (Andersen 1983), symmetric and of order 2. SHAKE (Ryckaert, Ciccotti & Berendsen 1977) goes on from
// v̂, in the middle of a step, with kicks of h f; what it shows at the end of a step is half a step on. α = 1 is
// symplectic Euler (HW (2.14)-(2.15)). Symmetric compositions of RATTLE with steps γ_i h have order 4 and 6. Where H is
// not T(p) + U(q), the same methods are implicit (partitioned_pair.hpp).
#pragma once

#include "integrate/stepper.hpp"

namespace daedalus::integrate {

enum class SymplecticName { euler, shake, rattle, rattle4, rattle6 };

[[nodiscard]] std::unique_ptr<Stepper> make_symplectic(const problem::ImplicitProblem& problem,
                                                       const IntegrationOptions& options, SymplecticName name);

} // namespace daedalus::integrate
