// Which index a method of a given order can integrate, in one place.
//
// BDF of order k with step sizes that change gives components of index ν the order q = min(k, k − ν + 2) (W 2.1): at
// order 1 the multipliers of index 3 have an error O(1) behind every change. So q ≥ 1 is asked for, k ≥ ν − 1.
//
// Radau IIA with s stages gives the multipliers of index 3 the order s − 1 (W Thm 3.6, which asks for s ≥ 2): one
// stage, the implicit Euler method, none.
//
// Other Runge–Kutta methods, with constant or changing steps: multipliers of index 2 must have an order of at least 1,
// which is C(q)'s q where |R(∞)| < 1, q - 1 where R(∞) = -1 and q - 2 where R(∞) = 1 (HLR 1989, Thms 4.4–4.6; HW Table
// VII.4.1; W Thm 3.5); those of index 3 have the order q - 1 where q ≥ 2, B(q + 1) and |R(∞)| < 1 (W Thm 3.6). Where A
// is singular, Lobatto IIIA integrates index 2 (Jay 1993), and IIIB index 1 only: no stage asks for its constraint.
//
// Linear multistep methods with constant steps integrate index 2 if the zeros of σ are inside the unit circle (W Thm
// 2.6), BDF also index 3 (W Thm 2.7).
//
// Above index 3 neither has a theory with changing step sizes here, and measurements are off by orders of magnitude.
#pragma once

#include "integrate/stepper.hpp"
#include "integrate/tableau/butcher.hpp"
#include "integrate/tableau/multistep_coefficients.hpp"

#include <string>

namespace daedalus::integrate {

/// The lowest order that a step may have where unknowns are of this index.
[[nodiscard]] constexpr int least_order_of_bdf(int index) { return index <= 2 ? 1 : index - 1; }
[[nodiscard]] constexpr int index_limit_of_bdf(int max_order) { return max_order <= 1 ? 2 : 3; }
[[nodiscard]] constexpr int index_limit_of_radau(int stages) { return stages <= 1 ? 2 : 3; }

/// Of the families of butcher.hpp.
[[nodiscard]] int index_limit_of(tableau::Family family, int stages);
/// Stage order 1, |R(∞)| < 1.
constexpr int index_limit_of_dirk = 2;
[[nodiscard]] int index_limit_of(const tableau::MultistepMethod& method);

/// Why `method` at orders up to `max_order` does not integrate unknowns of this index.
[[nodiscard]] std::string index_refusal(const Method& method, int max_order, int index);

} // namespace daedalus::integrate
