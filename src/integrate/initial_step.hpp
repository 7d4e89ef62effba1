// The first step size when none is given.
#pragma once

#include "integrate/error_norm.hpp"

namespace daedalus::integrate {

/// |h| such that x changes by about one tolerance: h ‖x'‖ = ½ in the weighted norm for a first step of order 1
/// (Brenan, Campbell & Petzold 1996, 5.2.4), ten times that for methods that start at higher order; at most 1 ‰ of the
/// interval. Needs x' of all unknowns whose x' matters, see consistent_derivative.hpp.
[[nodiscard]] double initial_step(const ErrorNorm& norm, const double* dx, double interval, int order);

/// For direct integration of index 2 and more, where x' of the unknowns of higher index is not known and a step that is
/// too small divides round-off by powers of h: a tenth of tol^(1/4) of the time in which some unknown changes by its
/// own size, the step at which an estimate of order 3 is about at tolerance.
[[nodiscard]] double initial_step_direct(const problem::ImplicitProblem& problem, const Tolerance& tolerance,
                                         const double* x, const double* dx, double interval);

} // namespace daedalus::integrate
