// The parts of a MOS transistor: numbers from its card, the current of its channel by level, the capacitances of its
// gate. Everything is written for an n-channel; a p-channel has the signs of all voltages and currents exchanged.
#pragma once

#include "circuit/devices.hpp"
#include "circuit/junctions.hpp"

namespace daedalus::circuit {

/// Of the channel, at the temperature of the device.
struct ChannelNumbers {
    int level = 1;
    double vt = 0.0258; ///< kT/q
    double width = 1e-4, length = 1e-4, many = 1.0;
    double oxide = 0.0;            ///< F/m²; 0: no thickness given
    double beta = 0.0;             ///< KP W/L, of all m
    double phi = 0.6, gamma = 0.0; ///< surface potential, body effect
    double flat = 0.0;             ///< VTO − γ √φ: flat-band voltage + φ
    double lambda = 0.0;
    double depletion = 0.0;                                   ///< √(2ε/(q N_sub)), m/√V; 0: no doping given
    double fast_states = 0.0;                                 ///< q NFS, F/m²
    double delta = 0.0, vmax = 0.0, xj = 0.0, mobility = 0.0; // DELTA; m/s; m; m²/(V s)
    double ucrit = 0.0, uexp = 0.0, neff = 1.0, bulk_potential = 0.8; // level 2; V/m
    double theta = 0.0, eta = 0.0, kappa = 0.0, ld = 0.0;             // level 3

    [[nodiscard]] double gate_capacitance() const { return oxide * width * length * many; }
};

struct BulkJunction {
    double saturation = 1e-14;
    DepletionLayer bottom, side;
};

struct MosNumbers {
    double sign = 1.0; ///< −1: p-channel
    ChannelNumbers channel;
    BulkJunction drain, source;
    double drain_resistance = 0.0, source_resistance = 0.0;               ///< 0: none
    double overlap_source = 0.0, overlap_drain = 0.0, overlap_bulk = 0.0; ///< F
    double drain_share = 1.0; ///< XQC: of the channel's charge in saturation that belongs to the drain; above ½: Meyer
};
[[nodiscard]] MosNumbers mos_numbers(Assembly& a, const Element& e);

/// Against the source, of a channel whose drain is the higher end: v_ds ≥ 0.
struct ChannelVoltages {
    NodeId gate, drain, bulk;
};
struct ChannelLaw {
    NodeId current;    ///< from drain to source
    NodeId threshold;  ///< of the gate against the source: what SPICE calls von
    NodeId saturation; ///< of the drain against the source, not negative
};
[[nodiscard]] ChannelLaw channel_level1(Assembly& a, const ChannelNumbers& c, const ChannelVoltages& v);
[[nodiscard]] ChannelLaw channel_level2(Assembly& a, const ChannelNumbers& c, const ChannelVoltages& v);
[[nodiscard]] ChannelLaw channel_level3(Assembly& a, const ChannelNumbers& c, const ChannelVoltages& v);

/// Meyer's capacitances between gate and source, drain, bulk.
struct MeyerCapacitances {
    NodeId source, drain, bulk;
};
[[nodiscard]] MeyerCapacitances meyer(Assembly& a, const ChannelNumbers& c, const ChannelVoltages& v,
                                      const ChannelLaw& law);
/// Voltages of gate and bulk against an end of the channel.
struct ChannelEnd {
    NodeId gate, bulk;
};
/// Charges of gate, drain and bulk; that of the source is minus their sum.
struct ChannelCharges {
    NodeId gate, drain, bulk;
};
[[nodiscard]] ChannelCharges channel_charges(Assembly& a, const MosNumbers& m, const ChannelEnd& source,
                                             const ChannelEnd& drain);

} // namespace daedalus::circuit
