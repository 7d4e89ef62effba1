// What formulations make of the index of a mechanism, unknown by unknown: HW (1.46) and what follows from it. Each is
// compiled, and the index of positions, velocities and multipliers is that of the integrator's unknowns.
#pragma once

#include "compile/compile.hpp"
#include "daedalus/analysis.hpp"

#include <memory>
#include <vector>

namespace daedalus::simulation {

/// Empty where the model has no equations of motion with constraints, or more than so many equations.
[[nodiscard]] std::vector<FormulationIndex> formulation_indices(const std::shared_ptr<const model::Model>& model,
                                                                compile::CompileOptions how);

} // namespace daedalus::simulation
