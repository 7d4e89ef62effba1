// The capacitances of a gate by Meyer (1971), as SPICE3 has them, and charges of a long channel in their place.
#include "circuit/mosfet.hpp"
#include "circuit/terms.hpp"

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

// With the overdrives V_s, V_d of the gate above the thresholds at both ends of the channel (0 where it is pinched
// off),
//   Q_channel = −⅔ C (V_s² + V_s V_d + V_d²)/(V_s + V_d),
//   Q_drain   = −C (3 V_d³ + 6 V_d² V_s + 4 V_d V_s² + 2 V_s³)/(V_s + V_d)² · 2/15            (Ward & Dutton 1978),
// which is 40 % of the channel's charge in saturation; for another share XQC its distance from one half is scaled. The
// bulk's charge is the mean of both ends, with x = v_gb − v_fb − V the voltage that is left for it:
//   Q_bulk    = −C γ²/2 (√(1 + 4 x/γ²) − 1), −C x in accumulation (x < 0).
// A channel does not appear at once: V is 2 V_t ln(1 + e^(v/2V_t)) in the place of max(v, 0) (Enz, Krummenacher &
// Vittoz 1995), without which capacitances would jump. No end is called source, so nothing is exchanged at v_ds = 0,
// and charges can be differenced as they stand. Levels 2 and 3 have the charges of this long channel, too.
ChannelCharges channel_charges(Assembly& a, const MosNumbers& m, const ChannelEnd& source, const ChannelEnd& drain) {
    const ChannelNumbers& c = m.channel;
    const double whole = c.gate_capacitance();
    const auto gradual = [&](const Term& x) { // no overflow: max(x, 0) + s ln(1 + e^(−|x|/s))
        const double s = 2.0 * c.vt;
        return largest(x, 0.0) + s * log(1.0 + exp(largest(x, -x) / -s));
    };
    const auto overdrive = [&](const ChannelEnd& end) {
        constexpr double least_voltage = 1e-12; // there is always a ratio of charges
        const Term bulk(a, end.bulk), gate(a, end.gate);
        if (c.gamma == 0.0) return gradual(gate - c.flat) + least_voltage;
        const double root = std::sqrt(c.phi);
        const Term bent = largest(sqrt(c.phi - least(bulk, 0.0)) - largest(0.0, bulk) / (2.0 * root), 0.0);
        return gradual(gate - c.flat - c.gamma * bent) + least_voltage;
    };
    const auto of_bulk = [&](const Term& x) {
        if (c.gamma == 0.0) return -1.0 * gradual(-x);
        return least(x, 0.0) + 0.5 * c.gamma * (sqrt(c.gamma * c.gamma + 4.0 * largest(0.0, x)) - c.gamma);
    };
    const Term vs = overdrive(source), vd = overdrive(drain), sum = vs + vd;
    const Term above_flat = Term(a, source.gate) - Term(a, source.bulk) - (c.flat - c.phi);
    const Term depletion = 0.5 * whole * (of_bulk(above_flat - vs) + of_bulk(above_flat - vd));
    const Term channel = -2.0 / 3.0 * whole * (square(sum) - vs * vd) / sum;
    // Ward's and Dutton's charge of the drain is half of the channel's less this, odd in V_s − V_d:
    //   ½ Q_channel − Q_drain = −C/15 (V_s − V_d) (V_s² + 3 V_s V_d + V_d²)/(V_s + V_d)²
    const double scale = (0.5 - m.drain_share) / 0.1;
    const Term odd = -whole / 15.0 * (vs - vd) * (square(sum) + vs * vd) / square(sum);
    return {.gate = depletion - channel, .drain = 0.5 * channel - scale * odd, .bulk = -depletion};
}

} // namespace daedalus::circuit
