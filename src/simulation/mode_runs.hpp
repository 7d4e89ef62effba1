// A model whose structure changes at events: each mode (compile/structural_modes.hpp) has a reduction of its own, and a
// run is a sequence of runs, one per mode.
//
// Behind a change the new mode begins with the left limit of the model's variables, as written. What is differentiated
// anywhere in the model is kept as well as the new equations allow: a degree of freedom that is gained keeps its value,
// one that is lost is projected onto the constraints of the new mode: as impulses of the model's own equations change
// them (impulse_jump.hpp), else with the least change of all of them in units of their nominal values. Both are said.
// Held values, clauses and samples go on; conditions that the new values turn over make the next change at the same
// time.
#pragma once

#include "simulation/solve_model.hpp"

namespace daedalus::simulation {

/// `compilations`: of a model with structural conditions, with stop conditions and integrals in it.
[[nodiscard]] Expected<Record> solve_by_modes(const Compilations& compilations, const SolveOptions& options,
                                              Detail detail);

} // namespace daedalus::simulation
