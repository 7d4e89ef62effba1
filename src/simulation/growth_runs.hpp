// What is done where errors have grown far beyond the tolerance (growth_watch.hpp): the run is repeated with tolerances
// that are smaller by what they were multiplied by, as far as double precision allows, and that is said.
#pragma once

#include "simulation/departure_runs.hpp"

namespace daedalus::simulation {

/// Replaces the record by that of the repeated run where this is expected to help and succeeds; else a warning says
/// what the result may be off by. There is no refusal: of chaotic motions single values mean little whatever the
/// tolerance.
void confirm_growth(const SolveOptions& options, double rtol, double atol, const Repeat& repeat, Record& record);

} // namespace daedalus::simulation
