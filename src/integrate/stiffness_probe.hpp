// What a problem's fastest motion is at a point, before any step is made.
//
// Where the integrated unknowns determine everything else, F(t, x, x') = 0 is x_d' = f(t, x_d), and the power method on
// ∂f/∂x_d, whose products with vectors cost one solve with the local matrix (local_system.hpp), finds the eigenvalue of
// largest modulus: its size, and whether the vectors settle in a direction that is mapped onto its opposite, as where
// it is negative and what it belongs to decays.
#pragma once

#include "linalg/linear_solver.hpp"
#include "problem/implicit_problem.hpp"

#include <span>

namespace daedalus::integrate {

struct FastestMotion {
    bool known = false;           ///< the local matrix is regular
    double rate = 0.0;            ///< modulus of the eigenvalue
    bool decaying = false;        ///< it is real and negative
    double present = 0.0;         ///< |x''| / |x'| unless they point against each other: how fast the start moves on
    bool constant_matrix = false; ///< the local matrix is the same everywhere: x' costs one evaluation and one solve
    bool algebraic = false;       ///< there are unknowns without derivatives
    int unknowns = 0;             ///< of the local matrix
};

[[nodiscard]] FastestMotion fastest_motion(const problem::ImplicitProblem& problem, double t, std::span<const double> x,
                                           std::span<const double> dx, linalg::SolverKind kind);

} // namespace daedalus::integrate
