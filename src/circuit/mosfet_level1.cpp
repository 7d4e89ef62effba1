// Level 1 (Shichman & Hodges 1968): square law with body effect and channel-length modulation.
#include "circuit/mosfet.hpp"

#include <cmath>

namespace daedalus::circuit {

namespace {
/// √(φ − v), and its tangent where the bulk is forward biased.
NodeId root_of_bulk(Assembly& a, const ChannelNumbers& c, NodeId v) {
    expr::Graph& g = a.graph();
    const double root = std::sqrt(c.phi);
    const NodeId below = g.unary(Op::sqrt, g.sub(a.number(c.phi), smooth_min(a, v, a.number(0.0))));
    const NodeId tangent = g.mul(a.number(0.5 / root), smooth_max(a, a.number(0.0), v));
    return smooth_max(a, g.sub(below, tangent), a.number(0.0));
}
} // namespace

ChannelLaw channel_level1(Assembly& a, const ChannelNumbers& c, const ChannelVoltages& v) {
    expr::Graph& g = a.graph();
    const auto n = [&](double x) { return a.number(x); };
    NodeId threshold = n(c.flat);
    if (c.gamma != 0.0) threshold = g.add(threshold, g.mul(n(c.gamma), root_of_bulk(a, c, v.bulk)));
    // Both ends alike: ½ β (max(v_gs − v_T, 0)² − max(v_gd − v_T, 0)²) is β (v_gst − v_ds/2) v_ds and ½ β v_gst².
    const NodeId overdrive = g.sub(v.gate, threshold);
    const NodeId at_source = smooth_max(a, overdrive, n(0.0));
    const NodeId at_drain = smooth_max(a, g.sub(overdrive, v.drain), n(0.0));
    NodeId i = g.mul(n(0.5 * c.beta), g.mul(g.sub(at_source, at_drain), g.add(at_source, at_drain)));
    if (c.lambda != 0.0) i = g.mul(i, g.add(n(1.0), g.mul(n(c.lambda), v.drain)));
    return {.current = i, .threshold = threshold, .saturation = at_source};
}

} // namespace daedalus::circuit
