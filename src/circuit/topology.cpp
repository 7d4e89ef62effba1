#include "circuit/topology.hpp"

#include "base/diagnostic.hpp"
#include "circuit/forest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace daedalus::circuit {

namespace {

using spice::Element;
using spice::Netlist;

bool given(const Netlist& netlist, const Element& e, std::initializer_list<const char*> names) {
    if (e.model < 0) return false;
    const spice::Values& card = netlist.models[static_cast<std::size_t>(e.model)].values;
    return std::any_of(names.begin(), names.end(), [&](const char* name) {
        const auto at = card.find(name);
        return at != card.end() && at->second.number != 0.0;
    });
}

/// Branches of one element.
void add_branches(const Netlist& netlist, int element, std::vector<Branch>& list) {
    using enum spice::ElementKind;
    const Element& e = netlist.elements[static_cast<std::size_t>(element)];
    const auto add = [&](BranchKind kind, std::size_t a, std::size_t b, bool controlled = false) {
        if (e.nodes[a] != e.nodes[b]) list.push_back({kind, element, e.nodes[a], e.nodes[b], controlled});
    };
    switch (e.kind) {
    case resistor: return add(BranchKind::resistive, 0, 1);
    case capacitor: return add(BranchKind::capacitive, 0, 1);
    case inductor: return add(BranchKind::inductive, 0, 1);
    case coupling: return;
    case voltage_source: return add(BranchKind::voltage, 0, 1);
    case current_source: return add(BranchKind::current, 0, 1);
    case voltage_controlled_voltage:
    case current_controlled_voltage:
    case behavioural_voltage:
    case nullor: return add(BranchKind::voltage, 0, 1, true);
    case current_controlled_current:
    case voltage_controlled_current:
    case behavioural_current: return add(BranchKind::current, 0, 1, true);
    case voltage_switch:
    case current_switch: return add(BranchKind::resistive, 0, 1);
    case transmission_line: return add(BranchKind::resistive, 0, 1), add(BranchKind::resistive, 2, 3);
    case diode:
        add(BranchKind::resistive, 0, 1);
        if (given(netlist, e, {"cjo", "cj0", "cj", "tt"}) && !given(netlist, e, {"rs"}))
            add(BranchKind::capacitive, 0, 1);
        return;
    case bipolar:
        add(BranchKind::resistive, 1, 2);
        add(BranchKind::resistive, 0, 1);
        if (given(netlist, e, {"cje", "tf"}) && !given(netlist, e, {"rb", "re"})) add(BranchKind::capacitive, 1, 2);
        if (given(netlist, e, {"cjc", "tr"}) && !given(netlist, e, {"rb", "rc"})) add(BranchKind::capacitive, 1, 0);
        if (e.nodes.size() > 3 && given(netlist, e, {"cjs", "ccs"}) && !given(netlist, e, {"rc"}))
            add(BranchKind::capacitive, 3, 0);
        return;
    case jfet:
        add(BranchKind::resistive, 0, 2);
        add(BranchKind::resistive, 1, 2);
        if (given(netlist, e, {"cgs"}) && !given(netlist, e, {"rs"})) add(BranchKind::capacitive, 1, 2);
        if (given(netlist, e, {"cgd"}) && !given(netlist, e, {"rd"})) add(BranchKind::capacitive, 1, 0);
        return;
    case mosfet:
        add(BranchKind::resistive, 0, 2);
        add(BranchKind::resistive, 3, 0);
        add(BranchKind::resistive, 3, 2);
        // The gate's charge depends on all terminals.
        add(BranchKind::capacitive, 1, 2);
        add(BranchKind::capacitive, 1, 0);
        add(BranchKind::capacitive, 1, 3);
        return;
    }
}

using Which = std::function<bool(const Branch&)>;

class Search {
public:
    explicit Search(const Netlist& netlist) : nodes_(static_cast<int>(netlist.nodes.size())), all_(branches(netlist)) {}

    /// Loops of `base` and `closing` that an edge of `closing` closes.
    std::vector<Loop> loops(const Which& base, const Which& closing) const {
        Forest forest(nodes_);
        std::vector<int> closes;
        for (int k = 0; k < count(); ++k)
            if (base(at(k))) (void)forest.add(k, at(k).a, at(k).b);
        for (int k = 0; k < count(); ++k)
            if (closing(at(k)) && !forest.add(k, at(k).a, at(k).b)) closes.push_back(k);
        std::vector<Loop> found;
        for (const int k : closes) {
            std::vector<int> way = forest.path(at(k).a, at(k).b);
            way.insert(way.begin(), k);
            Loop loop;
            for (const int edge : way) {
                loop.elements.push_back(at(edge).element);
                loop.controlled = loop.controlled || at(edge).controlled;
            }
            found.push_back(std::move(loop));
        }
        return found;
    }

