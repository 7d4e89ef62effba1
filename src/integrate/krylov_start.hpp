// Consistent values of a problem of index 1 that offers no entries of its derivatives: x of unknowns without derivative
// and x' of the others from F(t, x, x') = 0, the rest held, as IDACalcIC does with its first option (Brown, Hindmarsh &
// Petzold 1998). Damped Newton, each linear system by GMRES.
#pragma once

#include "problem/implicit_problem.hpp"

#include <vector>

namespace daedalus::integrate {

struct KrylovStart {
    bool found = false;
    bool moved = false;            ///< the given values did not satisfy F = 0
    int worst_row = -1;            ///< not found: of this part, the row that is farthest from it
    double largest_residual = 0.0; ///< of all parts
};

/// x and dx become consistent; left as they were if that fails.
[[nodiscard]] KrylovStart consistent_without_entries(const problem::ImplicitProblem& problem, double t,
                                                     std::vector<double>& x, std::vector<double>& dx);

} // namespace daedalus::integrate
