// The special classes of the literature that a system belongs to, whatever the order, the scale and the names in which
// its equations are written. With leading derivatives x' (of the highest order that occurs), in this order:
//   purely algebraic; ordinary differential equation;
//   linear with constant, or with time-dependent coefficients                                        HW (1.1), (1.8)
//   linearly implicit, E(t, x) x' = φ(t, x), where it is none of the following;
//   integral form, a_x(t, x) x' + b(t, x) = 0: every row of E is the gradient of a function          W 1.3
//   semi-explicit index 1, y' = f(y, z), 0 = g(y, z)                                                 HW (1.13)
//   Hessenberg of index m, x₁' = f₁(x₁, …, x_m), x_i' = f_i(x_{i−1}, …, x_{m−1}), 0 = f_m(x_{m−1})   HW (1.14), (1.15);
//                                                                                                    W (2.12)
//   constrained mechanical, q' = u, M(q) u' = f − Gᵀλ, 0 = g(q), also with M full or singular        HW (1.46)
//
// How: the highest-value transversal tells what each row is for. A row without leading derivatives whose variable is
// algebraic defines that variable (an output, or an abbreviation, through which its users look); one whose variable is
// differentiated is a constraint; and an algebraic variable whose row has leading derivatives is a multiplier. The
// level of a state is the number of integrations between it and the multipliers. Constraints on states of level m − 1
// and no lower ones, differentiated m − 1 times each, make the Hessenberg form of index m.
#pragma once

#include "compile/special_class.hpp"
#include "transform/index_reduction.hpp"
#include "transform/system.hpp"

#include <string>
#include <vector>

namespace daedalus::compile {

/// `index`: the structural one. Of systems with more than 2000 equations only the first two classes are told.
[[nodiscard]] std::vector<SpecialClass> recognize_classes(const transform::System& s, const transform::ReducedSystem& r,
                                                          int index);

} // namespace daedalus::compile
