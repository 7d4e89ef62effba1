// Derivative arrays as the façade needs them: the index at consistent initial values, and the reduced problem that
// takes the place of what compilation made.
#pragma once

#include "analysis/differentiation_index.hpp"
#include "compile/compile.hpp"
#include "compile/derivative_array.hpp"
#include "daedalus/options.hpp"
#include "integrate/consistent_start.hpp"

#include <memory>

namespace daedalus::facade {

struct ArrayAnalysis {
    compile::ArrayModel model;
    analysis::ArrayIndex index;
    double seconds = 0.0;
};

/// The index at a consistent point: with x as in `x_start` where the array allows it (consistent initial values found
/// in another way), else at the consistent initial values of every order.
[[nodiscard]] Expected<ArrayAnalysis> analyze_array(std::shared_ptr<const model::Model> model,
                                                    const compile::CompileOptions& how,
                                                    const integrate::StartOptions& start,
                                                    const std::vector<double>& x_start = {},
                                                    const analysis::IndexOptions& options = {});

/// Values of the model's variables at the consistent start of a compiled model; empty where there is none.
[[nodiscard]] std::vector<double> start_values(compile::CompiledModel& compiled, const integrate::StartOptions& start);

/// Replaces compiled.problem and compiled.initial by the system from derivative arrays that compiled.reduce names, and
/// records what was found.
[[nodiscard]] std::optional<Diagnostics> reduce_by_arrays(compile::CompiledModel& compiled,
                                                          const compile::CompileOptions& how,
                                                          const integrate::StartOptions& start);

} // namespace daedalus::facade
