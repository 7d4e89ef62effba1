// Devices with models: switches, diodes, transistors; and the lossless line.
#include "base/printable.hpp"
#include "spice/element_kinds.hpp"

#include <algorithm>

namespace daedalus::spice {

using Kind = Token::Kind;

namespace {

bool model(ElementCard& card, const std::vector<std::string_view>& types) {
    const Token t = card.cursor.next();
    if (!t.is(Kind::word)) return card.fail("unknown-model", t.span, "the model of " + card.shown() + " is missing");
    card.e.model = card.r.model(t, card.frame, types, card.shown());
    return card.e.model >= 0;
}

/// Words in front of the first name=value or number in braces.
std::vector<Token> words_ahead(const ElementCard& card) {
    std::vector<Token> list;
    for (Cursor c = card.cursor;;) {
        const Token t = c.next();
        if (!t.is(Kind::word) || c.peek().is(Kind::equals)) return list;
        list.push_back(t);
    }
}

/// Where the name of a model stands among the words behind the nodes tells how many nodes there are; a mistake there is
/// told in these words.
bool count_nodes(ElementCard& card, int least, int most, const char* terminals,
                 const std::vector<std::string_view>& types, int& count) {
    const std::vector<Token> words = words_ahead(card);
    const auto is_model = [&](int k) {
        return k < static_cast<int>(words.size()) &&
               card.r.find_model(words[static_cast<std::size_t>(k)].text, card.frame) != nullptr;
    };
    for (count = least; count <= most; ++count)
        if (is_model(count)) return true;
    for (int k = 0; k < static_cast<int>(words.size()); ++k)
        if (is_model(k)) {
            const Token& found = words[static_cast<std::size_t>(k)];
            const std::string& type = card.r.find_model(found.text, card.frame)->type;
            if (!type.empty() &&
                std::find(types.begin(), types.end(), type) == types.end()) // has its own number of nodes
                return card.r.model(found, card.frame, types, card.shown()) >= 0;
            return card.fail("node-count", cover(card.name.span, words[static_cast<std::size_t>(k)].span),
                             card.shown() + " has " + std::to_string(k) + (k == 1 ? " node" : " nodes") +
                                 " before its model '" + printable(words[static_cast<std::size_t>(k)].text) +
                                 "' and needs " + std::to_string(least) +
                                 (most > least ? " or " + std::to_string(most) : ""),
                             std::string("they are: ") + terminals);
        }
    // No model is there at all: the last word that is no number was meant.
    count = least;
    while (count < most && count + 1 < static_cast<int>(words.size()) &&
           !read_number(words[static_cast<std::size_t>(count) + 1].text, true) &&
           !words[static_cast<std::size_t>(count) + 1].is_word("off"))
        ++count;
    return true;
}

/// A number behind the model, without a name.
bool positional_area(ElementCard& card) {
    return !card.at_number() || card.at_parameter() || card.number_as("area", "the area");
}

void device(ElementCard& card, ElementKind kind, int least, int most, const char* terminals,
            const std::vector<std::string_view>& types, const ParameterNames& names, bool area) {
    card.e.kind = kind;
    int count = least;
    if (!count_nodes(card, least, most, terminals, types, count)) return;
    if (!card.nodes(count, terminals)) return;
    if (!model(card, types)) return;
    // off may stand before the area
    while (area && !card.at_end() && (card.at_number() || card.next_is("off")) && !card.at_parameter())
        if (card.at_number() ? !positional_area(card) : !card.parameter(names)) return;
    if (card.parameters(names)) card.finish();
}

} // namespace

void read_voltage_switch(ElementCard& card) {
    card.e.kind = ElementKind::voltage_switch;
    if (!card.nodes(4, "the two ends, and plus and minus of what controls")) return;
    if (model(card, {"sw"}) && card.parameters({"m", "on off", ""})) card.finish();
}

void read_current_switch(ElementCard& card) {
    card.e.kind = ElementKind::current_switch;
    if (!card.nodes(2, "the two ends")) return;
    if (card.other(card.cursor.next()) && model(card, {"csw"}) && card.parameters({"m", "on off", ""})) card.finish();
}

void read_transmission_line(ElementCard& card) {
    card.e.kind = ElementKind::transmission_line;
    if (!card.nodes(4, "plus and minus of one end, plus and minus of the other")) return;
    if (!card.parameters({"z0 zo td f nl ic", "", ""})) return;
    Values& v = card.e.values;
    if (const auto zo = v.find("zo"); zo != v.end()) v["z0"] = zo->second;
    const auto positive = [&](const char* key) { return !v.contains(key) || v[key].number > 0.0; };
    if (!v.contains("z0") || !(v.contains("td") || v.contains("f"))) {
        card.fail("missing-number", card.name.span,
                  std::string(v.contains("z0") ? "the delay" : "the impedance z0") + " of " + card.shown() +
                      " is missing",
                  "T1 in 0 out 0 z0=50 td=1n, or f=250meg nl=0.25 in place of td");
        return;
    }
    for (const char* key : {"z0", "td", "f", "nl"})
        if (!positive(key)) {
            card.fail("not-positive", v[key].span,
                      "'" + std::string(key) + "' of " + card.shown() + " must be positive");
            return;
        }
    card.finish();
}

void read_diode(ElementCard& card) {
    device(card, ElementKind::diode, 2, 2, "anode and cathode", {"d"},
           {"area pj perim ic temp dtemp m w l", "off", "thermal"}, true);
}

void read_bipolar(ElementCard& card) {
    device(card, ElementKind::bipolar, 3, 4, "collector, base, emitter and, if wanted, substrate", {"npn", "pnp"},
           {"area areab areac ic temp dtemp m", "off", ""}, true);
}

void read_jfet(ElementCard& card) {
    device(card, ElementKind::jfet, 3, 3, "drain, gate and source", {"njf", "pjf"}, {"area ic temp dtemp m", "off", ""},
           true);
}

void read_mosfet(ElementCard& card) {
    device(card, ElementKind::mosfet, 4, 4, "drain, gate, source and bulk", {"nmos", "pmos"},
           {"l w ad as pd ps nrd nrs ic temp dtemp m", "off", ""}, false);
}

} // namespace daedalus::spice
