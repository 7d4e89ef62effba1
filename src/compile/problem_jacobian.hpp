// The Jacobian of the waist's problem as kernels: residual and varying entries on one tape, entries of parameters only
// computed once. Methods combine ∂F/∂x + cj ∂F/∂x' themselves: one Jacobian serves several cj.
#pragma once

#include "compile/compilation.hpp"
#include "transform/jacobian.hpp"

#include <span>
#include <vector>

namespace daedalus::compile {

/// Kernel inputs: parameters | time | x | x'.
[[nodiscard]] codegen::Segments problem_segments(const Compilation& c);

/// Non-zero partial derivatives of the rows by variables, by row, then leaf: row by row in reverse, or all at once
/// forward where rows share so much that this costs fewer operations (codegen/derivatives.hpp). Columns compressed by
/// colours cost no less than forward: what a node depends on meets in some row, so has as many colours. They serve
/// functions that are not expressions (problem/finite_difference.hpp).
struct JacobianEntries {
    std::vector<transform::JacobianEntry> list;
    bool forward = false;
};
[[nodiscard]] JacobianEntries jacobian_entries(expr::Graph& graph, std::span<const expr::NodeId> rows);

/// `entries`: ∂F/∂x on the pattern, then ∂F/∂x'.
void build_jacobian(Compilation& c, const codegen::Segments& segments, const std::vector<expr::NodeId>& rows,
                    const SparsityPattern& pattern, std::vector<expr::NodeId> entries);
/// Entries of the Jacobian that depend on parameters only.
void update_constant_entries(const Compilation& c, KernelSet& kernels);
/// Enters what there is into the kernels of a system whose code is `c`.
void offer_jacobian(const Compilation& c, problem::Kernels& kernels);

/// The workspace of a call, its parameters as the environment has them.
[[nodiscard]] KernelSet& kernels_of(const problem::Call& call, double t);
/// One of them that is compiled when first asked for, in that workspace.
void make_kernel(const problem::Call& call, double t, const LazyKernel& lazy, codegen::Kernel& own);

} // namespace daedalus::compile
