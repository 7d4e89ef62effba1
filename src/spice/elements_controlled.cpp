// Controlled sources: E, G by voltages, F, H by currents, B by formulas, and the ideal operational amplifier.
#include "base/printable.hpp"
#include "spice/element_kinds.hpp"

#include <array>
#include <cmath>

namespace daedalus::spice {

using Kind = Token::Kind;

namespace {

/// POLY(n) and how many that is.
bool dimension(ElementCard& card) {
    const Token word = card.cursor.next();
    const auto fail = [&] {
        return card.fail("polynomial", word.span,
                         "POLY of " + card.shown() + " needs the number of its arguments: POLY(2)");
    };
    if (!card.accept(Kind::open)) return fail();
    const auto n = card.number("the number of arguments");
    if (!n) return false;
    if (!card.accept(Kind::close)) return fail();
    constexpr double most = 1000.0; // a line of a deck has no more controlling nodes; keeps a mistake from a long loop
    if (!(n->number >= 1.0 && n->number <= most && std::floor(n->number) == n->number)) return fail();
    card.e.dimension = static_cast<int>(n->number);
    return true;
}

bool coefficients(ElementCard& card) {
    const auto separators = [&] {
        while (card.accept(Kind::comma) || card.accept(Kind::open) || card.accept(Kind::close)) continue;
    };
    for (separators(); card.at_number(); separators()) {
        const auto p = card.number("a coefficient");
        if (!p) return false;
        card.e.polynomial.push_back(*p);
    }
    if (card.e.polynomial.empty())
        return card.fail("missing-number", card.peek().span,
                         "the coefficients of POLY of " + card.shown() + " are missing");
    // A single one in one dimension is the gain, as in SPICE.
    if (card.e.polynomial.size() == 1 && card.e.dimension == 1)
        card.e.polynomial.insert(card.e.polynomial.begin(), Value{0.0, card.e.polynomial[0].span});
    return true;
}

/// TABLE {argument} = (x1,y1) (x2,y2) …
bool table(ElementCard& card) {
    const Token word = card.cursor.next();
    (void)card.accept(Kind::equals);
    if (!card.formula_only(false)) return false;
    (void)card.accept(Kind::equals);
    std::vector<Value>& points = card.e.table;
    for (;;) {
        if (card.accept(Kind::open) || card.accept(Kind::close) || card.accept(Kind::comma)) continue;
        if (!card.at_number()) break;
        const auto value = card.number("a point");
        if (!value) return false;
        points.push_back(*value);
    }
    if (points.empty() || points.size() % 2 != 0)
        return card.fail("table", word.span, "TABLE of " + card.shown() + " needs points: (x1,y1) (x2,y2) …");
    for (std::size_t k = 2; k < points.size(); k += 2)
        if (!(points[k].number > points[k - 2].number))
            return card.fail("table", points[k].span,
                             "the first numbers of the points of " + card.shown() + " must increase");
    return true;
}

bool gain(ElementCard& card) {
    while (card.accept(Kind::close) || card.accept(Kind::comma)) {
    }
    if (card.at_parameter() && (card.next_is("gain") || card.next_is("gm") || card.next_is("g"))) {
        (void)card.cursor.next();
        (void)card.cursor.next();
    }
    return card.number_as("gain", "the gain");
}

constexpr std::array<std::string_view, 8> refused{"laplace", "freq",  "chebyshev", "transformer",
                                                  "and(2)",  "delay", "foster",    "pole"};

bool is_named(const ElementCard& card, std::string_view word) {
    return card.next_is(word) || (card.at_parameter() && card.next_is(word));
}

void finish_controlled(ElementCard& card) {
    if (card.parameters({"m ic temp dtemp tc1 tc2", "", ""})) card.finish();
}

} // namespace

void read_voltage_controlled(ElementCard& card, ElementKind kind) {
    card.e.kind = kind;
    const bool voltage = kind == ElementKind::voltage_controlled_voltage;
    if (!card.nodes(2, "plus and minus of the output")) return;
    if (is_named(card, "vcvs") || is_named(card, "vccs")) (void)card.cursor.next();
    for (const std::string_view word : refused)
        if (is_named(card, word)) {
            card.fail("unknown-element", card.peek().span,
                      "'" + std::string(word) + "' of " + card.shown() + " is not read");
            return;
        }
    bool good = true;
    if (card.next_is("poly")) {
        good = dimension(card);
        for (int k = 0; good && k < card.e.dimension; ++k) good = card.node_pair();
        good = good && coefficients(card);
    } else if (card.next_is("table")) {
        good = table(card);
    } else if (is_named(card, "value") || (card.at_parameter() && is_named(card, voltage ? "vol" : "cur"))) {
        (void)card.cursor.next();
        (void)card.accept(Kind::equals);
        good = card.formula_only(true);
    } else if (voltage && card.next_is("opamp")) {
        (void)card.cursor.next();
        card.e.kind = ElementKind::nullor;
        good = card.nodes(2, "the inputs, plus and minus");
    } else {
        good = card.node_pair() && gain(card);
    }
    if (good) finish_controlled(card);
}

void read_current_controlled(ElementCard& card, ElementKind kind) {
    card.e.kind = kind;
    if (!card.nodes(2, "plus and minus of the output")) return;
    if (is_named(card, "cccs") || is_named(card, "ccvs")) (void)card.cursor.next();
    bool good = true;
    if (card.next_is("poly")) {
        good = dimension(card);
        for (int k = 0; good && k < card.e.dimension; ++k) good = card.other(card.cursor.next());
        good = good && coefficients(card);
    } else {
        good = card.other(card.cursor.next()) && gain(card);
    }
    if (good) finish_controlled(card);
}

void read_behavioural(ElementCard& card) {
    if (!card.nodes(2, "plus and minus")) return;
    const Token t = card.peek();
    if (!card.at_parameter() || !(t.is_word("v") || t.is_word("i"))) {
        card.fail("missing-number", t.span, card.shown() + " needs V= or I= behind its nodes",
                  "B1 out 0 V=2*V(in) is a voltage source, B1 out 0 I=V(in)/50 a current source");
        return;
    }
    card.e.kind = t.is_word("v") ? ElementKind::behavioural_voltage : ElementKind::behavioural_current;
    (void)card.cursor.next();
    (void)card.cursor.next();
    if (!card.formula_only(true)) return;
    if (card.parameters({"m tc1 tc2 temp dtemp", "", "smoothbsrc"})) card.finish();
}

} // namespace daedalus::spice
