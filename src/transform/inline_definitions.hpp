// Unknowns that a row defines, y = f(others), go into the other rows as the expression f: intermediate quantities that
// authors name, accelerations that are equal to the derivative of a velocity, derivatives of dependent coordinates. The
// integrator's system becomes as small as if the author had written it for a solver. Values come back in the output.
//
// Taking y out is a step of elimination with the pivot ±1 in y's row: with k other rows that mention y and m unknowns
// in f it makes at most k m entries of the Jacobian out of k + m + 1. Where it would make many more, y stays.
//
// What neither another row nor an integrand mentions stays: F is what tells that an unknown has no value any more.
// States, what links may integrate or differentiate, and y whose definition mentions a derivative x' stay as well.
#pragma once

#include "transform/formulation.hpp"

#include <functional>
#include <span>

namespace daedalus::transform {

/// Returns how many unknowns were taken out; they are in formulation.inlined. `stays`: variables that the integrator
/// must know, because of bounds or tolerances of their own. `integrands`: expressions along the solution that are
/// evaluated besides F.
int inline_definitions(const System& system, Formulation& formulation, std::span<const NodeId> integrands,
                       const std::function<bool(int variable)>& stays);

} // namespace daedalus::transform
