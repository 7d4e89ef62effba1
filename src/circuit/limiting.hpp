// How far one iteration of Newton's method may move the voltage of a junction, a gate or a channel, as SPICE3 limits
// them (Nagel 1975; Quarles 1989): exponentials and thresholds are passed in steps that the linearisation can follow.
#pragma once

#include "circuit/circuit.hpp"

namespace daedalus::circuit {

/// In the place of `wanted`, from `old`.
[[nodiscard]] double limited_value(const Limited& what, double wanted, double old);

} // namespace daedalus::circuit
