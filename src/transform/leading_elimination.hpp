// Equations that depend on each other on solutions only. The system Jacobian of
//     x' + z = f,      z (x' + z − f) + x = g
// is regular at almost every point and singular at every solution: the second equation contains the first as a factor
// of what it has of leading derivatives. No combination with multipliers cancels these everywhere
// (structural_repair.hpp), but eliminating does: leading derivatives that equations of the set have linearly are solved
// for, one equation each, and go into the others, until one is left, here x = g. If it has no leading derivative any
// more, it is the hidden constraint. It takes the place of the equation it came from; where the others hold, both say
// the same, so that nothing is lost, at solutions and elsewhere, wherever what was divided by is not zero.
#pragma once

#include "transform/structural_repair.hpp"

#include <optional>
#include <span>
#include <string>

namespace daedalus::transform {

/// `rows`: those of a left null vector of the system Jacobian at solutions. Changes `system` and says how, or leaves it
/// alone and says why in `why_not`.
[[nodiscard]] std::optional<Repair> eliminate_leading(System& system, std::span<const int> rows, std::string& why_not);

} // namespace daedalus::transform
