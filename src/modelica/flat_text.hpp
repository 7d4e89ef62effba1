// A model as flat Modelica text: no classes, no arrays, no connections; parts of components are quoted names. Reading
// it gives the same model again, expression by expression, and so the same results and the same text.
#pragma once

#include "model/model.hpp"

#include <string>

namespace daedalus::modelica {

/// Fails where something has no text: loops whose end depends on variables, clocked equations.
[[nodiscard]] Expected<std::string> flat_text(const model::Model& model);

} // namespace daedalus::modelica
