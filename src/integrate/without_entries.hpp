// What a run on a problem without entries of its derivatives must do without (problem/linear_operations.hpp): choices
// of states, consistency at events and methods that look into the matrices. Said before the run begins.
#pragma once

#include "integrate/stepper.hpp"

#include <string>

namespace daedalus::integrate {

/// Why this method cannot run on a problem without entries, a sentence; empty: it can, or there are entries.
[[nodiscard]] std::string unsuitable_without_entries(const problem::ImplicitProblem& problem, const Method& method);

} // namespace daedalus::integrate
