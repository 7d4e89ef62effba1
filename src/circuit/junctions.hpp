// What all semiconductor junctions share.
#pragma once

#include "circuit/assembly.hpp"

namespace daedalus::circuit {

struct JunctionLaw {
    double saturation = 1e-14;
    double scale = 0.0258;           ///< n kT/q
    double breakdown = 0.0;          ///< where the current of the breakdown begins (breakdown_begin); 0: never
    double breakdown_scale = 0.0258; ///< of its exponential
    bool soft_reverse = false;       ///< below −3 scale the current goes to −I_s as SPICE3's diode lets it
};
/// I_s (e^(v/s) − 1), with its reverse pieces.
[[nodiscard]] NodeId junction_current(Assembly& a, NodeId v, const JunctionLaw& law);

/// x, so that a diode with the current −I_s e^(−(x + v)/s) below −x has −I_bv at −B.
struct Breakdown {
    double voltage = 0.0, current = 1e-3, scale = 0.0258;
};
[[nodiscard]] double breakdown_begin(const Breakdown& b, double saturation, double thermal);

/// A depletion layer at its temperature.
struct DepletionLayer {
    double capacitance = 0.0; ///< without bias
    double potential = 1.0, grading = 0.5, forward = 0.5;
};
/// Its charge: C (1 − v/φ)^(−m) integrated, and beyond f φ the parabola with the same slope.
[[nodiscard]] NodeId depletion_charge(Assembly& a, NodeId v, const DepletionLayer& layer);

/// Potential and capacitance at a temperature, from those at which they were measured.
void at_temperature(DepletionLayer& layer, double kelvin, double measured);
/// φ(T) of a junction that has the potential φ at the temperature `measured`.
[[nodiscard]] double potential_at(double potential, double kelvin, double measured);
/// Gap of silicon in eV.
[[nodiscard]] double silicon_gap(double kelvin);

/// max(a, b), min(a, b) whose kinks make no events: of what is continuous with its slopes around them. Where both are
/// equal the slope is that of the first: who adds pieces up writes min(x, constant) and max(constant, x).
[[nodiscard]] NodeId smooth_max(Assembly& a, NodeId x, NodeId y);
[[nodiscard]] NodeId smooth_min(Assembly& a, NodeId x, NodeId y);

} // namespace daedalus::circuit
