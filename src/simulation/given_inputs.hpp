// Inputs without values, for questions that do not depend on them: structure and index are those of a system in which
// inputs are known functions of time, as smooth as it takes.
#pragma once

#include "model/model.hpp"

#include <string>
#include <vector>

namespace daedalus::simulation {

/// Gives every input that waits for a value an equation u = c + sin(a t + b) with numbers of its own, none of which
/// makes a value or a derivative vanish. Returns the names.
std::vector<std::string> take_inputs_as_given(model::Model& model);

} // namespace daedalus::simulation
