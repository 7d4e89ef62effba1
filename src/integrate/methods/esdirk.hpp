// ESDIRK methods of order 3, 4 and 5 for F(t, x, x') = 0 of index 1.
//
// Stage i solves F(t_n + c_i h, X_i, K_i) = 0 with X_i = x_n + h Σ_{j<i} a_ij K_j + hγ K_i by simplified Newton with
// the one matrix J + M/(hγ), which serves all stages and, while Newton converges, many steps. Algebraic unknowns have
// stage derivatives as all others have; since R(∞) = 0 their K_1 is not passed on. Error estimate: with the embedded
// weights, e = h Σ (b_i - b̂_i) K_i is filtered as (J + M/(hγ))^{-1} M e / (hγ), which is e for slow components, bounded
// for stiff ones, and for algebraic unknowns what the error of the differential ones makes of them.
#pragma once

#include "integrate/stepper.hpp"

namespace daedalus::integrate {

/// order = 3, 4 or 5.
[[nodiscard]] std::unique_ptr<Stepper> make_esdirk(const problem::ImplicitProblem& problem,
                                                   const IntegrationOptions& options, int order);

} // namespace daedalus::integrate
