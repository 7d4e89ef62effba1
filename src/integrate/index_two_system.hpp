// Index-2 systems (problem/index_two.hpp) as half-explicit steps solve them: slopes x' and multipliers z at one point,
// such that the constraints hold at another that follows from these slopes,
//
//     0 = F_d(t, x, x', z)        0 = g(t_c, base + τ x')                 HW VII.6, Brasey & Hairer 1993
//
// or at the same point, with g' = 0 in the place of the second. One matrix serves both, and, with g alone on the right
// side, the way back to the constraints along ∂f/∂z.
#pragma once

#include "integrate/iteration_matrix.hpp"
#include "integrate/statistics.hpp"
#include "linalg/linear_solver.hpp"
#include "problem/implicit_problem.hpp"
#include "problem/index_two.hpp"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace daedalus::integrate {

class IndexTwoSystem {
public:
    IndexTwoSystem(const problem::ImplicitProblem& problem, linalg::SolverKind solver);

    [[nodiscard]] bool moves(std::size_t k) const { return s_.multipliers[k] == 0; }
    /// Work since the last call.
    [[nodiscard]] Counters take_counters() { return std::exchange(counters_, {}); }
    /// Corrections are small where they change x by this share of it.
    void ask_for(double accuracy) { accuracy_ = accuracy; }

    /// The matrix at a point; false: singular or not finite.
    [[nodiscard]] bool linearise(double t, const double* x, const double* dx);
    /// x' and z of (t, x), from those given, such that the constraints hold at (t_c, base + τ x'); `there` becomes that
    /// point. False: not found.
    [[nodiscard]] bool stage(double t, double* x, double* dx, double t_c, const double* base, double tau,
                             double* there);
    /// x' and z of a point on the constraints, from those given. `step`: the time in which corrections of x' count.
    [[nodiscard]] bool complete(double t, double* x, double* dx, double step);
    /// Moves x onto the constraints along ∂f/∂z, with x' as given for the matrix.
    [[nodiscard]] bool return_to_constraints(double t, double* x, const double* dx);
    /// v := its part in the tangent space of the constraints at the point of the matrix, along ∂f/∂z.
    void make_tangential(double* v);

private:
    [[nodiscard]] bool residual(double t, const double* x, const double* dx);
    void solve();
    [[nodiscard]] bool at_round_off(double change, double previous) const;
    /// Of a change of slopes, or of x, and of multipliers, in sizes of x.
    [[nodiscard]] double relative(const double* change, double of_slopes, double of_multipliers, const double* x) const;

    const problem::ImplicitProblem& problem_;
    const problem::IndexTwo& s_;
    std::vector<char> is_constraint_; ///< per row
    JacobianValues jacobian_;
    std::vector<double> values_, residual_, right_, other_, rates_;
    std::unique_ptr<linalg::LinearSolver<double>> solver_;
    double accuracy_ = 0.0;
    Counters counters_;
};

} // namespace daedalus::integrate
