// What the local error of BDF is held to.
//
// The estimate is that of one step, and errors of hundreds of steps add up where nothing damps them. A factor on the
// tolerance keeps the error at the end near what was asked for on oscillating problems too; at order 5 it costs
// about twice the steps. (DASSL controls the plain local error and is off by that factor.) The error at the end is
// some tol^(k/(k+1)), hence the small power; not for unknowns of index 2 and 3, whose errors round-off limits sooner.
// Integrated directly, velocities of index 2 are held to tol/h only, and what they are off adds up in the positions.
#pragma once

#include "integrate/options.hpp"
#include "problem/implicit_problem.hpp"

namespace daedalus::integrate {

[[nodiscard]] Tolerance tolerance_of_step(Tolerance tolerance, const problem::ImplicitProblem& problem);

} // namespace daedalus::integrate
