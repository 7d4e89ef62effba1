// Switches controlled by a voltage or a current. What they do changes at events: above threshold + hysteresis they are
// on, below threshold − hysteresis off, in between as they were.
#include "circuit/device_values.hpp"
#include "circuit/devices.hpp"

namespace daedalus::circuit {

void controlled_switch(Assembly& a, const Element& e) {
    expr::Graph& g = a.graph();
    const DeviceModel& model = a.netlist().models[static_cast<std::size_t>(e.model)];
    DeviceValues v(model.values);
    const bool by_voltage = e.kind == spice::ElementKind::voltage_switch;
    const double threshold = by_voltage ? v("vt", 0.0) : v("it", 0.0);
    const double hysteresis = std::abs(by_voltage ? v("vh", 0.0) : v("ih", 0.0));
    const double on = v("ron", 1.0), off = v("roff", 1e12); // off: 1/gmin, as in ngspice
    if (!(on > 0.0 && off > 0.0))
        a.error("switch", model.span, "the resistances of the switch " + model.name + " must be positive");
    v.report_rest(a, model.name);
    NodeId control = a.number(0.0);
    if (by_voltage) {
        control = a.voltage(e.nodes[2], e.nodes[3]);
    } else if (const auto i = a.current_of(e.others.at(0))) {
        control = *i;
    }
    NodeId is_on = g.binary(Op::gt, control, a.number(threshold));
    if (hysteresis > 0.0) is_on = a.hysteresis(e, control, threshold - hysteresis, threshold + hysteresis);
    const NodeId conductance = g.select(is_on, a.number(1.0 / on), a.number(1.0 / off));
    const NodeId i = g.mul(conductance, a.voltage(e.nodes[0], e.nodes[1]));
    a.current(e.nodes[0], e.nodes[1], i);
    a.remember_current(e, i);
}

} // namespace daedalus::circuit
