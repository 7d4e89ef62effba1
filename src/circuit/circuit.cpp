#include "circuit/circuit.hpp"

#include "circuit/assembly.hpp"
#include "circuit/devices.hpp"
#include "circuit/topology.hpp"

namespace daedalus::circuit {

namespace {

void write(Assembly& a, const Element& e) {
    using enum spice::ElementKind;
    switch (e.kind) {
    case resistor: return circuit::resistor(a, e);
    case capacitor: return circuit::capacitor(a, e);
    case inductor:
    case coupling: return; // all together: inductors()
    case voltage_source: return circuit::voltage_source(a, e);
    case current_source: return circuit::current_source(a, e);
    case voltage_controlled_voltage:
    case current_controlled_current:
    case voltage_controlled_current:
    case current_controlled_voltage:
    case behavioural_voltage:
    case behavioural_current: return controlled_source(a, e);
    case voltage_switch:
    case current_switch: return controlled_switch(a, e);
    case transmission_line: return circuit::transmission_line(a, e);
    case diode: return circuit::diode(a, e);
    case bipolar: return circuit::bipolar(a, e);
    case jfet: return circuit::jfet(a, e);
    case mosfet: return circuit::mosfet(a, e);
    case nullor: return circuit::nullor(a, e);
    }
}

/// What a deck asks for and does not get.
void warn_of_what_is_not_run(const spice::Netlist& netlist, Assembly& a) {
    using Kind = spice::Analysis::Kind;
    for (const spice::Analysis& analysis : netlist.analyses)
        if (analysis.kind == Kind::poles_and_zeros || analysis.kind == Kind::sensitivity)
            a.warning("analysis-not-run", analysis.span,
                      analysis.kind == Kind::sensitivity ? ".sens is not run" : ".pz is not run");
    if (!netlist.steps.empty())
        a.warning("analysis-not-run", netlist.steps.front().span,
                  ".step is not run: the deck is solved once, with the values that it has",
                  "`daedalus sweep DECK --param NAME=FROM:TO:COUNT` varies values of elements");
    if (!netlist.measures.empty())
        a.warning("analysis-not-run", netlist.measures.front().span, ".measure is not evaluated");
}

Equations equations(const std::shared_ptr<const spice::Netlist>& netlist, Purpose purpose, Diagnostics& problems) {
    Assembly a(netlist, purpose, problems);
    for (const Element& e : netlist->elements) write(a, e);
    inductors(a);
    if (purpose == Purpose::transient) warn_of_what_is_not_run(*netlist, a);
    Equations made = a.finish();
    // Where controlled sources take part the graph proves nothing, and others have to find out.
    const Topology graph = topology(*netlist);
    if (!graph.controlled()) made.model->known_index = graph.index_bound();
    made.model->keeps_quantities = true;
    for (const spice::Analysis& analysis : netlist->analyses)
        if (analysis.kind == spice::Analysis::Kind::transient) {
            made.model->experiment.stop_time = analysis.stop;
            if (analysis.step > 0.0) made.model->experiment.interval = analysis.step;
        }
    return made;
}

} // namespace

Expected<Circuit> make_circuit(std::shared_ptr<const spice::Netlist> netlist) {
    Diagnostics problems = contradictions(topology(*netlist), *netlist);
    if (has_errors(problems)) return Unexpected{std::move(problems)};
    Circuit made;
    made.netlist = netlist;
    made.transient = equations(netlist, Purpose::transient, problems);
    if (has_errors(problems)) return Unexpected{std::move(problems)};
    made.operating_point = equations(netlist, Purpose::operating_point, problems);
    if (has_errors(problems)) return Unexpected{std::move(problems)};
    return made;
}

Equations small_signal_equations(const Circuit& circuit) {
    Diagnostics known; // the same as those of the other purposes
    return equations(circuit.netlist, Purpose::small_signal, known);
}

} // namespace daedalus::circuit
