// What is done where errors may have grown far beyond the tolerance (growth_watch.hpp): runs with smaller tolerances
// tell. Where they say something else, the result is the first whose own error is within the tolerance: as errors
// follow tolerances, that is its difference from the run before times the ratio of their tolerances.
#pragma once

#include "simulation/departure_runs.hpp"

namespace daedalus::simulation {

/// By how many tolerances two runs of one model differ: the largest difference of a differentiated variable at two
/// output points in succession, or at the end, relative to the largest size of that variable.
[[nodiscard]] double apart(const output::Trajectory& one, const output::Trajectory& other, double rtol, double atol);

/// Replaces the record of a run whose errors may have grown by one of smaller tolerances, and says so; else a warning
/// says what the result may be off by. There is no refusal: of chaotic motions single values mean little whatever the
/// tolerance.
void confirm_growth(const SolveOptions& options, double rtol, double atol, const Repeat& repeat, Record& record);

} // namespace daedalus::simulation
