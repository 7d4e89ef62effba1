// Unknowns of index ν that are integrated as written are tested against the tolerance over h^(ν−1), since what Newton's
// iteration and round-off leave of the others is amplified so (W 2.4). For multipliers of index 3 that is thousands of
// tolerances: the user is told.
#pragma once

#include "integrate/statistics.hpp"
#include "simulation/run.hpp"

namespace daedalus::simulation {

void warn_of_granted_errors(const problem::ImplicitProblem& p, double length, const integrate::Statistics& s,
                            Record& impl);

} // namespace daedalus::simulation
