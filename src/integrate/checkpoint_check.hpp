// Whether a checkpoint can be one of this problem: every count, index and time in it is looked at before anything is
// done with it. What it was made from, the model and the options, is for those to compare who know them.
#pragma once

#include "integrate/checkpoint.hpp"

#include <string>

namespace daedalus::integrate {

/// What cannot be, in words; empty: nothing. The run is from t0 to t1.
[[nodiscard]] std::string what_is_wrong(const Checkpoint& c, const problem::ImplicitProblem& problem, double t0,
                                        double t1);

} // namespace daedalus::integrate
