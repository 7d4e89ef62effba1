// Numbers that a formulation needs and nobody has to give: Baumgarte's α and β, ε and μ of the regularisations. Where
// they are not given, the rate of the solution at the start (compile/baumgarte.hpp) and the tolerance decide.
#pragma once

#include "compile/compile.hpp"
#include "daedalus/options.hpp"
#include "simulation/record.hpp"
#include "simulation/run.hpp"

#include <span>

namespace daedalus::simulation {

/// `u`: the start. What was chosen, and why, goes into the report's options.
void set_formulation_parameters(compile::CompiledModel& compiled, const SolveOptions& options,
                                std::span<const double> u, const Job& job, Record& record);

} // namespace daedalus::simulation
