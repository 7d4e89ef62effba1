// Change points of closed loops: configurations in which constraints become dependent for a moment, a parallelogram
// that lies flat. There the mechanism can go on in more than one way, and forces of joints are not determined; a step
// that passes one does not see it, for both sides are regular.
//
// With W = ∂w/∂v, rows of length 1 in the metric of the masses, the least singular value σ of W vanishes there. Beside
// the point σ is linear in time, uᵀW = σ zᵀ with left and right singular vectors, and on the other side z is reversed:
// so a passage is seen between two samples, however far apart they are beside the zero.
#pragma once

#include "daedalus/options.hpp"
#include "simulation/compilations.hpp"
#include "simulation/record.hpp"

namespace daedalus::study {

/// A warning for each change point that the run passed, or ended at.
[[nodiscard]] Diagnostics change_points(const simulation::Compilations& compilations, const SolveOptions& options,
                                        const simulation::Record& record);

} // namespace daedalus::study
