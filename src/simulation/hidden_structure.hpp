// Does structure say less than the truth? Where the system Jacobian (Pryce 2001) is singular at a consistent point, the
// index found by structure does not hold there. At an isolated point that is a property of the solution, and a warning
// (start_check); at all consistent points near by, a combination of the equations hides a constraint, and what was
// built on the structure has another solution set than the model: nothing is integrated with it.
#pragma once

#include "compile/compile.hpp"
#include "integrate/consistent_start.hpp"
#include "simulation/start_check.hpp"

#include <optional>

namespace daedalus::simulation {

/// Half of the digits: entries that vanish on all solutions are as small as the start is consistent, times what the
/// scaling makes of it, while the blocks of regular models that are known keep far more at their start.
inline constexpr double nearly_singular = 1.5e-8;

/// At the consistent start u and at consistent points beside it. The block that is singular at all of them, in the
/// model's words; nothing where structure can be trusted, or where the model is too large to be asked.
/// Singular, independently of units: with rows and columns divided by their largest entries the smallest singular
/// value of a block of n equations is below n times `level`.
[[nodiscard]] std::optional<Diagnostic> hidden_structure(const compile::CompiledModel& compiled, double t0, double t1,
                                                         const std::vector<double>& u,
                                                         const integrate::StartOptions& options,
                                                         double level = nearly_singular);

/// What hides it: equations of the model that depend on each other there, as far as one combination shows them.
[[nodiscard]] std::vector<int> hiding_equations(const compile::CompiledModel& compiled, double t0, double t1,
                                                const std::vector<double>& u, const integrate::StartOptions& options,
                                                double level = nearly_singular);

/// The same from a point u of a run, which is consistent to its tolerance only: at the consistent point next to it.
[[nodiscard]] std::optional<Diagnostic> hidden_structure_on_the_way(const compile::CompiledModel& compiled, double t,
                                                                    double t1, const std::vector<double>& u,
                                                                    const integrate::StartOptions& options);

} // namespace daedalus::simulation
