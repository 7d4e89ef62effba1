// Derivative arrays as the façade needs them: the index at consistent initial values, and the reduced problem that
// takes the place of what compilation made.
#pragma once

#include "analysis/differentiation_index.hpp"
#include "compile/compile.hpp"
#include "compile/derivative_array.hpp"
#include "daedalus/options.hpp"
#include "integrate/consistent_start.hpp"

#include <functional>
#include <memory>

namespace daedalus::simulation {

struct ArrayAnalysis {
    compile::ArrayModel model;
    analysis::ArrayIndex index;
    bool held = false;          ///< the index is that at the values of the start guess
    bool start_ignored = false; ///< the index is that beside a start that contradicts the equations
    double seconds = 0.0;
};

/// Consistent values of the array's unknowns, found in another way; empty where there are none.
using StartGuess = std::function<std::vector<double>(const compile::ArrayModel& array)>;

/// The index at a consistent point: with x as `x_start` gives it where the array allows it (consistent initial values
/// found in another way), else at the consistent initial values of every order.
[[nodiscard]] Expected<ArrayAnalysis> analyze_array(std::shared_ptr<const model::Model> model,
                                                    const compile::CompileOptions& how,
                                                    const integrate::StartOptions& start,
                                                    const StartGuess& x_start = {},
                                                    const analysis::IndexOptions& options = {});

/// A start of the compiled model as guess for its array: variables, then derivatives by their names. Empty where one of
/// them is not known.
[[nodiscard]] std::vector<double> array_unknowns(compile::CompiledModel& compiled, const integrate::ConsistentStart& at,
                                                 const compile::ArrayModel& array);

/// Consistent initial values of compiled.initial, and what they are for the unknowns of compiled.problem.
struct ReducedStart {
    integrate::ConsistentStart start;
    std::vector<double> x, dx;
    int differentiation = 0; ///< index of the array
    int differential = 0;    ///< degrees of freedom that it leaves
};

/// Replaces compiled.problem by the system from derivative arrays that compiled.reduce names, and records what was
/// found. Initial values are those of the model as it was compiled where its structure is regular and the array
/// accepts them; elsewhere compiled.initial becomes the initial value problem of the array. Events are those of the
/// model; `forward`: time will grow.
[[nodiscard]] Expected<ReducedStart> reduce_by_arrays(compile::CompiledModel& compiled,
                                                      const compile::CompileOptions& how,
                                                      const integrate::StartOptions& start, bool forward = true);

} // namespace daedalus::simulation
