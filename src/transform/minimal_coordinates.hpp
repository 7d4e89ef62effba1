// Minimal coordinates of a mechanism. A constraint that contains a coordinate with a constant factor,
// c q_d + r(t, q) = 0, defines it: q_d = φ(t, q), and q_d', q_d'' follow by differentiation. The constraint, the
// coordinate and their derivatives leave the system, as if the author had written the joint into the other equations:
// bodies on revolute and sliding joints keep their angles. Forces of these joints stay unknowns of the equations of
// motion. What other constraints leave over (loops, rods of given length) is parametrised locally as by `partition`:
// independent coordinates are states, exchanged where another choice is better conditioned, and constraints of both
// levels are solved for the others.
#pragma once

#include "transform/formulation.hpp"

namespace daedalus::transform {

/// `formulation` has all derivatives of all equations, as `dummy` makes it. Says in its remark what became of what.
void eliminate_coordinates(const System& system, const ReducedSystem& reduced, const EquationsOfMotion& motion,
                           Formulation& formulation);

} // namespace daedalus::transform
