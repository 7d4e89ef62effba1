// A compiled model and its start as reports show them.
#pragma once

#include "compile/compile.hpp"
#include "daedalus/options.hpp"
#include "integrate/consistent_start.hpp"
#include "problem/initial_problem.hpp"
#include "simulation/record.hpp"

namespace daedalus::simulation {

/// Names and kinds of the variables that will be recorded.
void describe_variables(const compile::CompiledModel& compiled, Record& record);
void describe_model(const compile::CompiledModel& compiled, const SolveOptions& options, Record& record);
void describe_start(const problem::InitialProblem& problem, const integrate::ConsistentStart& start, Record& record);

} // namespace daedalus::simulation