    /// Cut sets that consist of `bridging` and `rest` only, one for each edge of `bridging` that the forest of all
    /// other edges needs. Rest comes behind: what it alone connects is not counted.
    std::vector<CutSet> cuts(const Which& bridging, const Which& rest) const {
        Forest forest(nodes_);
        std::vector<int> bridges;
        for (int k = 0; k < count(); ++k)
            if (!bridging(at(k)) && !rest(at(k))) (void)forest.add(k, at(k).a, at(k).b);
        for (int k = 0; k < count(); ++k)
            if (bridging(at(k)) && forest.add(k, at(k).a, at(k).b)) bridges.push_back(k);
        for (int k = 0; k < count(); ++k)
            if (rest(at(k))) (void)forest.add(k, at(k).a, at(k).b);
        std::vector<CutSet> found;
        for (const int k : bridges) found.push_back(across(forest, k));
        return found;
    }

    /// Parts that only `rest`, or nothing, connects to ground.
    std::vector<CutSet> islands(const Which& rest) const {
        Forest forest(nodes_);
        for (int k = 0; k < count(); ++k)
            if (!rest(at(k))) (void)forest.add(k, at(k).a, at(k).b);
        std::map<int, CutSet> parts;
        for (int n = 1; n < nodes_; ++n)
            if (!forest.together(n, 0)) parts[forest.root(n)].nodes.push_back(n);
        for (const Branch& b : all_) {
            const int ra = forest.root(b.a), rb = forest.root(b.b);
            if (ra == rb) continue;
            for (const int r : {ra, rb})
                if (const auto part = parts.find(r); part != parts.end()) {
                    part->second.elements.push_back(b.element);
                    part->second.controlled = part->second.controlled || b.controlled;
                }
        }
        std::vector<CutSet> found;
        for (auto& [root, part] : parts) {
            auto& list = part.elements;
            std::sort(list.begin(), list.end());
            list.erase(std::unique(list.begin(), list.end()), list.end());
            found.push_back(std::move(part));
        }
        return found;
    }

private:
    [[nodiscard]] int count() const { return static_cast<int>(all_.size()); }
    [[nodiscard]] const Branch& at(int k) const { return all_[static_cast<std::size_t>(k)]; }
    CutSet across(Forest& forest, int edge) const {
        CutSet cut;
        cut.nodes = forest.beyond(edge, 0);
        const auto inside = [&](int n) { return std::binary_search(cut.nodes.begin(), cut.nodes.end(), n); };
        std::set<int> elements;
        for (const Branch& b : all_)
            if (inside(b.a) != inside(b.b)) {
                elements.insert(b.element);
                cut.controlled = cut.controlled || b.controlled;
            }
        cut.elements.assign(elements.begin(), elements.end());
        return cut;
    }

    int nodes_;
    std::vector<Branch> all_;
};

std::string names(const std::vector<int>& elements, const Netlist& netlist) {
    constexpr std::size_t most = 8; // a reader's patience
    std::vector<std::string> list;
    for (std::size_t k = 0; k < std::min(most, elements.size()); ++k)
        list.push_back(netlist.elements[static_cast<std::size_t>(elements[k])].name);
    std::string text = fmt::format("{}", fmt::join(list, ", "));
    if (elements.size() > most) text += fmt::format(" and {} more", elements.size() - most);
    return text;
}
std::string node_names(const std::vector<int>& nodes, const Netlist& netlist) {
    constexpr std::size_t most = 8;
    std::vector<std::string> list;
    for (std::size_t k = 0; k < std::min(most, nodes.size()); ++k)
        list.push_back(netlist.nodes[static_cast<std::size_t>(nodes[k])].name);
    std::string text = fmt::format("{}{}", nodes.size() == 1 ? "node " : "nodes ", fmt::join(list, ", "));
    if (nodes.size() > most) text += fmt::format(" and {} more", nodes.size() - most);
    return text;
}
std::vector<int> of_kind(const std::vector<int>& elements, const Netlist& netlist,
                         std::initializer_list<spice::ElementKind> kinds) {
    std::vector<int> list;
    for (const int e : elements)
        if (std::find(kinds.begin(), kinds.end(), netlist.elements[static_cast<std::size_t>(e)].kind) != kinds.end())
            list.push_back(e);
    return list;
}

} // namespace

