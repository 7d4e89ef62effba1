// Variables that nothing depends on, q' = f(t, x): integrals along the solution. They leave the system, so that the
// linear algebra does not carry them.
#pragma once

#include "transform/system.hpp"

#include <unordered_set>
#include <vector>

namespace daedalus::transform {

struct Quadrature {
    int variable = 0;            ///< model id
    NodeId rate = expr::no_node; ///< q' as an expression in the variables that are left
};

/// Takes them out of the system, but never all of its variables. Variables in `kept` stay: something outside the
/// equations asks for them. So do those whose rate mentions derivatives that nothing else determines.
[[nodiscard]] std::vector<Quadrature> extract_quadratures(System& system, const std::unordered_set<int>& kept);

} // namespace daedalus::transform
