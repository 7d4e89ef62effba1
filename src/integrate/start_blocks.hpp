// The order in which a square part of the initial value system is solved: its block triangular form (Duff & Reid 1978),
// blocks that are linear in their unknowns recognised and, where they follow each other, joined as long as they stay
// linear together. A linear group costs one factorisation and one solve; the others are Newton's.
#pragma once

#include "integrate/start_solver.hpp"

#include <string>
#include <vector>

namespace daedalus::integrate {

struct StartGroup {
    std::vector<int> equations;
    std::vector<int> unknowns;
    int blocks = 0; ///< irreducible blocks in it
    bool linear = false;
};

/// Empty where the active equations do not determine the free unknowns by structure.
[[nodiscard]] std::vector<StartGroup> start_groups(const problem::InitialProblem& problem, const Question& q);

/// "5 blocks: 4 linear, solved once; 1 nonlinear, largest of 3 equations"
[[nodiscard]] std::string describe(const std::vector<StartGroup>& groups);

/// One line per stage and group, as it will be solved with the preferred values held where that leaves a square system:
/// what can be said before anything is solved.
[[nodiscard]] std::vector<std::string> plan_of_start(const problem::InitialProblem& problem);

} // namespace daedalus::integrate
