// Functions of time of independent sources.
#include "base/printable.hpp"
#include "spice/element_kinds.hpp"

#include <array>

namespace daedalus::spice {

namespace {

using Kind = Token::Kind;
using Shape = Waveform::Kind;

struct Form {
    std::string_view name;
    Shape shape;
    std::size_t least, most;
    const char* numbers; ///< what they are called, for messages
};

constexpr std::array forms{Form{"sin", Shape::sine, 2, 6, "VO VA FREQ TD THETA PHASE"},
                           Form{"sine", Shape::sine, 2, 6, "VO VA FREQ TD THETA PHASE"},
                           Form{"pulse", Shape::pulse, 2, 8, "V1 V2 TD TR TF PW PER NP"},
                           Form{"pwl", Shape::piecewise_linear, 2, static_cast<std::size_t>(-1), "T1 V1 T2 V2 …"},
                           Form{"exp", Shape::exponential, 2, 6, "V1 V2 TD1 TAU1 TD2 TAU2"},
                           Form{"sffm", Shape::single_frequency_fm, 2, 7, "VO VA FC MDI FS PHASEC PHASES"},
                           Form{"am", Shape::amplitude_modulated, 3, 6, "VA VO MF FC TD PHASES"}};

constexpr std::array<std::string_view, 5> refused{"trnoise", "trrandom", "external", "pwlfile", "pat"};

/// Where a list in parentheses ends; without them at what is no number.
bool numbers(ElementCard& card, const Form& form) {
    Waveform& w = card.e.waveform;
    int depth = card.accept(Kind::open) ? 1 : 0;
    const bool enclosed = depth > 0;
    for (;;) {
        const Token t = card.peek();
        if (t.is(Kind::comma)) {
            (void)card.cursor.next();
        } else if (enclosed && (t.is(Kind::open) || t.is(Kind::close))) {
            (void)card.cursor.next();
            depth += t.is(Kind::open) ? 1 : -1;
            if (depth == 0) return true;
        } else if (enclosed && t.is(Kind::end)) {
            return card.fail("unbalanced", w.span, "the '(' behind " + std::string(form.name) + " is never closed");
        } else if (!enclosed && (!card.at_number() || card.at_parameter())) {
            return true;
        } else {
            if (form.shape == Shape::piecewise_linear && w.numbers.size() % 2 == 0 && t.is(Kind::word) &&
                t.text[0] == '+')
                card.r.warning("relative-time", t.span,
                               "'" + printable(t.text) + "' is a time of its own, not one after the last",
                               "some programs add times that have a '+' to the one before");
            const auto value = card.number("a number of " + std::string(form.name));
            if (!value) return false;
            w.numbers.push_back(*value);
        }
    }
}

bool check(ElementCard& card, const Form& form) {
    const Waveform& w = card.e.waveform;
    const std::string name = lower(form.name);
    if (w.numbers.size() < form.least || w.numbers.size() > form.most)
        return card.fail("waveform", w.span,
                         name + " of " + card.shown() + " has " + counted(w.numbers.size(), "number"),
                         std::string("they are: ") + form.numbers);
    if (w.kind != Shape::piecewise_linear) return true;
    if (w.numbers.size() % 2 != 0)
        return card.fail("waveform", w.numbers.back().span,
                         "the last time of pwl of " + card.shown() + " has no value");
    for (std::size_t k = 2; k < w.numbers.size(); k += 2)
        if (w.numbers[k].number < w.numbers[k - 2].number)
            return card.fail("waveform", w.numbers[k].span, "the times of pwl of " + card.shown() + " decrease here");
    return true;
}

} // namespace

bool read_waveform(ElementCard& card, bool& good) {
    good = true;
    const Token t = card.peek();
    if (!t.is(Kind::word)) return false;
    const std::string name = lower(t.text);
    for (const std::string_view other : refused)
        if (name == other) {
            good = card.fail("waveform", t.span, "the waveform '" + name + "' is not read");
            return true;
        }
    for (const Form& form : forms) {
        if (name != form.name) continue;
        (void)card.cursor.next();
        Waveform& w = card.e.waveform;
        if (w.kind != Shape::none) {
            good = card.fail("given-twice", t.span, card.shown() + " has two waveforms");
            return true;
        }
        w.kind = form.shape;
        w.span = t.span;
        if (w.kind == Shape::piecewise_linear && (card.next_is("file") || card.next_is("repeat"))) {
            good = card.fail("waveform", card.peek().span, "'" + printable(card.peek().text) + "' in pwl is not read",
                             "r=0 behind the points repeats them");
            return true;
        }
        good = numbers(card, form) && check(card, form);
        w.span.end = std::max(w.span.end, card.cursor.at());
        return true;
    }
    return false;
}

} // namespace daedalus::spice
