// Start values of a mechanism that violate its constraints are moved to the nearest ones that satisfy them in the
// metric of its masses: δq of least δqᵀ M δq, then velocities likewise (HW (2.10), (2.11)). A heavy body moves less
// than a light one, and the result does not depend on units, which nominal values do.
#pragma once

#include "compile/compile.hpp"
#include "integrate/consistent_start.hpp"
#include "simulation/compilations.hpp"

namespace daedalus::simulation {

/// `start`, found with changes to what was given, again from the nearest point in the metric of the masses, if the
/// model is a mechanism whose positions were all given and none fixed. Else it stays. `how`: what `compiled` was made
/// with.
void use_mass_metric(const Compilations& compilations, const compile::CompileOptions& how,
                     const integrate::StartOptions& options, bool forward, compile::CompiledModel& compiled,
                     integrate::ConsistentStart& start);

} // namespace daedalus::simulation