std::vector<Branch> branches(const Netlist& netlist) {
    std::vector<Branch> list;
    for (int k = 0; k < static_cast<int>(netlist.elements.size()); ++k) add_branches(netlist, k, list);
    return list;
}

bool Topology::controlled() const {
    const auto is = [](const auto& part) { return part.controlled; };
    return std::any_of(capacitive_loops.begin(), capacitive_loops.end(), is) ||
           std::any_of(inductive_cuts.begin(), inductive_cuts.end(), is);
}

Topology topology(const Netlist& netlist) {
    const Search search(netlist);
    const auto is = [](BranchKind kind) { return [kind](const Branch& b) { return b.kind == kind; }; };
    const auto never = [](const Branch&) { return false; };
    Topology t;
    t.voltage_loops = search.loops(never, is(BranchKind::voltage));
    t.capacitive_loops = search.loops(is(BranchKind::capacitive), is(BranchKind::voltage));
    t.static_loops = search.loops(is(BranchKind::voltage), is(BranchKind::inductive));
    t.inductive_cuts = search.cuts(is(BranchKind::inductive), is(BranchKind::current));
    t.current_cuts = search.islands(is(BranchKind::current));
    t.static_cuts = search.islands(
        [](const Branch& b) { return b.kind == BranchKind::current || b.kind == BranchKind::capacitive; });
    return t;
}

std::vector<std::string> describe(const Topology& t, const Netlist& netlist) {
    using enum spice::ElementKind;
    std::vector<std::string> list;
    for (const Loop& loop : t.capacitive_loops) {
        const std::vector<int> sources = of_kind(
            loop.elements, netlist,
            {voltage_source, voltage_controlled_voltage, current_controlled_voltage, behavioural_voltage, nullor});
        list.push_back(fmt::format("{} form a loop of capacitors and voltage sources: the current of {} {} index 2; a "
                                   "resistance in series would lower it",
                                   names(loop.elements, netlist), names(sources, netlist),
                                   sources.size() == 1 ? "has" : "have"));
    }
    for (const CutSet& cut : t.inductive_cuts)
        list.push_back(fmt::format("{} alone connect{} {} with the rest: the voltage there has index 2; a resistance "
                                   "to ground would lower it",
                                   names(cut.elements, netlist), cut.elements.size() == 1 ? "s" : "",
                                   node_names(cut.nodes, netlist)));
    return list;
}

Diagnostics contradictions(const Topology& t, const Netlist& netlist) {
    Diagnostics list;
    const auto place = [&](const std::vector<int>& elements, const std::vector<int>& nodes) {
        if (!elements.empty()) return netlist.elements[static_cast<std::size_t>(elements.front())].span;
        return netlist.nodes[static_cast<std::size_t>(nodes.front())].span;
    };
    for (const Loop& loop : t.voltage_loops) {
        if (loop.controlled) continue; // what they impose may depend on their own current
        list.push_back(make_error(
            "loop-of-voltage-sources",
            loop.elements.size() == 1 ? fmt::format("both ends of {} are at one node", names(loop.elements, netlist))
                                      : fmt::format("{} form a loop of voltage sources: their voltages contradict "
                                                    "each other, or their currents are open",
                                                    names(loop.elements, netlist)),
            place(loop.elements, {}), "a small resistance in series makes the currents definite"));
    }
    for (const CutSet& cut : t.current_cuts) {
        if (cut.controlled) continue;
        if (cut.elements.empty())
            list.push_back(
                make_error("floating-nodes",
                           fmt::format("nothing connects {} with ground (node 0)", node_names(cut.nodes, netlist)),
                           place({}, cut.nodes), "voltages are determined up to a constant there"));
        else
            list.push_back(make_error("cut-set-of-current-sources",
                                      fmt::format("{} alone connect{} {} with ground: the voltage there is open",
                                                  names(cut.elements, netlist), cut.elements.size() == 1 ? "s" : "",
                                                  node_names(cut.nodes, netlist)),
                                      place(cut.elements, cut.nodes), "a resistance to ground makes it definite"));
    }
    return list;
}

} // namespace daedalus::circuit
