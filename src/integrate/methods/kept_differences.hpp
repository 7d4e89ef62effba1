// A step of BDF for later: a copy of its differences and of its end. To evaluate it takes what the stepper took, and
// gives the same bits.
#pragma once

#include "integrate/kept_step.hpp"
#include "integrate/methods/bdf_history.hpp"

#include <memory>
#include <span>

namespace daedalus::integrate {

/// The last committed step, which ends at t in (x, dx); `degree` as its method gives it.
[[nodiscard]] std::unique_ptr<const KeptStep> keep_differences(const BdfHistory& history, double t,
                                                               std::span<const double> x, std::span<const double> dx,
                                                               int degree);

} // namespace daedalus::integrate
