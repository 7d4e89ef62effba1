// Variables that never vary in time although nobody wrote their value down: parameters with fixed = false (der(p) = 0),
// and what follows from parameters and from them alone, however implicitly (x^3 + x = p). A block of the block
// triangular form is one if its equations mention neither time nor anything that varies. The initial value problem
// solves for them, once; for the integrator they are parameters behind the model's own.
#pragma once

#include "transform/index_reduction.hpp"

#include <optional>

namespace daedalus::transform {

struct TimeConstants {
    System system;                               ///< what varies, its equations in terms of the new parameters
    std::vector<int> rows;                       ///< of its rows: the row of the system it was made from
    std::vector<DifferentiatedEquation> settled; ///< the other equations, numbered as in that system: to be checked
};

/// Nothing if there are none, or if nothing varies at all. Sets `system.held` here and in the result.
[[nodiscard]] std::optional<TimeConstants> hold_time_constants(System& system, const ReducedSystem& reduced);

} // namespace daedalus::transform
