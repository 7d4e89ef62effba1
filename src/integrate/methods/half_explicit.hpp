// Half-explicit Runge–Kutta methods on the index-2 form of mechanisms: stages are explicit, and a linear system per
// stage finds the multipliers with which the constraints on velocities hold at the next one (S (27); Brasey & Hairer
// 1993; Arnold 1998; Murua 1997). Steps end on these constraints to round-off; those on positions drift as t h^p.
//
// The estimate is the difference of two sets of weights, moved into the tangent space of the constraints at the end;
// its components there alone are errors of the motion.
//
// Systems of index 2 that are no mechanisms: half_explicit_index_two.hpp.
#pragma once

#include "integrate/stepper.hpp"
#include "integrate/tableau/half_explicit.hpp"

namespace daedalus::integrate {

[[nodiscard]] std::unique_ptr<Stepper> make_half_explicit(const problem::ImplicitProblem& problem,
                                                          const IntegrationOptions& options,
                                                          tableau::HalfExplicitName name);

} // namespace daedalus::integrate
