// Facets: what is computed along the solution and is no unknown of F.
#pragma once

#include "base/sparsity_pattern.hpp"
#include "problem/functions.hpp"

#include <vector>

namespace daedalus::problem {

/// The model's own variables.
struct Outputs {
    VectorFunction function;
};

/// Unknowns that were taken out of F because nothing depends on them: q' = f(t, x, x'). The loop integrates them by
/// quadrature over each step.
struct Quadratures {
    VectorFunction rates;
    std::vector<double> start;
    std::vector<double> nominal;
    std::vector<int> output;          ///< which of the outputs each of them is
    std::vector<int> unknowns;        ///< that the rates mention …
    bool mention_derivatives = false; ///< … and whether they mention an x'
    [[nodiscard]] int size() const { return rates.size; }
};

/// Variables that F has only as expressions in its unknowns, y = f(t, x): their errors follow from those of x.
struct Dependents {
    SparsityPattern pattern; ///< variables × unknowns
    std::vector<double> nominal;
    /// y, then ∂f/∂x on the pattern
    EvalStatus (*linearize)(const Call& call, double t, const double* x, double* values) = nullptr;
    [[nodiscard]] int size() const { return pattern.rows; }
};

} // namespace daedalus::problem
