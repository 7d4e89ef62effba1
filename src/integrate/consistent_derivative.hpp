// x' at a consistent point where F leaves parts of it open: the derivatives of algebraic unknowns.
//
// Differentiating F(t, x, x') = 0 once gives  M x'' + J x' + F_t = 0, linear equations for (x_d'', x_a') with the local
// matrix [M_d, J_a]. Where that is singular although the index is 1 (see consistent_output.hpp),
//     (J + σ M) p = σ M x'_0 - F_t     has     p = x' + O(1/σ) ,
// and one Richardson step in 1/σ removes the first error term. F_t is a central difference in t. Multistep predictors
// and starting values of Runge–Kutta stages are as good as this x'.
#pragma once

#include "integrate/iteration_matrix.hpp"

#include <span>

namespace daedalus::integrate {

/// Replaces dx by the full derivative; false (dx unchanged) if that is impossible. `time_scale`: length over which
/// x changes noticeably.
[[nodiscard]] bool consistent_derivative(const problem::ImplicitProblem& problem, double t, double time_scale,
                                         std::span<const double> x, std::span<double> dx, linalg::SolverKind kind,
                                         Counters& counters);

} // namespace daedalus::integrate
