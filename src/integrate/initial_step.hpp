// The first step size when none is given.
#pragma once

#include "integrate/error_norm.hpp"

namespace daedalus::integrate {

/// |h| from the sizes of x and x' in the weighted norm: h ‖x'‖ ≈ ½ keeps the first order-1 step near tolerance
/// (Brenan, Campbell & Petzold 1996, 5.2.4), 1 ‰ of the interval bounds it when x' says nothing. `order` is the
/// order of the method's first step: a method of order p may take the (p+1)-th root of that caution back.
[[nodiscard]] double initial_step(const ErrorNorm& norm, const double* dx, double interval, int order);

} // namespace daedalus::integrate
