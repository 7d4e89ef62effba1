// Facet of systems that were differentiated down to index 2, for half-explicit methods. Rows of F are of two kinds:
//
//     0 = F_d(t, x, x', z)        rows that no differentiation concerns; x' and the multipliers z stand here alone
//     0 = g(t, x)                 constraints, once differentiated they determine z (there may be none left)
//
// with [∂F_d/∂x' ∂F_d/∂z; ∂g/∂x 0] regular: it is the system Jacobian of the signature method (Pryce 2001), whose
// entries ∂g'/∂x' are ∂g/∂x. In Hessenberg form x' = f(t, x, z), 0 = g(t, x) with g_x f_z regular (HW VII.1).
#pragma once

#include "problem/functions.hpp"

#include <vector>

namespace daedalus::problem {

struct IndexTwo {
    std::vector<int> constraints;  ///< rows of F that are g
    std::vector<char> multipliers; ///< per unknown: it is one of z
    VectorFunction rates;          ///< g' from (t, x, x'), in the order of `constraints`
    [[nodiscard]] bool empty() const { return multipliers.empty(); }
};

} // namespace daedalus::problem
