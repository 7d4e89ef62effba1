// A textbook problem integrated by the methods that `solve` runs, in double precision, on a prescribed grid: the steps
// of a study are the steps that users get.
#pragma once

#include "study/integration.hpp"

namespace daedalus::study {

/// `method`: a name of the registry. Starting values of multistep methods are `start`, or the exact solution's. A step
/// whose equations are not solved ends the run, as `solved` says.
[[nodiscard]] DiscreteSolution run_method(const Problem& problem, const std::string& method, const Vector& grid,
                                          Variant variant = Variant::direct, const StartValues& start = {});

} // namespace daedalus::study
