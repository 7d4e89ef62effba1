// Removes variables that are only another name: x = ±y, u = ±der(x), and x = f(time, parameters). A first-order
// formulation thereby becomes what it abbreviates (x' = u, u' = … turns into x'' = …), which shows the structure
// q' = v to everything after. The names come back in the output.
#pragma once

#include "transform/system.hpp"

namespace daedalus::transform {

struct AliasCounts {
    int aliases = 0;     ///< x = ±y
    int derivatives = 0; ///< u = ±der(x)
    int known = 0;       ///< x = f(time, parameters)
};

enum class KnownValues {
    eliminate, ///< x = f(time, parameters) too
    keep       ///< as constraints that people want to see
};

AliasCounts eliminate_aliases(System& system, KnownValues known = KnownValues::eliminate);

} // namespace daedalus::transform
