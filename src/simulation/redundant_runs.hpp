// Runs of a model that was made regular (redundant_constraints.hpp). Which of the constraints are solved and which
// combinations of multipliers vanish is chosen at one point and need not do elsewhere: where a mechanism turns, the
// constraints that were kept can become dependent, and the directions that are left open leave the ones that were
// fixed. Where these directions turn, or a run has failed, the choice is watched on the way and made anew before it
// degrades.
#pragma once

#include "simulation/redundant_constraints.hpp"
#include "simulation/solve_model.hpp"

namespace daedalus::simulation {

/// `first`: the choice at the start.
[[nodiscard]] Expected<Record> solve_regular(const Compilations& compilations, const SolveOptions& options,
                                             RegularModel first, Detail detail);

} // namespace daedalus::simulation
