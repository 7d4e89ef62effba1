// From a model to a record of its solution: compile, start, choose the method, run, certify.
#pragma once

#include "base/expected.hpp"
#include "daedalus/options.hpp"
#include "simulation/compilations.hpp"
#include "simulation/record.hpp"
#include "simulation/run.hpp"

#include <functional>
#include <memory>
#include <string>

namespace daedalus::simulation {

/// A model that is about to run: compiled for this run, with a consistent start.
struct Prepared {
    compile::CompiledModel compiled;
    integrate::ConsistentStart start;
    Job job; ///< refers to `compiled`
};

/// How much a record says about model and start.
enum class Detail {
    full,
    numbers ///< only what the run itself computes
};

/// How a run is prepared.
struct Way {
    Detail detail = Detail::full;
    bool trust_structure = false;                 ///< even where its system Jacobian is singular
    std::string why_arrays = {};                  ///< why derivative arrays are used, where they were not asked for
    std::vector<std::vector<int>> dependent = {}; ///< sets of equations that were found to hide a constraint
    /// Told of the compilation before initial values are looked for: it may set held values.
    std::function<void(compile::CompiledModel&)> compiled = {};
};

/// What precedes a run.
[[nodiscard]] Expected<std::unique_ptr<Prepared>> prepare(const Compilations& compilations, const SolveOptions& options,
                                                          Record& record, const Way& way = {});

/// Makes sure that a run with these options will find its compilation.
[[nodiscard]] Diagnostics compile_for(const Compilations& compilations, const SolveOptions& options);

/// Errors in the model, its structure, its initial values or the options come back as diagnostics.
[[nodiscard]] Expected<Record> solve_model(const Compilations& compilations, const SolveOptions& options,
                                           Detail detail = Detail::full);

} // namespace daedalus::simulation
