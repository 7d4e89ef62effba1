// What may be chosen at the start: rank of ∂G/∂u, an admissible set of free unknowns, other such sets; and other
// solutions for the same choice. Internal to integrate.
#pragma once

#include "integrate/consistent_start.hpp"
#include "integrate/start_solver.hpp"

namespace daedalus::integrate {

/// Unknowns that should be determined rather than chosen come first: unspecified before guess before preferred before
/// fixed; algebraic variables and high derivatives before low ones; then short columns, which fill less.
[[nodiscard]] std::vector<int> preference_order(const problem::InitialProblem& problem);

/// Fills rank, degrees of freedom, the free unknowns and the alternatives asked for.
void analyse_freedom(const problem::InitialProblem& problem, const StartOptions& options, const StartSolver& solver,
                     ConsistentStart& result);

/// Starts elsewhere with the free unknowns held, so that solutions are isolated (both positions of a linkage, not
/// points of its motion); collects the distinct ones and takes the nearest.
void search_other_solutions(const problem::InitialProblem& problem, const StartOptions& options, StartSolver& solver,
                            ConsistentStart& result);

} // namespace daedalus::integrate
