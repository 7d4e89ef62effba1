// One compilation, many runs: the same code with other values of parameters and start values.
#pragma once

#include "compile/compile.hpp"

#include <string>

namespace daedalus::compile {

/// What of the options a compilation depends on by more than numbers, as a key: options of equal shape can share one.
/// Which parameters vanish belongs to it: structure may depend on that.
[[nodiscard]] Expected<std::string> shape_of(const model::Model& model, const CompileOptions& options);

/// The compiled model with the parameters, start values and start time of `options`, which have the shape that it was
/// compiled with. Costs no compilation; may be called by several threads at once. Without a value where a given start
/// is built into its equations: then it has to be compiled again.
[[nodiscard]] Expected<std::optional<CompiledModel>> renumber(const CompiledModel& compiled,
                                                              const CompileOptions& options);

} // namespace daedalus::compile
