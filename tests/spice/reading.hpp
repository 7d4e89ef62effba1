// Decks as texts.
#pragma once

#include "spice/netlist.hpp"

#include <gtest/gtest.h>

namespace daedalus::spice {

/// A title line comes first by itself.
inline Expected<Netlist> read_deck(const std::string& lines, const ReadOptions& options = {}) {
    return read_netlist(std::make_shared<const SourceFile>("deck.cir", "a title\n" + lines), options);
}

/// Fails the test where the deck is refused.
inline Netlist deck(const std::string& lines, const ReadOptions& options = {}) {
    auto read = read_deck(lines, options);
    if (!read) {
        ADD_FAILURE() << render(read.error());
        return {};
    }
    return *std::move(read);
}

inline const Element& element(const Netlist& n, const std::string& name) {
    const auto at = n.find_element(name);
    if (!at) {
        ADD_FAILURE() << "no element " << name;
        static const Element none;
        return none;
    }
    return n.elements[static_cast<std::size_t>(*at)];
}

inline double value(const Netlist& n, const std::string& name, const std::string& key = "value") {
    const Element& e = element(n, name);
    const auto at = e.values.find(key);
    if (at == e.values.end()) {
        ADD_FAILURE() << name << " has no " << key;
        return 0.0;
    }
    return at->second.number;
}

/// The formula as text, with all parentheses.
inline std::string text_of(const Netlist& n, const Formula& f) {
    using K = Formula::Kind;
    std::vector<std::string> texts;
    for (const Formula::Node& node : f.nodes) {
        std::string text;
        const auto name = [&](int at) { return n.nodes[static_cast<std::size_t>(at)].name; };
        switch (node.kind) {
        case K::number: {
            std::ostringstream out;
            out << node.number;
            text = out.str();
            break;
        }
        case K::time: text = "time"; break;
        case K::temperature: text = "temper"; break;
        case K::voltage: text = "V(" + name(node.a) + "," + name(node.b) + ")"; break;
        case K::current: text = "I(" + n.elements[static_cast<std::size_t>(node.a)].name + ")"; break;
        case K::operation:
            text = node.name + "(";
            for (std::size_t k = 0; k < node.operands.size(); ++k)
                text += (k > 0 ? "," : "") + texts[static_cast<std::size_t>(node.operands[k])];
            text += ")";
        }
        texts.push_back(std::move(text));
    }
    return texts.empty() ? "" : texts.back();
}

inline std::string formula(const Netlist& n, const std::string& name) {
    const Element& e = element(n, name);
    return e.formula ? text_of(n, *e.formula) : "none";
}

inline std::vector<std::string> nodes(const Netlist& n, const std::string& name) {
    std::vector<std::string> list;
    for (const int k : element(n, name).nodes) list.push_back(n.nodes[static_cast<std::size_t>(k)].name);
    return list;
}

inline const DeviceModel& model(const Netlist& n, const std::string& name) {
    return n.models.at(static_cast<std::size_t>(element(n, name).model));
}

/// The messages of a deck that is refused, or its warnings.
inline std::string messages(const std::string& lines, const ReadOptions& options = {}) {
    const auto read = read_deck(lines, options);
    return render(read ? read->warnings : read.error());
}

} // namespace daedalus::spice
