// What the error estimate of Radau IIA is held to, so that the error of the solution is proportional to the tolerance.
//
// The error estimate behaves as h^(S+1), the global error as h^(2S-1). A global error proportional to tol therefore
// asks for an estimate of tol^((S+1)/(2S-1)); the factor puts it near tol itself. rtol/atol keep their proportion.
// (RADAU5 uses 0.1 tol^(2/3) for S = 3, which lets the ratio of error to tolerance grow as tol^(-1/6).) With one
// stage, the implicit Euler method, steps are then of size tol.
#pragma once

#include "integrate/options.hpp"
#include "problem/implicit_problem.hpp"

namespace daedalus::integrate {

[[nodiscard]] Tolerance tolerance_of_estimate(Tolerance tolerance, int stages, const problem::ImplicitProblem& problem);

} // namespace daedalus::integrate
