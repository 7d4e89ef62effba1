// Tearing of an algebraic block (Kron 1963; heuristics after Ollero & Amselem 1983 and Cellier & Kofman 2006): a few
// variables are guessed so that all others follow one by one, each from one equation that can be solved for it; the
// equations left over are the residuals of the guess. Finding the smallest set of torn variables is NP-complete, so:
//   * an equation with one unknown left that it can be solved for is used at once;
//   * else, of the equations with the fewest unknowns left, take one that holds the variable met in most equations, and
//     tear that variable.
// The reduced system in the torn variables is structurally nonsingular if the block is: the rest is triangular.
#pragma once

#include "structure/incidence.hpp"

#include <vector>

namespace daedalus::structure {

/// Equation to be solved for variable when everything before it is known.
struct SolveStep {
    int equation = 0;
    int variable = 0;
    friend bool operator==(const SolveStep&, const SolveStep&) = default;
};

struct Tearing {
    std::vector<int> torn_variables;     ///< in the order of choice
    std::vector<int> residual_equations; ///< as many, ascending
    std::vector<SolveStep> sequence;     ///< in solving order
};

/// `block` is square; solvable[k] tells whether entry k of block.column (its row's equation, its variable) can be
/// solved for explicitly, say because the equation is linear in it with a coefficient that is never zero. Numbers are
/// local.
[[nodiscard]] Tearing tear(const Incidence& block, const std::vector<char>& solvable);

} // namespace daedalus::structure
