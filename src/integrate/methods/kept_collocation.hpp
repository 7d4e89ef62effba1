// A step of a Radau method for later: a copy of its stages, and of the ends of steps that the quintic of three stages
// goes through (collocation_output.hpp). To evaluate it takes what the stepper took, and gives the same bits.
#pragma once

#include "integrate/kept_step.hpp"
#include "integrate/methods/collocation_output.hpp"

#include <memory>

namespace daedalus::integrate {

[[nodiscard]] std::unique_ptr<const KeptStep> keep_collocation(const CollocationStep& step);

} // namespace daedalus::integrate
