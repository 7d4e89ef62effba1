// Time functions of independent sources, with the defaults that SPICE gives them.
#pragma once

#include "circuit/assembly.hpp"

namespace daedalus::circuit {

/// u(t) as an expression of time; its corners are conditions on time, so that runs stop there exactly.
[[nodiscard]] NodeId waveform(Assembly& a, const spice::Element& source);

} // namespace daedalus::circuit
