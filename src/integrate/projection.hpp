// Return to constraints g(t, x) = 0 (constraint_equations.hpp): the nearest point in the metric of the tolerances,
//
//     minimise Σ (w_i δ_i)²   subject to   g(t, x + δ) = 0 ,      w_i = 1 / (rtol |x_i| + atol_i) ,
//
// by Newton with a frozen saddle-point matrix, whose every correction is the shortest one for the linearised
// constraints (generalises HW (2.8)-(2.11); Eich 1993). What a step leaves is tiny, so one or two corrections reach
// round-off and the matrix serves for many steps.
//
// Where a step of Newton is code of one piece (problem/explicit_form.hpp), it is taken with a matrix of each iterate.
//
// Mechanisms may ask for one level of their constraints alone, in the metric of the masses: HW (2.10) or (2.11).
#pragma once

#include "integrate/constraint_equations.hpp"
#include "integrate/error_norm.hpp"
#include "integrate/mechanism.hpp"
#include "integrate/statistics.hpp"
#include "nonlinear/newton.hpp"
#include "nonlinear/saddle_point.hpp"
#include "problem/explicit_form.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace daedalus::integrate {

class Projection {
public:
    /// Onto the constraints besides F, or what of them a formulation asks for.
    Projection(const problem::ImplicitProblem& problem, const Tolerance& tolerance, NormKind norm);
    /// Onto these; null: there are none.
    Projection(const problem::ImplicitProblem& problem, const Tolerance& tolerance, NormKind norm,
               std::unique_ptr<ConstraintEquations> equations);

    [[nodiscard]] bool empty() const { return !equations_ && !mechanism_; }
    /// The matrix is made anew at the next point.
    void forget_matrix() { factored_ = false; }
    void links_changed() {
        if (equations_) equations_->links_changed();
    }
    /// Moves x onto the constraints. False: not possible, x is left alone.
    [[nodiscard]] bool project(double t, double* x);
    [[nodiscard]] const Counters& counters() const { return counters_; }
    [[nodiscard]] Counters take_counters() { return std::exchange(counters_, {}); }

private:
    struct Equation;
    [[nodiscard]] bool prepare(double t, const double* x);

    [[nodiscard]] bool project_mechanism(double t, double* x);
    [[nodiscard]] bool project_by_code(double t, double* x, double roundoff);

    ErrorNorm norm_;
    std::unique_ptr<ConstraintEquations> equations_;
    std::unique_ptr<Mechanism> mechanism_; ///< where one level of its constraints is projected onto
    std::unique_ptr<nonlinear::SaddlePoint> matrix_;
    nonlinear::ConvergenceMonitor monitor_;
    const problem::ImplicitProblem& problem_;
    problem::ConstraintStep code_; ///< a step of Newton as code; empty: the matrix serves
    std::vector<double> sizes_, step_;
    double relative_;
    std::vector<double> g_, jacobian_, row_scale_, scale_, zero_, delta_, x_start_;
    bool factored_ = false;
    Counters counters_;
};

} // namespace daedalus::integrate
