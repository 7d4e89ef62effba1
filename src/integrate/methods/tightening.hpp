// What the error estimate of one step is held to, so that the error of the solution is near the tolerance asked for:
//     estimate ≤ factor(tol) · tol ,   factor(tol) = constant · tol^power .
//
// Reasons, by name:
//   sum     errors of hundreds of steps add up where nothing damps them: the constant, below 1;
//   orders  the estimate behaves as h^q, the error at the end as h^p: an error proportional to tol asks for an estimate
//           of tol^(q/p), power = q/p - 1;
//   index   integrated directly, velocities of index 2 are held to tol/h only, and what they are off adds up in the
//           positions: a smaller constant;
//   noise   what cannot be told from round-off is not asked for: the smallest estimate.
// rtol and atol of an unknown keep their proportion.
#pragma once

#include "integrate/options.hpp"
#include "problem/implicit_problem.hpp"

namespace daedalus::integrate {

struct Tightening {
    double constant = 1.0;
    double power = 0.0;
    double smallest = 0.0;          ///< estimates below are noise
    bool differential_only = false; ///< errors of algebraic unknowns do not add up

    [[nodiscard]] double factor(double tolerance) const;
    /// For what is the same for all unknowns.
    [[nodiscard]] double common_factor(const Tolerance& tolerance) const {
        return factor(tolerance.relative > 0.0 ? tolerance.relative : tolerance.absolute);
    }
};

/// Each unknown by its own tolerance.
[[nodiscard]] Tolerance tightened(Tolerance tolerance, const Tightening& by, const problem::ImplicitProblem& problem);
/// All of them by one factor.
[[nodiscard]] Tolerance tightened(Tolerance tolerance, double factor);

// Of the methods.
[[nodiscard]] Tightening tightening_of_bdf(int highest_index, int max_order);
[[nodiscard]] Tightening tightening_of_radau(int stages);
/// `estimate`: the number m of slopes that it compares with the one at the beginning.
[[nodiscard]] Tightening tightening_of_implicit_runge_kutta(int highest_index, int estimate, int stage_order,
                                                            int order);
[[nodiscard]] Tightening tightening_of_esdirk(int order);
[[nodiscard]] Tightening tightening_of_midpoint();
[[nodiscard]] Tightening tightening_of_generalized_alpha();
[[nodiscard]] Tightening tightening_of_rosenbrock(int order);
[[nodiscard]] Tightening tightening_of_explicit(const problem::ImplicitProblem& problem);
/// Its factor depends on the tolerance asked for in another way than a power.
[[nodiscard]] Tightening tightening_of_extrapolation(const Tolerance& tolerance);

} // namespace daedalus::integrate
