// An oscillation that the equations themselves let grow: an eigenvalue λ = a ± iω with a > 0 of the linearised system
//     M δ' + J δ = 0 ,   J = ∂F/∂x, M = ∂F/∂x' ,
// where many periods have passed and e^{at} has become large. Steps that are long compared with the period damp it, so
// that runs at loose tolerances may not show it; those that resolve it end where it leaves the domain of the model.
#pragma once

#include "linalg/linear_solver.hpp"
#include "problem/implicit_problem.hpp"

#include <optional>
#include <span>

namespace daedalus::integrate {

struct UnstableMode {
    double growth = 0.0;    ///< a
    double frequency = 0.0; ///< ω
    int unknown = -1;       ///< that takes the largest part, in its nominal value
};

/// Looks for one by inverse iteration from shifts iω over the frequencies that a time `elapsed` may show.
[[nodiscard]] std::optional<UnstableMode> find_unstable_mode(const problem::ImplicitProblem& problem, double t,
                                                             std::span<const double> x, std::span<const double> dx,
                                                             double elapsed, linalg::SolverKind kind);

} // namespace daedalus::integrate
