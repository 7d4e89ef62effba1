// Nodes and elements by name.
#include "base/printable.hpp"
#include "spice/reader.hpp"

#include <algorithm>

namespace daedalus::spice {

namespace {
/// Candidates for "did you mean": comparing with all of a large deck would take longer than reading it.
constexpr std::size_t most_candidates = 20'000;

bool is_ground(std::string_view name) { return name == "0" || same(name, "gnd"); }
} // namespace

Reader::Reader(const std::shared_ptr<const SourceFile>& file, const ReadOptions& read_options) : options(read_options) {
    read_outline(file, options, problems, outline);
    netlist.nodes.push_back({"0", {}});
    nodes.add_last();
    node_uses.push_back(NodeUse::terminal);
    netlist.title = outline.title;
    netlist.sources = outline.sources;
    top.definition = &outline.top;
}

void Reader::error(const char* code, const SourceSpan& span, std::string message, std::string hint) {
    problems.error(code, span, std::move(message), std::move(hint));
}

void Reader::error_of_deck(const char* code, const std::string& message, std::string hint) {
    Diagnostic d = make_error(code, message, std::move(hint));
    d.where = Location{netlist.sources.front()->name(), 0, 0, 0, {}};
    problems.add(std::move(d));
}

void Reader::warning(const char* code, const SourceSpan& span, std::string message, std::string hint) {
    problems.warning(code, span, std::move(message), std::move(hint));
}

int Reader::node(std::string_view name, const SourceSpan& span, const Frame& frame, NodeUse use) {
    int at = existing_node(name, frame);
    if (at < 0) {
        const bool global = outline.globals.contains(lower(name));
        netlist.nodes.push_back({(global ? std::string{} : frame.prefix) + printable(name), span});
        nodes.add_last();
        node_uses.push_back(use);
        at = static_cast<int>(netlist.nodes.size()) - 1;
    }
    NodeUse& known = node_uses[static_cast<std::size_t>(at)];
    known = std::max(known, use);
    return at;
}

int Reader::existing_node(std::string_view name, const Frame& frame) const {
    if (is_ground(name)) return 0;
    if (!frame.ports.empty())
        if (const auto port = frame.ports.find(lower(name)); port != frame.ports.end()) return port->second;
    if (!outline.globals.empty() && outline.globals.contains(lower(name))) return nodes.find(printable(name));
    if (frame.prefix.empty()) return nodes.find(printable(name));
    return nodes.find(frame.prefix + printable(name));
}

int Reader::existing_element(std::string_view name, const std::string& prefix) const {
    const std::string shown = printable(name);
    if (const int local = elements.find(prefix + shown); local >= 0) return local;
    if (shown.find('.') == std::string::npos) return -1;
    if (const int whole = elements.find(shown); whole >= 0) return whole;
    // ngspice writes the letter first: V.X1.V1 for X1.V1.
    return shown.size() > 2 && shown[1] == '.' ? elements.find(shown.substr(2)) : -1;
}

std::string Reader::like_element(std::string_view name, const std::string& prefix, char letter) const {
    std::vector<std::string> candidates;
    for (const Element& e : netlist.elements) {
        if (candidates.size() > most_candidates) return {};
        if (!e.name.starts_with(prefix)) continue;
        const std::string local = e.name.substr(prefix.size());
        if (letter == 0 || (!local.empty() && same(local.substr(0, 1), std::string(1, letter))))
            candidates.push_back(local);
    }
    return suggestion(name, candidates);
}

std::string Reader::like_node(std::string_view name) const {
    if (netlist.nodes.size() > most_candidates) return {};
    std::vector<std::string> candidates;
    for (std::size_t k = 0; k < netlist.nodes.size(); ++k)
        if (node_uses[k] == NodeUse::terminal) candidates.push_back(netlist.nodes[k].name);
    return suggestion(name, candidates);
}

bool Reader::room_for_one_more(const SourceSpan& span) {
    if (++made <= options.most_elements) return true;
    if (made == options.most_elements + 1)
        error("too-large", span,
              "this deck has more than " + std::to_string(options.most_elements) +
                  " elements and instances when expanded");
    return false;
}

} // namespace daedalus::spice
