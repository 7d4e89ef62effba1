// How errors and perturbations grow along the solution of a model: conditioning, iteration matrices, the index as it
// changes.
#pragma once

#include "compile/compile.hpp"
#include "daedalus/analysis.hpp"
#include "model/model.hpp"
#include "simulation/array_reduction.hpp"
#include "simulation/compilations.hpp"

#include <memory>

namespace daedalus::simulation {

struct Interval {
    double begin = 0.0, end = 1.0;
    bool known = false; ///< the model or the options say where it ends
};
[[nodiscard]] Interval interval_of(const model::Model& model, const SolveOptions& options, double start);

/// Solves the model and looks at its linearisation at points of the solution. `linear`: its coefficients do not depend
/// on the solution.
void follow_solution(Analysis& a, ArrayAnalysis& arrays, const Compilations& compilations, const SolveOptions& options,
                     const compile::CompileOptions& how, bool linear);

} // namespace daedalus::simulation
