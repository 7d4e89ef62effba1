// What formulations of mechanisms put in the place of links and constraints, with the parts of the equations of motion.
//
//   overdetermined  HW (2.27): M (q' - v) + Σ (∂c/∂q)ᵀ μ_c = 0 and M (v' - a) + Σ (∂c/∂v)ᵀ μ_c = 0 over constraints c
//   of
//           positions and velocities: the corrections of the ssf solution are the least ones in the metric of the
//           masses.
//   penalty         W (4.3), Lötstedt: M q'' = f - Gᵀ g/ε, a stiff spring in the place of each constraint.
//   knorrenschild   W (4.4): 0 = g(q + (ε + μ) v + μ ε v').
//   hanke           W (4.5): q' = v + μ v', 0 = g(q + ε q' + μ ε v').
#pragma once

#include "transform/formulation.hpp"

#include <span>

namespace daedalus::transform {

/// `pull`: per unknown, what multipliers add to its link; links of positions and velocities become rows.
void weigh_links(const System& system, const EquationsOfMotion& motion, std::span<const NodeId> pull,
                 Formulation& formulation);

/// Of rows as written, those of constraints on positions. Where it cannot be, `formulation.impossible` says why.
void regularise(const System& system, const EquationsOfMotion& motion, Formulation& formulation);

} // namespace daedalus::transform
