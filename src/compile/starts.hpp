// Start values from outside the model, by name: "x", "der(x)", "der(x, 2)".
#pragma once

#include "compile/compile.hpp"
#include "transform/initialization.hpp"

#include <vector>

namespace daedalus::compile {

/// Fails, with the nearest name as a hint, where the model has no such variable or the value is not finite.
[[nodiscard]] Expected<std::vector<transform::GivenStart>> given_starts(const model::Model& model,
                                                                        const std::vector<StartOverride>& starts);

} // namespace daedalus::compile
