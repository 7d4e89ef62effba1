// Equations g(t, x) = 0 that a point is moved onto (projection.hpp). They are
//
//   constraints besides F, which a formulation leaves out of F (problem/constraints.hpp), or
//   rows of F: where states are chosen, the equations f_i^(c_i - k), k ≥ 1, above the most differentiated ones. They
//   hold for x_j^(k) below the ends of the chains, whichever of these are states at present. Moving the point onto them
//   in all of these coordinates needs no choice of states, which may be a bad one at this point.
#pragma once

#include "base/sparsity_pattern.hpp"
#include "problem/implicit_problem.hpp"

#include <memory>

namespace daedalus::integrate {

class ConstraintEquations {
public:
    virtual ~ConstraintEquations() = default;
    /// Constraints × unknowns; columns of unknowns that must not move are empty.
    [[nodiscard]] virtual const SparsityPattern& pattern() const = 0;
    [[nodiscard]] virtual problem::EvalStatus residual(double t, const double* x, double* g) = 0;
    [[nodiscard]] virtual problem::EvalStatus jacobian(double t, const double* x, double* values) = 0;
    /// They are rows of F.
    [[nodiscard]] virtual bool among_rows() const { return false; }
    /// The problem's links changed.
    virtual void links_changed() {}
};

/// Null where there are none.
[[nodiscard]] std::unique_ptr<ConstraintEquations> constraints_besides(const problem::ImplicitProblem& problem);

/// Null where states are not chosen, and where what is no coordinate of a chain occurs in a constraint.
[[nodiscard]] std::unique_ptr<ConstraintEquations> constraints_among_rows(const problem::ImplicitProblem& problem);

} // namespace daedalus::integrate
