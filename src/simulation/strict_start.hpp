// SolveOptions::strict: start values that contradict the equations are refused where they would otherwise be changed.
#pragma once

#include "integrate/consistent_start.hpp"
#include "problem/initial_problem.hpp"

#include <optional>

namespace daedalus::simulation {

/// What is said of start values that had to give way by more than `tolerance` (relative, and in nominal values), with
/// the equations that they violate first in the order of solution: constraints on positions before those on velocities.
[[nodiscard]] std::optional<Diagnostic> changed_start(const problem::InitialProblem& problem,
                                                      const integrate::ConsistentStart& start, double tolerance);

} // namespace daedalus::simulation
