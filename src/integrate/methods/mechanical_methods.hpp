// The list of methods for mechanisms.
#pragma once

#include "integrate/stepper.hpp"

namespace daedalus::integrate {

[[nodiscard]] std::vector<Method> mechanical_methods();

} // namespace daedalus::integrate
