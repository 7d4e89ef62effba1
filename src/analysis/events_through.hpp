// A system that takes the place of another one in the same unknowns, with the other's events: root functions, branches,
// clauses and outputs are those of the equations as written, evaluated with its code in the same environment.
#pragma once

#include "problem/implicit_problem.hpp"
#include "problem/written_equations.hpp"

#include <functional>
#include <memory>
#include <span>

namespace daedalus::analysis {

/// Code of the system that takes the place.
struct Replacement {
    problem::ImplicitProblem written;
    /// Clauses gave values to these unknowns: what constraints tie to them follows.
    std::function<void(const problem::Environment& environment, double t, double* x, double* dx,
                       std::span<const int> given)>
        follow_given;
};

/// Its workspace has one of the written system's.
struct ReplacementWorkspace : problem::Workspace {
    std::shared_ptr<problem::Workspace> written;
};

/// All for a system whose code is a Replacement of `written` and whose workspace is a ReplacementWorkspace.
[[nodiscard]] problem::Hybrid events_through(const problem::ImplicitProblem& written);
[[nodiscard]] problem::Outputs outputs_through(const problem::ImplicitProblem& written);
[[nodiscard]] problem::WrittenEquations written_through(const problem::ImplicitProblem& written);

} // namespace daedalus::analysis
