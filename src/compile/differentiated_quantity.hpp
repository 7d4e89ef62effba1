// Quantities that a model differentiates as they are, der(Q) with a non-linear expression Q: charges C(v) v, fluxes
// L(i) i. The front ends carry out the chain rule, S = Q_t + Q_x x', and leave a note (Graph::written_derivatives);
// here rows that still contain S are offered a second time with a leaf q' in the place of S, which is G(t, x, x', q') =
// 0 of problem/differentiated_quantity.hpp: with q' = S it is F, row by row, by construction.
//
// It is offered where the equations are integrated as written or with dummy derivatives, for rows that are not
// differentiated. Excluded is Q
//   - that is linear in the unknowns with coefficients that change at events only: differences of x do the same,
//   - whose unknowns have derivatives that are unknowns too (dummy derivatives, second order): what would be
//   differenced
//     twice makes the index of a step higher than that of the formulation,
//   - beside unknowns of index 3 or more, for which nobody has a theory of steps by differences of Q,
//   - with branches that make no events, where it may jump inside a step, or that S has not,
//   - that with others is no properly stated leading term: more quantities than unknowns move them, as the charges of
//     parallel capacitors whose currents are unknowns,
//   - whose S no row has any more, or is no longer what the chain rule makes of Q.
// There the chain rule stays, as it does for methods that difference unknowns only.
#pragma once

#include "compile/compilation.hpp"

#include <functional>

namespace daedalus::compile {

/// `rows`: as the kernels evaluate them; `frozen`: expressions on the branches that hold, as all kernels have them.
/// Says in c.quantity_fates what became of each. The system must have its pattern and its unknowns.
void offer_differentiated_quantity(Compilation& c, const std::vector<expr::NodeId>& rows,
                                   const std::function<std::vector<expr::NodeId>(std::vector<expr::NodeId>)>& frozen,
                                   problem::System& system);

} // namespace daedalus::compile
