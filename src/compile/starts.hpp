// Start values from outside the model, by name: "x", "der(x)", "der(x, 2)".
#pragma once

#include "compile/compile.hpp"
#include "transform/initialization.hpp"
#include "transform/quadratures.hpp"

#include <vector>

namespace daedalus::compile {

/// Fails, with the nearest name as a hint, where the model has no such variable or the value is not finite.
[[nodiscard]] Expected<std::vector<transform::GivenStart>> given_starts(const model::Model& model,
                                                                        const std::vector<StartOverride>& starts);

/// A parameter with fixed = false is solved for at the start: a value given for it is where the search begins.
[[nodiscard]] CompileOptions with_guesses(const model::Model& model, CompileOptions options);

/// Start values of quadratures; those given from outside leave the list.
[[nodiscard]] std::vector<double> quadrature_starts(const model::Model& model,
                                                    const std::vector<transform::Quadrature>& list,
                                                    const std::vector<double>& parameters,
                                                    std::vector<transform::GivenStart>& given);

} // namespace daedalus::compile
