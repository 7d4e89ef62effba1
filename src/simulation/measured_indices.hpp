// What numbers say of a model, added to what structure says: indices from derivative arrays, the tractability and the
// perturbation index, conditioning, free initial values.
#pragma once

#include "compile/compile.hpp"
#include "compile/special_class.hpp"
#include "daedalus/analysis.hpp"
#include "model/model.hpp"

#include <memory>
#include <vector>

namespace daedalus::simulation {

/// Never fails: what could not be found has its reason. `classes`: as structure recognises them; those that the numbers
/// contradict go.
void measure_indices(Analysis& a, std::vector<compile::SpecialClass>& classes,
                     const std::shared_ptr<const model::Model>& model, const SolveOptions& options,
                     const compile::CompileOptions& how, const AnalyzeOptions& what);

} // namespace daedalus::simulation
