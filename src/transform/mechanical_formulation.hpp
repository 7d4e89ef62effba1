// What formulations of mechanisms put in the place of links and constraints, with the parts of the equations of motion.
//
//   overdetermined  HW (2.27), from y' = Z v and all constraints c of positions and velocities:
//                       y' = Z (v + δ),   M δ + Zᵀ Σ (∂c/∂y)ᵀ μ_c = 0,   M (v' - a) + Σ (∂c/∂v)ᵀ μ_c = 0 :
//                   the corrections of the ssf solution are the least ones in the metric of the masses.
//   penalty         W (4.3), Lötstedt: M q'' = f - Gᵀ g/ε, a stiff spring in the place of each constraint.
//   knorrenschild   W (4.4): 0 = g(q + (ε + μ) v + μ ε v').
//   hanke           W (4.5): q' = v + μ v', 0 = g(q + ε q' + μ ε v').
// In quaternions Z v' stands for v' in the latter, and y'' = (Z v)' in the one before.
#pragma once

#include "transform/formulation.hpp"

#include <span>

namespace daedalus::transform {

/// Of rows as written.
void correct_in_masses(const System& system, const EquationsOfMotion& motion, Formulation& formulation);

/// Of rows as written, those of constraints on positions. Where it cannot be, `formulation.impossible` says why.
void regularise(const System& system, const EquationsOfMotion& motion, Formulation& formulation);

} // namespace daedalus::transform
