// Which index a method of a given order can integrate, in one place.
//
// BDF of order k with step sizes that change gives components of index ν the order q = min(k, k − ν + 2) (W 2.1): at
// order 1 the multipliers of index 3 have an error O(1) behind every change. So q ≥ 1 is asked for, k ≥ ν − 1.
//
// Radau IIA with s stages gives the multipliers of index 3 the order s − 1 (W Thm 3.6, which asks for s ≥ 2): one
// stage, the implicit Euler method, none.
//
// Above index 3 neither has a theory with changing step sizes here, and measurements are off by orders of magnitude.
#pragma once

#include "integrate/stepper.hpp"

#include <string>

namespace daedalus::integrate {

/// The lowest order that a step may have where unknowns are of this index.
[[nodiscard]] constexpr int least_order_of_bdf(int index) { return index <= 2 ? 1 : index - 1; }
[[nodiscard]] constexpr int index_limit_of_bdf(int max_order) { return max_order <= 1 ? 2 : 3; }
[[nodiscard]] constexpr int index_limit_of_radau(int stages) { return stages <= 1 ? 2 : 3; }

/// Why `method` at orders up to `max_order` does not integrate unknowns of this index.
[[nodiscard]] std::string index_refusal(const Method& method, int max_order, int index);

} // namespace daedalus::integrate
