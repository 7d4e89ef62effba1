// Methods that are nothing but their coefficients: implicit Runge–Kutta methods by tableau and linear multistep methods
// with constant steps, each family by one row of data.
#pragma once

#include "integrate/stepper.hpp"

#include <vector>

namespace daedalus::integrate {

/// For the list of all methods (registry.hpp).
[[nodiscard]] std::vector<Method> coefficient_methods();

} // namespace daedalus::integrate
