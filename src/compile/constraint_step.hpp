// A step of Newton onto constraints g(t, x) = 0 as code of one piece, with the shortest correction in given sizes s of
// the unknowns, S = diag(s²):
//
//     δ = - S Gᵀ μ ,   G S Gᵀ μ = g ,   G = ∂g/∂x              (generalises HW (2.8)-(2.11); integrate/projection)
//
// eliminated in the expression graph with an order of pivots chosen once. The matrix is symmetric and positive
// definite: pivots from its diagonal do at any point, unless constraints depend on each other there, which is watched.
#pragma once

#include "compile/compilation.hpp"

#include <span>
#include <vector>

namespace daedalus::compile {

/// Enters the facet for constraints among the rows of a problem whose states are chosen
/// (integrate/constraint_equations.hpp). `entries`: ∂F/∂x on the pattern.
void offer_constraint_step(Compilation& c, std::span<const expr::NodeId> rows, const SparsityPattern& pattern,
                           std::span<const expr::NodeId> entries, problem::Facets& facets);

} // namespace daedalus::compile
