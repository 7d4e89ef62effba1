// Where the search for initial values begins: a variable without a start value of its own that follows from others
// (force = stiffness*length) begins with what they give. Names for intermediate results then need no start values, and
// an equation that divides by one of them has a value.
#pragma once

#include "transform/initialization.hpp"

namespace daedalus::transform {

/// Sets `start` of unknowns with unspecified strength, one equation at a time, wherever an equation is linear in the
/// only unknown that it leaves open. Strengths stay as they are: this decides where to begin, not what to keep.
void propagate_guesses(const System& system, InitialSystem& initial, double time);

} // namespace daedalus::transform
