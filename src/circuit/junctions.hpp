// What all semiconductor junctions share.
#pragma once

#include "circuit/assembly.hpp"

namespace daedalus::circuit {

struct JunctionLaw {
    double saturation = 1e-14;
    double scale = 0.0258;  ///< n kT/q
    double breakdown = 0.0; ///< 0: none
    double breakdown_current = 1e-3;
    double thermal = 0.0258;
    bool soft_reverse = false; ///< below −3 scale the current goes to −I_s as SPICE3's diode lets it
};
/// I_s (e^(v/s) − 1), with its reverse pieces.
[[nodiscard]] NodeId junction_current(Assembly& a, NodeId v, const JunctionLaw& law);

/// Charge of a depletion layer: C_j (1 − v/φ)^(−m) integrated, and beyond f φ its tangent.
[[nodiscard]] NodeId depletion_charge(Assembly& a, NodeId v, double capacitance, double potential, double grading,
                                      double forward);

/// Built-in potential and capacitance without bias, from the temperature at which they were measured.
void at_temperature(double& potential, double& capacitance, double grading, double kelvin, double measured);

/// max(a, b), min(a, b) whose kinks make no events: of what is continuous with its slopes around them.
[[nodiscard]] NodeId smooth_max(Assembly& a, NodeId x, NodeId y);
[[nodiscard]] NodeId smooth_min(Assembly& a, NodeId x, NodeId y);

} // namespace daedalus::circuit
