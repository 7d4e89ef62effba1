// The Jacobian of the waist's problem as kernels: residual and varying entries on one tape, entries of parameters only
// computed once, and the combination that implicit methods factorise on a tape of its own.
#pragma once

#include "compile/compilation.hpp"

namespace daedalus::compile {

/// Kernel inputs: parameters | time | x | x'.
[[nodiscard]] codegen::Segments problem_segments(const Compilation& c);

/// `entries`: ∂F/∂x on the pattern, then ∂F/∂x'.
void build_jacobian(Compilation& c, const codegen::Segments& segments, const std::vector<expr::NodeId>& rows,
                    const SparsityPattern& pattern, std::vector<expr::NodeId> entries);
void update_jacobian_parameters(Compilation& c);
/// Enters what there is into the kernels of a problem whose context is `c`.
void offer_jacobian(Compilation& c, problem::ImplicitKernels& kernels);

} // namespace daedalus::compile
