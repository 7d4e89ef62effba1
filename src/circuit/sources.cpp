// Independent, controlled and behavioural sources, and the ideal operational amplifier.
#include "circuit/device_values.hpp"
#include "circuit/devices.hpp"
#include "circuit/formula.hpp"
#include "circuit/waveforms.hpp"
#include "expr/evaluate.hpp"

namespace daedalus::circuit {

namespace {

/// The value of an independent source. At rest it is a parameter, named as the element, that analyses set: the DC
/// value, or u(0) before a transient analysis.
NodeId source_value(Assembly& a, const Element& e, const std::string& unit) {
    const bool moves = e.waveform.kind != spice::Waveform::Kind::none;
    double dc = DeviceValues(e.values)("value", 0.0);
    if (!moves) return a.graph().mul(a.source_scale(), a.parameter(e, dc, unit));
    const NodeId u = waveform(a, e);
    if (!a.sources_are_numbers()) return u;
    a.remember_first_value(e, u);
    const NodeId value = a.parameter(e, dc, unit);
    return a.graph().mul(a.source_scale(), value);
}

/// What controls E and G: pairs of nodes; F and H: currents.
std::vector<NodeId> controls(Assembly& a, const Element& e) {
    std::vector<NodeId> x;
    for (std::size_t k = 2; k + 1 < e.nodes.size(); k += 2) x.push_back(a.voltage(e.nodes[k], e.nodes[k + 1]));
    for (const int other : e.others) {
        if (const auto i = a.current_of(other))
            x.push_back(*i);
        else
            a.error("no-current", e.span,
                    "the current through " + a.netlist().elements[static_cast<std::size_t>(other)].name +
                        ", which controls " + e.name + ", is no unknown of the circuit",
                    "put a voltage source of 0 V in series and use its current");
    }
    return x;
}

NodeId controlled_value(Assembly& a, const Element& e) {
    if (!e.table.empty() && e.formula) {
        std::vector<double> points;
        for (const spice::Value& v : e.table) points.push_back(v.number);
        return table(a, points, lower(a, e, *e.formula));
    }
    if (e.formula) return lower(a, e, *e.formula);
    const std::vector<NodeId> x = controls(a, e);
    if (x.empty()) return a.number(0.0);
    if (!e.polynomial.empty()) return polynomial(a, e.polynomial, x);
    return a.graph().mul(a.parameter(e, DeviceValues(e.values)("gain", 0.0), ""), x[0]);
}

} // namespace

void voltage_source(Assembly& a, const Element& e) {
    (void)a.branch_current(e, e.nodes[0], e.nodes[1]);
    a.equation(e, a.graph().sub(a.voltage(e.nodes[0], e.nodes[1]), source_value(a, e, "V")), "voltage");
}

void current_source(Assembly& a, const Element& e) {
    NodeId i = source_value(a, e, "A");
    if (const double m = multiplicity(e); m != 1.0) i = a.graph().mul(a.number(m), i);
    a.current(e.nodes[0], e.nodes[1], i);
    a.remember_current(e, i);
}

void controlled_source(Assembly& a, const Element& e) {
    using enum spice::ElementKind;
    const NodeId value = controlled_value(a, e);
    if (e.kind == voltage_controlled_current || e.kind == current_controlled_current || e.kind == behavioural_current) {
        const NodeId i = a.graph().mul(a.number(multiplicity(e)), value);
        a.current(e.nodes[0], e.nodes[1], i);
        return a.remember_current(e, i);
    }
    (void)a.branch_current(e, e.nodes[0], e.nodes[1]);
    a.equation(e, a.graph().sub(a.voltage(e.nodes[0], e.nodes[1]), value), "voltage");
}

void nullor(Assembly& a, const Element& e) {
    (void)a.branch_current(e, e.nodes[0], e.nodes[1]);
    a.equation(e, a.voltage(e.nodes[2], e.nodes[3]), "voltage between the inputs");
}

} // namespace daedalus::circuit
