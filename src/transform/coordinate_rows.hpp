// Which equation of motion is that of which coordinate. Authors write them in any order, and M may be full.
#pragma once

#include "transform/equations_of_motion.hpp"

#include <vector>

namespace daedalus::transform {

/// Row of the mass matrix that belongs to each velocity; empty where it has no such order. Of a positive definite
/// matrix the largest entry is on the diagonal, and so is that of what remains without its row and column: they are
/// found one after the other, whatever the order of rows.
[[nodiscard]] std::vector<int> rows_of_coordinates(const System& system, const EquationsOfMotion& motion);

} // namespace daedalus::transform
