// Independent sources V and I: value, small-signal part and waveform in any order.
#include "base/printable.hpp"
#include "spice/element_kinds.hpp"

namespace daedalus::spice {

using Kind = Token::Kind;

namespace {

bool small_signal(ElementCard& card) {
    const Token t = card.cursor.next();
    (void)card.accept(Kind::equals);
    if (card.e.values.contains("ac"))
        return card.fail("given-twice", t.span, "ac of " + card.shown() + " is given twice");
    card.e.values["ac"] = {1.0, t.span};
    for (const char* key : {"ac", "acphase"}) {
        (void)card.accept(Kind::comma);
        if (!card.at_number()) return true;
        const auto value = card.number(key);
        if (!value) return false;
        card.e.values[key] = *value;
    }
    return true;
}

/// distof1, distof2: for an analysis of distortion, which does not exist here.
bool distortion(ElementCard& card) {
    const Token t = card.cursor.next();
    card.r.warning("ignored", t.span, "'" + lower(t.text) + "' of " + card.shown() + " is ignored");
    while (card.at_number())
        if (!card.number("distof")) return false;
    return true;
}

bool repeat(ElementCard& card) {
    const Token t = card.cursor.next();
    (void)card.cursor.next();
    const auto value = card.number("r");
    if (!value) return false;
    if (card.e.waveform.kind != Waveform::Kind::piecewise_linear)
        return card.fail("unknown-parameter", t.span, "r= belongs to pwl, and " + card.shown() + " has none",
                         "a series resistance is an element of its own");
    if (value->number >= 0.0) card.e.waveform.repeat = *value; // -1: once, as without it
    return true;
}

} // namespace

void read_source(ElementCard& card, ElementKind kind) {
    card.e.kind = kind;
    if (!card.nodes(2, "plus and minus")) return;
    bool good = true;
    while (good && !card.at_end()) {
        if (card.accept(Kind::comma)) continue;
        if (card.next_is("dc")) {
            (void)card.cursor.next();
            (void)card.accept(Kind::equals);
            // "dc" alone is 0, as in ngspice
            if (card.at_end() || !(card.at_number() || card.peek().is(Kind::word)))
                card.e.values["value"] = {0.0, card.name.span};
            else
                good = card.number_as("value", "the value");
        } else if (card.next_is("ac")) {
            good = small_signal(card);
        } else if (card.next_is("distof1") || card.next_is("distof2")) {
            good = distortion(card);
        } else if (card.next_is("r") && card.at_parameter()) {
            good = repeat(card);
        } else if (read_waveform(card, good)) {
            continue;
        } else if (card.at_number() ||
                   (!card.at_parameter() && card.peek().is(Kind::word) && card.known_parameter(card.peek().text))) {
            good = card.number_as("value", "the value");
        } else {
            good = card.parameter({kind == ElementKind::current_source ? "td m" : "td", "", ""});
        }
    }
    if (good) card.finish();
}

} // namespace daedalus::spice
