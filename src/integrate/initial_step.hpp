// The first step size when none is given.
#pragma once

#include "integrate/error_norm.hpp"

namespace daedalus::integrate {

/// |h| such that x changes by about one tolerance: h ‖x'‖ = ½ in the weighted norm for a first step of order 1
/// (Brenan, Campbell & Petzold 1996, 5.2.4), ten times that for methods that start at higher order; at most 1 ‰ of the
/// interval. Needs x' of all unknowns whose x' matters, see consistent_derivative.hpp.
[[nodiscard]] double initial_step(const ErrorNorm& norm, const double* dx, double interval, int order);

} // namespace daedalus::integrate
