// Where homotopy(actual, simplified) leads: initial values for b + s (a - b) from s = 0 to 1, each found from the ones
// before. They are the guesses of the start, which decides (specification 8.6, 3.7.4.2).
#pragma once

#include "compile/compile.hpp"
#include "integrate/consistent_start.hpp"
#include "simulation/compilations.hpp"

#include <vector>

namespace daedalus::simulation {

/// Nothing where the model has no homotopy, or where the way does not lead to its end.
[[nodiscard]] std::vector<compile::StartOverride> homotopy_start(const Compilations& compilations,
                                                                 const compile::CompileOptions& how,
                                                                 const integrate::StartOptions& start);

} // namespace daedalus::simulation
