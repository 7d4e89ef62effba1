// The waist: a system F(t, x, x') = 0 as the numerical half sees it. No expression survives here: only function
// pointers, a sparsity pattern and numbers per unknown. What a system offers besides (names, constraints, events,
// outputs, …) are facets, asked for by type.
//
// A system is immutable once made and may be shared by threads; ImplicitProblem is one run's view of it.
#pragma once

#include "base/sparsity_pattern.hpp"
#include "problem/facets.hpp"
#include "problem/functions.hpp"
#include "problem/legend.hpp"
#include "problem/state_choice.hpp"

#include <limits>
#include <memory>
#include <vector>

namespace daedalus::problem {

struct Kernels {
    /// r[0 … kernel rows) from t, x, x'
    EvalStatus (*residual)(const Call& call, double t, const double* x, const double* dx, double* r) = nullptr;
    /// values of ∂F/∂x and ∂F/∂x', both on the kernel pattern (zeros where only the other has an entry)
    EvalStatus (*jacobian)(const Call& call, double t, const double* x, const double* dx, double* jx,
                           double* jdx) = nullptr;

    // What may be offered besides, to save work; callers use ImplicitProblem, which makes do without.

    /// r and behind it, with subexpressions shared, the entries of the Jacobian that vary, in the order of `varying`,
    /// which ascends: k < nnz is entry k of ∂F/∂x, k ≥ nnz entry k - nnz of ∂F/∂x' (nnz entries in the kernel pattern).
    /// Others are constant.
    EvalStatus (*linearize)(const Call& call, double t, const double* x, const double* dx, double* r_entries) = nullptr;
    std::vector<int> varying = {};
    bool linear = false;                  ///< those change at events only,
    bool steep = false;                   ///< or by orders of magnitude where unknowns change a little, as exponentials
    bool constant_leading_matrix = false; ///< ∂F/∂x' depends on nothing

    /// The most differentiated rows, in the order of the kernel's, and what varies of their matrix by leading unknowns,
    /// numbered as in `varying`. Leading is what no link integrates: ends of chains, x' of other differential unknowns,
    /// unknowns without derivative. Offered only where those rows are linear in them.
    EvalStatus (*leading)(const Call& call, double t, const double* x, const double* dx, double* r,
                          double* entries) = nullptr;
    std::vector<int> leading_entries = {};
};

/// Per-unknown numbers.
struct UnknownInfo {
    double nominal = 1.0;
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    int index = 1; ///< index of this variable in this formulation (1, 2, 3, …): scales error and Newton tests
    bool differential = true; ///< its derivative occurs in F
    bool auxiliary = false;   ///< a derivative that no variable of the model equals: an error counts h-fold, as what it
                              ///< does to the variable it is the derivative of
};

/// Facet: the user's words for rows and columns.
struct Names {
    std::shared_ptr<const Legend> legend = std::make_shared<Legend>();
};

/// F has the rows that the kernels evaluate and, below them, one row per link
///     x'[link.state] - x[link.derivative] = 0 ,
/// which name the derivatives of states that are unknowns themselves (q' = v). Index reduction by dummy derivatives is
/// a choice of links; exchanging links exchanges the states while the unknowns, and so any history of them, stay.
struct System {
    std::shared_ptr<const void> code;
    Binding::MakeWorkspace make_workspace; ///< empty: the functions need none
    Environment environment;               ///< that runs begin with
    Kernels kernels;
    SparsityPattern pattern; ///< of the kernels: rows × unknowns
    std::vector<Link> links; ///< as many as rows are missing
    std::vector<UnknownInfo> unknowns;
    Facets facets;
};

} // namespace daedalus::problem
