// Facets: constraints that hold along solutions beside the rows of F.
#pragma once

#include "base/sparsity_pattern.hpp"
#include "problem/functions.hpp"
#include "problem/legend.hpp"

#include <memory>

namespace daedalus::problem {

/// Constraints g(t, x) = 0 that solutions of F = 0 keep only if nothing perturbs them: the integrator returns to them
/// after each step. ∂g/∂x has full row rank.
struct Constraints {
    SparsityPattern pattern; ///< constraints × unknowns
    EvalStatus (*residual)(const Call& call, double t, const double* x, double* g) = nullptr;
    EvalStatus (*jacobian)(const Call& call, double t, const double* x, double* values) = nullptr; ///< on the pattern
    [[nodiscard]] bool empty() const { return pattern.rows == 0; }
};

/// Constraints that are not rows of F, for the certificate.
struct HiddenConstraints {
    VectorFunction function;
    int drifting = 0; ///< so many of them, the first ones, hold through their derivatives only
    std::shared_ptr<const Legend> legend = std::make_shared<Legend>(); ///< equation(i) = constraint i
};

} // namespace daedalus::problem
