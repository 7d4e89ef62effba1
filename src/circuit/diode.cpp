// Junction diodes as in SPICE3: exponential law with a soft reverse current and breakdown, depletion and diffusion
// charge, series resistance (Nagel 1975; Antognetti & Massobrio 1993, ch. 1). Formulas by pieces are written with
// minimum and maximum, so that they are continuous with their slopes and no piece needs an event.
#include "circuit/device_values.hpp"
#include "circuit/devices.hpp"
#include "circuit/junctions.hpp"
#include "circuit/physical_constants.hpp"

#include <cmath>

namespace daedalus::circuit {

namespace {

struct DiodeCard {
    double saturation, emission, resistance, transit, capacitance, potential, grading, forward, breakdown,
        breakdown_current;
};

DiodeCard card_at_temperature(Assembly& a, const Element& e, const DeviceModel& model) {
    DeviceValues v(model.values);
    constexpr double never = 0.0;
    DiodeCard c{};
    const double kelvin = a.temperature(e), measured = a.measured_at(model);
    (void)v("tnom", 0.0);
    (void)v("level", 1.0);
    (void)v("kf", 0.0);
    (void)v("af", 1.0);
    c.emission = v("n", 1.0);
    const double gap = v("eg", 1.11), exponent = v("xti", 3.0);
    const double ratio = kelvin / measured;
    c.saturation = v("is", 1e-14) * std::exp((ratio - 1.0) * gap / (c.emission * thermal_voltage(kelvin))) *
                   std::pow(ratio, exponent / c.emission);
    c.resistance = v("rs", 0.0);
    c.transit = v("tt", 0.0);
    c.potential = v("vj", v("pb", 1.0));
    c.grading = v("m", v("mj", 0.5));
    c.forward = v("fc", 0.5);
    c.capacitance = v("cjo", v("cj0", v("cj", 0.0)));
    at_temperature(c.potential, c.capacitance, c.grading, kelvin, measured);
    c.breakdown = v.given("bv") ? v("bv", never) : never;
    c.breakdown_current = v("ibv", 1e-3);
    if (!(c.saturation > 0.0))
        a.error("saturation-current", v.span("is", model.span),
                "the saturation current of " + model.name + " must be positive");
    v.report_rest(a, model.name);
    return c;
}

} // namespace

void diode(Assembly& a, const Element& e) {
    expr::Graph& g = a.graph();
    const DeviceModel& model = a.netlist().models[static_cast<std::size_t>(e.model)];
    DiodeCard c = card_at_temperature(a, e, model);
    DeviceValues own(e.values);
    const double area = own("area", 1.0) * multiplicity(e);
    const double vt = thermal_voltage(a.temperature(e)), scale = c.emission * vt;
    c.saturation *= area;
    c.capacitance *= area;
    const int cathode = e.nodes[1];
    int anode = e.nodes[0];
    if (c.resistance > 0.0) {
        anode = a.inner_node(e, "anode");
        a.current(e.nodes[0], anode, g.div(a.voltage(e.nodes[0], anode), a.number(c.resistance / area)));
    }
    const NodeId v = a.junction(e, anode, cathode, 1.0, scale, c.saturation, "junction");
    const NodeId i = junction_current(a, v,
                                      {.saturation = c.saturation,
                                       .scale = scale,
                                       .breakdown = c.breakdown,
                                       .breakdown_current = c.breakdown_current * area,
                                       .thermal = vt,
                                       .soft_reverse = true});
    a.current(anode, cathode, g.add(i, g.mul(a.gmin(), v)));
    a.remember_current(e, c.resistance > 0.0 ? g.div(a.voltage(e.nodes[0], anode), a.number(c.resistance / area))
                                             : g.add(i, g.mul(a.gmin(), v)));
    if (a.at_rest()) return;
    NodeId q = depletion_charge(a, v, c.capacitance, c.potential, c.grading, c.forward);
    if (c.transit > 0.0) q = g.add(q, g.mul(a.number(c.transit), i));
    if (c.transit > 0.0 || c.capacitance > 0.0) a.charge(anode, cathode, q);
}

} // namespace daedalus::circuit
