// .op .tran .dc .ac .pz .sens .step, also without the dot in blocks of .control.
#include "base/printable.hpp"
#include "spice/reader.hpp"

#include <cmath>

namespace daedalus::spice {

using Kind = Token::Kind;

namespace {

/// Points of a sweep that are listed (.step dec, oct): more would fill memory, and nobody waits for them.
constexpr double most_points = 1e6;

bool fail(Reader& r, const SourceSpan& span, std::string message, std::string hint = {}) {
    r.error("analysis", span, std::move(message), std::move(hint));
    return false;
}

bool number_next(Cursor& c, Reader& r, const char* what, double& to) {
    if (c.peek().is(Kind::comma)) (void)c.next();
    const auto value = r.value(c, r.top, what);
    if (value) to = value->number;
    return value.has_value();
}

bool nothing_behind(Cursor& c, Reader& r) {
    const Token t = c.next();
    return t.is(Kind::end) || fail(r, t.span, "'" + printable(t.text) + "' is not expected here");
}

bool transient(Cursor& c, Reader& r, Analysis& a) {
    a.kind = Analysis::Kind::transient;
    std::vector<double> numbers;
    for (Token t = c.peek(); !t.is(Kind::end); t = c.peek()) {
        if (t.is_word("uic")) {
            a.use_initial_conditions = true;
            (void)c.next();
        } else if (t.is_word("startup") || t.is_word("steady") || t.is_word("nodiscard")) {
            return fail(r, t.span, "'" + lower(t.text) + "' of .tran is not read");
        } else {
            numbers.emplace_back();
            if (!number_next(c, r, "a time of .tran", numbers.back())) return false;
        }
    }
    if (numbers.empty() || numbers.size() > 4)
        return fail(r, a.span, ".tran has " + std::to_string(numbers.size()) + " numbers",
                    "they are: step, stop and, if wanted, start and largest step");
    if (numbers.size() == 1) numbers.insert(numbers.begin(), 0.0); // the stop alone, as LTspice has it
    numbers.resize(4, 0.0);
    a.step = numbers[0];
    a.stop = numbers[1];
    a.start = numbers[2];
    a.largest_step = numbers[3];
    if (!(a.stop > 0.0) || a.step < 0.0 || a.start < 0.0 || a.largest_step < 0.0 || a.start >= a.stop)
        return fail(r, a.span, "the times of .tran must be positive, and the start before the stop");
    return true;
}

/// What a sweep varies: an element, the temperature, or a parameter.
bool swept(const Token& t, Reader& r, Analysis::Sweep& s) {
    s.span = t.span;
    s.source = lower(t.text);
    if (!t.is(Kind::word)) return fail(r, t.span, "the name of a source is missing here");
    if (s.source == "temp") return true;
    s.element = r.existing_element(t.text, {});
    if (s.element >= 0) {
        const ElementKind kind = r.netlist.elements[static_cast<std::size_t>(s.element)].kind;
        if (kind == ElementKind::voltage_source || kind == ElementKind::current_source || kind == ElementKind::resistor)
            return true;
        return fail(r, t.span,
                    "'" + printable(t.text) + "' cannot be swept: a source, a resistor, a parameter or temp can");
    }
    if (r.top.parameters.contains(s.source)) return true;
    std::string hint = r.like_element(t.text, {}, '\0');
    return fail(r, t.span, "there is no source, resistor or parameter '" + printable(t.text) + "'", std::move(hint));
}

bool range(Cursor& c, Reader& r, Analysis::Sweep& s) {
    if (!number_next(c, r, "the first value of a sweep", s.from) ||
        !number_next(c, r, "the last value of a sweep", s.to) || !number_next(c, r, "the step of a sweep", s.step))
        return false;
    if (s.from != s.to && (s.step == 0.0 || (s.to - s.from) * s.step < 0.0))
        return fail(r, s.span, "the step of this sweep never leads to its last value");
    if (s.from != s.to && std::abs((s.to - s.from) / s.step) > most_points)
        return fail(r, s.span, "this sweep has more than a million points");
    return true;
}

bool values(Cursor& c, Reader& r, Analysis::Sweep& s) {
    (void)c.next();
    while (c.peek().is(Kind::comma) || c.peek().is(Kind::expression) ||
           (c.peek().is(Kind::word) && read_number(c.peek().text, true))) {
        s.list.emplace_back();
        if (!number_next(c, r, "a value of a list", s.list.back())) return false;
    }
    return !s.list.empty() || fail(r, s.span, "the list of this sweep is empty");
}

bool direct_current(Cursor& c, Reader& r, Analysis& a) {
    a.kind = Analysis::Kind::dc;
    while (!c.peek().is(Kind::end)) {
        Analysis::Sweep s;
        if (c.peek().is_word("lin")) (void)c.next();
        if (!swept(c.next(), r, s)) return false;
        if (c.peek().is_word("list") ? !values(c, r, s) : !range(c, r, s)) return false;
        if (s.source == "temp" && r.temperature_is_folded)
            return fail(r, s.span,
                        "numbers of this deck are computed from 'temper', which a sweep of .dc does not repeat",
                        ".step temp reads the deck again for each temperature");
        a.sweeps.push_back(std::move(s));
    }
    return !a.sweeps.empty() || fail(r, a.span, ".dc needs a source and first value, last value and step");
}

bool small_signal(Cursor& c, Reader& r, Analysis& a) {
    a.kind = Analysis::Kind::ac;
    const Token t = c.next();
    using Spacing = Analysis::Spacing;
    if (!t.is_word("dec") && !t.is_word("oct") && !t.is_word("lin"))
        return fail(r, t.span, ".ac needs dec, oct or lin", ".ac dec 10 1 1meg has 10 points in each decade");
    a.spacing = t.is_word("dec") ? Spacing::decades : t.is_word("oct") ? Spacing::octaves : Spacing::linear;
    double points = 0.0;
    if (!number_next(c, r, "the number of points of .ac", points) ||
        !number_next(c, r, "the first frequency of .ac", a.from) ||
        !number_next(c, r, "the last frequency of .ac", a.to))
        return false;
    if (!(points >= 1.0 && points <= most_points))
        return fail(r, a.span, "the number of points of .ac must be between one and a million");
    a.points = static_cast<int>(points);
    if (a.from < 0.0 || a.to < a.from || (a.from == 0.0 && a.spacing != Spacing::linear))
        return fail(r, a.span, "the frequencies of .ac must be positive and increase");
    return nothing_behind(c, r);
}

void words(Cursor& c, Analysis& a) {
    for (Token t = c.next(); !t.is(Kind::end); t = c.next()) a.words.push_back(printable(t.text));
}

/// Equal ratios, with both ends: n points in each decade or octave.
bool logarithmic(Cursor& c, Reader& r, Analysis::Sweep& s, double base) {
    double n = 0.0;
    if (!number_next(c, r, "the first value of a sweep", s.from) ||
        !number_next(c, r, "the last value of a sweep", s.to) || !number_next(c, r, "the number of points", n))
        return false;
    if (!(s.from > 0.0 && s.to >= s.from && n >= 1.0))
        return fail(r, s.span, "values of such a sweep must be positive and increase");
    const double count = n * std::log(s.to / s.from) / std::log(base);
    if (count > most_points) return fail(r, s.span, "this sweep has more than a million points");
    // A last point that rounding leaves out belongs to it.
    for (int k = 0; k <= static_cast<int>(std::floor(count + 1e-9)); ++k)
        s.list.push_back(s.from * std::pow(base, k / n));
    return true;
}

} // namespace

bool Reader::analysis(Cursor& c, const std::string& name) {
    Analysis a;
    a.span = c.line().span();
    bool good = true;
    if (name == "op")
        good = nothing_behind(c, *this);
    else if (name == "tran")
        good = transient(c, *this, a);
    else if (name == "dc")
        good = direct_current(c, *this, a);
    else if (name == "ac")
        good = small_signal(c, *this, a);
    else if (name == "pz") {
        a.kind = Analysis::Kind::poles_and_zeros;
        words(c, a);
    } else if (name == "sens") {
        a.kind = Analysis::Kind::sensitivity;
        words(c, a);
    } else
        return false;
    if (good) netlist.analyses.push_back(std::move(a));
    return true;
}

void Reader::step(Cursor& c) {
    Analysis::Sweep s;
    s.span = c.line().span();
    double base = 0.0;
    if (c.peek().is_word("dec") || c.peek().is_word("oct")) base = c.next().is_word("dec") ? 10.0 : 2.0;
    if (c.peek().is_word("lin")) (void)c.next();
    if (c.peek().is_word("param")) (void)c.next();
    if (!swept(c.next(), *this, s)) return;
    const bool good = base > 0.0                 ? logarithmic(c, *this, s, base)
                      : c.peek().is_word("list") ? values(c, *this, s)
                                                 : range(c, *this, s);
    if (good && nothing_behind(c, *this)) netlist.steps.push_back(std::move(s));
}

} // namespace daedalus::spice
