// Numbers of a bipolar transistor, at its temperature and for its areas. Those of a pnp are of an npn whose voltages
// and currents have the other sign.
#pragma once

#include "circuit/devices.hpp"
#include "circuit/junctions.hpp"

namespace daedalus::circuit {

struct BipolarNumbers {
    double sign = 1.0, many = 1.0;
    bool lateral = false;    ///< the substrate's junction is with the base, not with the collector
    double saturation = 0.0; ///< I_s
    JunctionLaw forward, reverse, forward_leak, reverse_leak; ///< leaks with saturation 0: there are none
    JunctionLaw substrate{.saturation = 0.0};                 ///< likewise
    double forward_gain = 100.0, reverse_gain = 1.0;
    double forward_early = 0.0, reverse_early = 0.0; ///< 1/V
    double forward_knee = 0.0, reverse_knee = 0.0;   ///< 1/A
    double knee_power = 0.5;
    double base_resistance = 0.0, least_base_resistance = 0.0, emitter_resistance = 0.0, collector_resistance = 0.0;
    double base_current = 0.0; ///< IRB; 0: the base's charge modulates its resistance
    DepletionLayer emitter_layer, collector_layer, substrate_layer;
    double inner_share = 1.0; ///< XCJC
    double forward_transit = 0.0, reverse_transit = 0.0;
    double transit_bias = 0.0, transit_voltage = 0.0, transit_current = 0.0; ///< XTF; 1/V; A
};
[[nodiscard]] BipolarNumbers bipolar_numbers(Assembly& a, const Element& e);

} // namespace daedalus::circuit
