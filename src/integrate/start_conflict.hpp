// Why no consistent start exists, in the model's words: an irreducible set of equations and fixed values that cannot
// hold together, found by deletion filtering (Chinneck & Dravnieks 1991): leave a part out; if the rest is still
// contradictory, the part is not to blame. Internal to integrate.
#pragma once

#include "base/diagnostic.hpp"
#include "integrate/start_solver.hpp"

namespace daedalus::integrate {

/// Diagnostics for a failed initialisation; `u` is the best point reached.
[[nodiscard]] Diagnostics explain_conflict(const problem::InitialProblem& problem, const StartOptions& options,
                                           StartSolver& solver, std::vector<double> u);

/// Diagnostics for a start at which equation `row` has no value.
[[nodiscard]] Diagnostics explain_domain_error(const problem::InitialProblem& problem, int row,
                                               const std::vector<double>& u);

} // namespace daedalus::integrate
