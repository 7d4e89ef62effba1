// How far a regularised solution (Reduction::penalty, knorrenschild, hanke; W (4.3)–(4.5)) is from that of the
// equations. It solves others: no residual of theirs, and no tolerance, tells the error that ε makes, which drift in
// kinematics and fast vibrations add up along the way. The equations as they are, solved to the same tolerances with
// their constraints kept, do.
#pragma once

#include "daedalus/options.hpp"
#include "simulation/departure_runs.hpp"
#include "simulation/record.hpp"

namespace daedalus::simulation {

/// The error of ε goes into the report. A run whose ε the program chose is none of a success where that error is far
/// above the tolerance, or cannot be told.
void judge_regularisation(const SolveOptions& options, double rtol, double atol, const Repeat& repeat, Record& record);

} // namespace daedalus::simulation
