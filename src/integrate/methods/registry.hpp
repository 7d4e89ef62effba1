// The methods by name.
#pragma once

#include "integrate/stepper.hpp"

#include <span>
#include <string_view>

namespace daedalus::integrate {

[[nodiscard]] std::span<const Method> methods();
/// By name or alias; nullptr if unknown.
[[nodiscard]] const Method* find_method(std::string_view name);

} // namespace daedalus::integrate
