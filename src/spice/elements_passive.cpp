// R, C, L and coupled inductors.
#include "base/printable.hpp"
#include "spice/element_kinds.hpp"

#include <cmath>

namespace daedalus::spice {

using Kind = Token::Kind;

namespace {

struct PassiveRules {
    const char* what;                    ///< for messages
    std::vector<std::string_view> types; ///< of models
    std::string_view value_names;        ///< r=, resistance=
    std::string_view charge_name;        ///< q=, flux=; empty: none
    ParameterNames names;
};

bool is_one_of(std::string_view word, std::string_view words) {
    return (" " + std::string(words) + " ").find(" " + std::string(word) + " ") != std::string::npos;
}

/// A number, a formula, or a model; and behind one of them the other.
bool main_value(ElementCard& card, const PassiveRules& rules) {
    bool valued = false;
    while (!card.at_end() && !card.at_parameter()) {
        const Token t = card.peek();
        const bool word = t.is(Kind::word) && !card.at_number();
        if (word && card.e.model < 0 && card.r.find_model(t.text, card.frame) != nullptr) {
            (void)card.cursor.next();
            card.e.model = card.r.model(t, card.frame, rules.types, card.shown());
            if (card.e.model < 0) return false;
        } else if (t.is_word("noisy")) {
            return true;
        } else if (!valued) {
            if (word && t.text.find_first_of("+-*/^") == std::string_view::npos && !card.known_parameter(t.text)) {
                (void)card.r.model(t, card.frame, rules.types, card.shown()); // says what is like it
                return false;
            }
            if (t.is(Kind::expression) || word) {
                if (!card.value_or_formula("value", false)) return false;
            } else if (!card.number_as("value", "the value"))
                return false;
            valued = true;
        } else
            return true;
    }
    return true;
}

bool read_value_parameters(ElementCard& card, const PassiveRules& rules) {
    while (card.at_parameter()) {
        const Token t = card.peek();
        const std::string key = lower(t.text);
        const bool charge = !rules.charge_name.empty() && key == rules.charge_name;
        if (!charge && !is_one_of(key, rules.value_names)) {
            if (!card.parameter(rules.names)) return false; // others may come first
            continue;
        }
        (void)card.cursor.next();
        (void)card.cursor.next();
        if (charge) {
            if (!card.formula_only(true)) return false;
            card.e.is_charge = true;
        } else if (!card.value_or_formula("value", true))
            return false;
    }
    return true;
}

void read_passive(ElementCard& card, ElementKind kind, const PassiveRules& rules) {
    card.e.kind = kind;
    if (!card.nodes(2, "its two ends")) return;
    if (!main_value(card, rules)) return;
    if (!read_value_parameters(card, rules)) return;
    if (!card.parameters(rules.names)) return;
    if (!card.e.formula && !card.e.values.contains("value") && card.e.model < 0) {
        card.fail("missing-number", {card.cursor.line().file, card.e.span.end, card.e.span.end},
                  std::string("the ") + rules.what + " of " + card.shown() + " is missing");
        return;
    }
    card.finish();
}

} // namespace

void read_resistor(ElementCard& card) {
    static const PassiveRules rules{
        "resistance", {"r"}, "r resistance", {}, {"tc1 tc2 tce temp dtemp m scale l w ac", "", "noisy noise"}};
    read_passive(card, ElementKind::resistor, rules);
}

void read_capacitor(ElementCard& card) {
    static const PassiveRules rules{
        "capacitance", {"c"}, "c cap capacitance", "q", {"ic tc1 tc2 temp dtemp m scale l w", "", ""}};
    read_passive(card, ElementKind::capacitor, rules);
}

void read_inductor(ElementCard& card) {
    static const PassiveRules rules{
        "inductance", {"l"}, "l ind inductance", "flux", {"ic tc1 tc2 temp dtemp m scale nt", "", ""}};
    read_passive(card, ElementKind::inductor, rules);
}

void read_coupling(ElementCard& card) {
    card.e.kind = ElementKind::coupling;
    while (card.peek().is(Kind::word) && !card.at_number() && !card.at_parameter() &&
           !card.known_parameter(card.peek().text))
        if (!card.other(card.cursor.next())) return;
    if (card.e.others.size() < 2) {
        card.fail("node-count", card.name.span, card.shown() + " couples at least two inductors",
                  "their names come first, then the coefficient: K1 L1 L2 0.99");
        return;
    }
    if (card.at_parameter() && (card.next_is("k") || card.next_is("coupling"))) {
        (void)card.cursor.next();
        (void)card.cursor.next();
    }
    const auto k = card.number("the coupling coefficient");
    if (!k) return;
    if (!(std::abs(k->number) <= 1.0)) {
        card.fail("coupling", k->span, "the coupling coefficient of " + card.shown() + " is larger than 1",
                  "coefficients lie between -1 and 1, where 1 is an ideal transformer");
        return;
    }
    card.e.values["k"] = *k;
    if (card.parameters({})) card.finish();
}

} // namespace daedalus::spice
