// Linear systems (J + σ M) z = b of problems that offer no entries of J = ∂F/∂x and M = ∂F/∂x': by the solver that the
// problem brings along, or by GMRES with its products (Saad & Schultz 1986). A problem without products is
// differentiated along v: (a J + b M) v ≈ (F(t, x + a ε v, x' + b ε v) - F(t, x, x')) / ε.
#pragma once

#include "problem/implicit_problem.hpp"
#include "problem/linear_operations.hpp"

#include <complex>
#include <memory>

namespace daedalus::integrate {

/// y += (a J + b M) v; NaN where that cannot be evaluated.
void add_product(const problem::ImplicitProblem& problem, const problem::LinearisationPoint& at, double a, double b,
                 const double* v, double* y);
/// The same with Jᵀ and Mᵀ. False: not offered, and nothing is added.
[[nodiscard]] bool add_transposed_product(const problem::ImplicitProblem& problem,
                                          const problem::LinearisationPoint& at, double a, double b, const double* v,
                                          double* y);

/// Σ a b over all parts of the vectors.
[[nodiscard]] double krylov_inner(const problem::ImplicitProblem& problem, const double* a, const double* b);

template <class Scalar>
[[nodiscard]] std::unique_ptr<problem::ShiftedSolver<Scalar>>
make_shifted_solver(const problem::ImplicitProblem& problem);

extern template std::unique_ptr<problem::ShiftedSolver<double>> make_shifted_solver(const problem::ImplicitProblem&);
extern template std::unique_ptr<problem::ShiftedSolver<std::complex<double>>>
make_shifted_solver(const problem::ImplicitProblem&);

} // namespace daedalus::integrate
