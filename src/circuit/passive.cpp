// Resistors, capacitors, inductors and their couplings.
#include "circuit/device_values.hpp"
#include "circuit/devices.hpp"
#include "circuit/formula.hpp"

#include <cmath>
#include <map>

namespace daedalus::circuit {

namespace {

/// 1 + tc1 ΔT + tc2 ΔT²; coefficients of the element come before those of its model.
double temperature_factor(Assembly& a, const Element& e, DeviceValues& own, DeviceValues& card, double measured) {
    const double rise = a.temperature(e) - measured;
    return 1.0 + own("tc1", card("tc1", 0.0)) * rise + own("tc2", card("tc2", 0.0)) * rise * rise;
}

const spice::Values& values_of_model(Assembly& a, const Element& e) {
    static const spice::Values none;
    return e.model < 0 ? none : a.netlist().models[static_cast<std::size_t>(e.model)].values;
}
double measured_at(Assembly& a, const Element& e) {
    static const DeviceModel none;
    return a.measured_at(e.model < 0 ? none : a.netlist().models[static_cast<std::size_t>(e.model)]);
}

} // namespace

void resistor(Assembly& a, const Element& e) {
    expr::Graph& g = a.graph();
    DeviceValues own(e.values), card(values_of_model(a, e));
    const double factor = temperature_factor(a, e, own, card, measured_at(a, e));
    NodeId resistance = expr::no_node;
    if (e.formula) {
        resistance = lower(a, e, *e.formula);
        if (factor != 1.0) resistance = g.mul(resistance, a.number(factor));
    } else {
        double ohms = own("value", 0.0);
        if (!own.given("value")) {
            const double narrow = card("narrow", 0.0), sheet = card("rsh", 0.0);
            const double width = own("w", card("defw", 1e-5)) - narrow, length = own("l", 0.0) - narrow;
            ohms = sheet > 0.0 && length > 0.0 && width > 0.0 ? sheet * length / width : card("r", 0.0);
        }
        ohms *= factor;
        if (!std::isfinite(ohms) || ohms == 0.0)
            return a.error("zero-resistance", own.span("value", e.span), "the resistance of " + e.name + " is zero",
                           "a voltage source of 0 V is a wire");
        resistance = a.parameter(e, ohms, "Ohm");
    }
    NodeId current = g.div(a.voltage(e.nodes[0], e.nodes[1]), resistance);
    if (const double m = multiplicity(e); m != 1.0) current = g.mul(a.number(m), current);
    a.current(e.nodes[0], e.nodes[1], current);
    a.remember_current(e, current);
}

void capacitor(Assembly& a, const Element& e) {
    expr::Graph& g = a.graph();
    const NodeId v = a.voltage(e.nodes[0], e.nodes[1]);
    const NodeId m = a.number(multiplicity(e));
    if (e.formula) {
        const NodeId value = g.mul(m, lower(a, e, *e.formula));
        if (e.is_charge) return a.charge(e.nodes[0], e.nodes[1], value);
        const NodeId i = g.mul(value, a.rate(v)); // no charge that could be kept
        a.current(e.nodes[0], e.nodes[1], i);
        return a.remember_current(e, i);
    }
    DeviceValues own(e.values), card(values_of_model(a, e));
    double farads = own("value", 0.0);
    if (!own.given("value")) {
        const double narrow = card("narrow", 0.0);
        const double width = own("w", card("defw", 1e-5)) - narrow, length = own("l", 0.0) - narrow;
        farads = length > 0.0 ? card("cj", 0.0) * length * width + 2.0 * card("cjsw", 0.0) * (length + width)
                              : card("cap", 0.0);
    }
    farads *= temperature_factor(a, e, own, card, measured_at(a, e));
    if (own.given("ic")) a.initial_condition(e, v, own("ic", 0.0));
    a.charge(e.nodes[0], e.nodes[1], g.mul(g.mul(m, a.parameter(e, farads, "F")), v));
}

void inductors(Assembly& a) {
    const auto& elements = a.netlist().elements;
    expr::Graph& g = a.graph();
    struct Coil {
        NodeId inductance, flux;
        double henries;
    };
    std::map<int, Coil> coils; // by element
    for (std::size_t k = 0; k < elements.size(); ++k) {
        const Element& e = elements[k];
        if (e.kind != spice::ElementKind::inductor) continue;
        DeviceValues own(e.values), card(values_of_model(a, e));
        const NodeId i = a.branch_current(e, e.nodes[0], e.nodes[1]);
        if (own.given("ic")) a.initial_condition(e, i, own("ic", 0.0));
        Coil& coil = coils[static_cast<int>(k)];
        if (e.formula) {
            coil.flux = lower(a, e, *e.formula);
            if (!e.is_charge) coil.flux = g.mul(coil.flux, i);
            coil.inductance = expr::no_node;
            continue;
        }
        coil.henries =
            own("value", card("ind", 0.0)) * temperature_factor(a, e, own, card, measured_at(a, e)) / multiplicity(e);
        if (coil.henries == 0.0)
            a.error("zero-inductance", own.span("value", e.span), "the inductance of " + e.name + " is zero",
                    "a voltage source of 0 V is a wire");
        coil.inductance = a.parameter(e, coil.henries, "H");
        coil.flux = g.mul(coil.inductance, i);
    }
    for (const Element& e : elements) { // M = k √(L₁ L₂)
        if (e.kind != spice::ElementKind::coupling) continue;
        const NodeId k = a.parameter(e, DeviceValues(e.values)("k", 0.0), "");
        for (std::size_t i = 0; i < e.others.size(); ++i)
            for (std::size_t j = i + 1; j < e.others.size(); ++j) {
                Coil &one = coils.at(e.others[i]), &two = coils.at(e.others[j]);
                if (one.inductance == expr::no_node || two.inductance == expr::no_node) {
                    a.error("coupling", e.span, e.name + " couples a coil whose inductance is a formula");
                    continue;
                }
                const NodeId mutual = g.mul(k, g.unary(Op::sqrt, g.mul(one.inductance, two.inductance)));
                one.flux = g.add(one.flux, g.mul(mutual, *a.current_of(e.others[j])));
                two.flux = g.add(two.flux, g.mul(mutual, *a.current_of(e.others[i])));
            }
    }
    for (const auto& [k, coil] : coils) {
        const Element& e = elements[static_cast<std::size_t>(k)];
        a.equation(e, g.sub(a.rate(coil.flux), a.voltage(e.nodes[0], e.nodes[1])), "flux");
    }
}

} // namespace daedalus::circuit
