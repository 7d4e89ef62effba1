// What elements say about other elements and nodes, once all are there.
#include "base/printable.hpp"
#include "spice/reader.hpp"

namespace daedalus::spice {

namespace {

using K = ElementKind;

/// Its current is an unknown of the equations.
bool carries_known_current(K kind) {
    return kind == K::voltage_source || kind == K::voltage_controlled_voltage ||
           kind == K::current_controlled_voltage || kind == K::behavioural_voltage || kind == K::inductor;
}

/// One current from its first to its second node.
bool has_two_ends(K kind) {
    return kind != K::coupling && kind != K::transmission_line && kind != K::bipolar && kind != K::jfet &&
           kind != K::mosfet;
}

bool resolve_one(const Reader::Reference& ref, Reader& r) {
    Element& e = r.netlist.elements[static_cast<std::size_t>(ref.element)];
    const std::string shown = "'" + printable(ref.name) + "'";
    const int at = r.existing_element(ref.name, ref.prefix);
    if (at < 0) {
        r.error("unknown-element", ref.span,
                "there is no element " + shown + (ref.prefix.empty() ? "" : " in this subcircuit"),
                r.like_element(ref.name, ref.prefix, e.kind == K::coupling ? 'l' : '\0'));
        return false;
    }
    const K kind = r.netlist.elements[static_cast<std::size_t>(at)].kind;
    if (ref.in_formula) {
        if (!has_two_ends(kind)) {
            r.error("no-current", ref.span, shown + " has no single current: it has more than two ends",
                    "a voltage source of 0 V in series measures the current of one of them");
            return false;
        }
        e.formula->nodes[static_cast<std::size_t>(ref.place)].a = at;
        return true;
    }
    if (e.kind == K::coupling && kind != K::inductor) {
        r.error("no-inductor", ref.span, "'" + e.name + "' couples inductors, and " + shown + " is none");
        return false;
    }
    if (e.kind != K::coupling && !carries_known_current(kind)) {
        r.error("no-current", ref.span,
                "the current that controls '" + e.name + "' must be that of a voltage source, and " + shown +
                    " is none",
                "a voltage source of 0 V in series measures a current");
        return false;
    }
    for (std::size_t k = 0; e.kind == K::coupling && k < static_cast<std::size_t>(ref.place); ++k)
        if (e.others[k] == at) {
            r.error("coupling", ref.span, "'" + e.name + "' couples " + shown + " with itself");
            return false;
        }
    e.others[static_cast<std::size_t>(ref.place)] = at;
    return true;
}

/// Nodes that only instances mention, of subcircuits that do nothing with them, are none.
void leave_out_unused_nodes(Reader& r) {
    std::vector<int> place(r.netlist.nodes.size(), 0);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < place.size(); ++k) {
        if (r.node_uses[k] != NodeUse::terminal) continue;
        place[k] = static_cast<int>(kept);
        if (kept != k) r.netlist.nodes[kept] = std::move(r.netlist.nodes[k]);
        ++kept;
    }
    if (kept == place.size()) return;
    r.netlist.nodes.resize(kept);
    r.node_uses.assign(kept, NodeUse::terminal);
    r.nodes.rebuild();
    const auto move = [&](int& node) { node = place[static_cast<std::size_t>(node)]; };
    for (Element& e : r.netlist.elements) {
        for (int& node : e.nodes) move(node);
        if (!e.formula) continue;
        for (Formula::Node& n : e.formula->nodes)
            if (n.kind == Formula::Kind::voltage) {
                move(n.a);
                move(n.b);
            }
    }
}

} // namespace

void Reader::resolve() {
    for (const Reference& ref : references) (void)resolve_one(ref, *this);
    for (std::size_t k = 0; k < node_uses.size(); ++k)
        if (node_uses[k] == NodeUse::formula)
            error("unknown-node", netlist.nodes[k].span,
                  "no element is connected to node '" + netlist.nodes[k].name + "'", like_node(netlist.nodes[k].name));
    if (!problems.any()) leave_out_unused_nodes(*this);
}

} // namespace daedalus::spice
