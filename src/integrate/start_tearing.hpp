// A nonlinear block of the start, torn: a few unknowns are guessed, all others follow from them one by one, each from
// an equation that is linear in it,
//     u_j ← u_j − G_i(u) / (∂G_i/∂u_j),      exact, since ∂G_i/∂u_j does not depend on u_j.
// Newton then iterates on the torn unknowns alone. With G_i = 0 in all equations of the sequence, the Schur
// complement's step in them is that of the whole block, so that no matrix of their own is needed.
#pragma once

#include "integrate/start_blocks.hpp"

#include <optional>
#include <vector>

namespace daedalus::integrate {

struct GroupTearing {
    struct Assignment {
        int equation, unknown;
        int entry; ///< position of ∂G_equation/∂unknown in the problem's pattern
    };
    std::vector<int> torn;                       ///< unknowns that are guessed
    std::vector<std::vector<Assignment>> levels; ///< those of one level do not need each other
};

/// `jacobian`: values on the problem's pattern where the iteration begins; an equation is not solved for an unknown
/// that it hardly contains there. Nothing where it would not help: every unknown torn, entries' dependencies unknown,
/// or so many levels that the kernels, which evaluate all equations at once, would dominate.
[[nodiscard]] std::optional<GroupTearing> tear_group(const problem::InitialProblem& problem, const StartGroup& group,
                                                     const std::vector<double>& jacobian);

} // namespace daedalus::integrate
