#include "spice/element_card.hpp"

#include "base/printable.hpp"

#include <algorithm>

namespace daedalus::spice {

using Kind = Token::Kind;

namespace {

bool among(std::string_view name, std::string_view words) {
    for (std::size_t at = 0; at < words.size();) {
        const auto end = std::min(words.find(' ', at), words.size());
        if (words.substr(at, end - at) == name) return true;
        at = end + 1;
    }
    return false;
}

std::vector<std::string> split(std::string_view words) {
    std::vector<std::string> list;
    for (std::size_t at = 0; at < words.size();) {
        const auto end = std::min(words.find(' ', at), words.size());
        list.emplace_back(words.substr(at, end - at));
        at = end + 1;
    }
    return list;
}

} // namespace

ElementCard::ElementCard(Reader& reader, Frame& f, const Line& line)
    : r(reader), frame(f), cursor(line), name(cursor.next()), printable_name_(printable(name.text)) {
    e.name = frame.prefix + printable_name_;
    e.span = line.span();
    r.formula_references.clear();
}

bool ElementCard::fail(const char* code, const SourceSpan& span, std::string message, std::string hint) {
    r.error(code, span, std::move(message), std::move(hint));
    return false;
}

bool ElementCard::nodes(int count, const char* terminals) {
    for (int k = 0; k < count; ++k) {
        while (accept(Kind::open) || accept(Kind::close) || accept(Kind::comma)) {
        }
        const Token t = peek();
        Cursor ahead = cursor;
        (void)ahead.next();
        if (!t.is(Kind::word) || ahead.peek().is(Kind::equals))
            return fail("node-count", t.span,
                        shown() + " has " + counted(static_cast<std::size_t>(k), "node") + " and needs " +
                            std::to_string(count),
                        std::string("they are: ") + terminals);
        cursor = ahead;
        e.nodes.push_back(r.node(t.text, t.span, frame, NodeUse::terminal));
        e.node_spans.push_back(t.span);
    }
    return true;
}

bool ElementCard::node_pair() { return nodes(2, "the pair of nodes that controls"); }

bool ElementCard::known_parameter(std::string_view word) const {
    const std::string key = lower(word);
    for (const Frame* f = &frame; f != nullptr; f = f->caller)
        if (f->parameters.contains(key)) return true;
    return false;
}

bool ElementCard::accept(Kind kind) {
    if (!peek().is(kind)) return false;
    (void)cursor.next();
    return true;
}

bool ElementCard::accept(std::string_view word) {
    if (!next_is(word)) return false;
    (void)cursor.next();
    return true;
}

bool ElementCard::at_parameter() const {
    Cursor ahead = cursor;
    return ahead.next().is(Kind::word) && ahead.peek().is(Kind::equals);
}

bool ElementCard::at_number() const {
    const Token t = peek();
    if (t.is(Kind::expression)) return true;
    if (!t.is(Kind::word)) return false;
    if (read_number(t.text, true)) return true;
    const bool sign = t.text == "-" || t.text == "+";
    const std::string_view text = t.span.file->text();
    return sign && t.span.end < text.size() && (text[t.span.end] == '{' || text[t.span.end] == '\'');
}

std::optional<Value> ElementCard::number(const std::string& what) {
    return r.value(cursor, frame, what + " of " + shown());
}

bool ElementCard::number_as(const std::string& key, const std::string& what) {
    const auto value = number(what);
    if (!value) return false;
    if (!e.values.emplace(key, *value).second)
        return fail("given-twice", value->span, what + " of " + shown() + " is given twice");
    return true;
}

bool ElementCard::value_or_formula(const std::string& key, bool whole) {
    const auto expression = whole ? whole_expression(cursor, r.problems) : tight_expression(cursor, r.problems);
    if (!expression) return false;
    auto read = r.formula(*expression, frame);
    if (!read) return false;
    if (e.formula || e.values.contains(key))
        return fail("given-twice", expression->span(), "the value of " + shown() + " is given twice");
    if (!read->constant) {
        e.formula = std::move(read->formula);
        return true;
    }
    const auto value = r.number(*expression, frame); // numbers have a grammar of their own
    if (value) e.values[key] = {*value, expression->span()};
    return value.has_value();
}

bool ElementCard::formula_only(bool whole) {
    const auto expression = whole ? whole_expression(cursor, r.problems) : tight_expression(cursor, r.problems);
    if (!expression) return false;
    auto read = r.formula(*expression, frame);
    if (!read) return false;
    if (e.formula) return fail("given-twice", expression->span(), "the value of " + shown() + " is given twice");
    e.formula = std::move(read->formula);
    return true;
}

bool ElementCard::list(const std::string& first, const std::vector<std::string>& keys) {
    std::size_t k = 0;
    do {
        if (k == keys.size()) return fail("unknown-parameter", peek().span, "'" + first + "' has too many numbers");
        if (!number_as(keys[k], "'" + first + "'")) return false;
        ++k;
    } while (accept(Kind::comma));
    return true;
}

bool ElementCard::parameter(const ParameterNames& names) {
    const bool assigned = at_parameter();
    const Token t = cursor.next();
    const std::string key = lower(t.text);
    if (!t.is(Kind::word)) return fail("unexpected", t.span, "'" + printable(t.text) + "' is not expected here");
    if (assigned) (void)cursor.next();
    if (among(key, names.ignored)) {
        r.warning("ignored", t.span, "'" + key + "' of " + shown() + " is ignored");
        return !assigned || number("'" + key + "'");
    }
    if (!assigned && among(key, names.flags)) {
        e.values[key] = {1.0, t.span};
        return true;
    }
    if (assigned && key == "ic" && among(key, names.numbers)) return list(key, {"ic", "ic2", "ic3", "ic4"});
    if (assigned && key == "tc" && among("tc1", names.numbers)) return list(key, {"tc1", "tc2"});
    if (assigned && (among(key, names.numbers) || among(key, names.flags))) return number_as(key, "'" + key + "'");
    std::vector<std::string> known = split(names.numbers);
    for (std::string& flag : split(names.flags)) known.push_back(std::move(flag));
    std::string hint = suggestion(key, known);
    if (hint.empty()) {
        for (const std::string& each : known) hint += " " + each;
        hint = known.empty() ? "it has none" : "it may have:" + hint;
    }
    if (assigned)
        return fail("unknown-parameter", t.span, shown() + " has no parameter '" + printable(t.text) + "'",
                    std::move(hint));
    return fail("unexpected", t.span, "'" + printable(t.text) + "' is not expected here",
                "parameters are written as name=value");
}

bool ElementCard::parameters(const ParameterNames& names) {
    while (!at_end()) {
        if (accept(Kind::comma)) continue;
        if (!parameter(names)) return false;
    }
    return true;
}

bool ElementCard::other(const Token& t) {
    if (!t.is(Kind::word)) return fail("missing-element", t.span, shown() + " needs the name of an element here");
    references.push_back({-1, static_cast<int>(e.others.size()), false, frame.prefix, t.text, t.span});
    e.others.push_back(-1);
    return true;
}

/// m copies of the subcircuit side by side are one, whose currents are m times as large at the same voltages.
void ElementCard::multiply() {
    const double m = frame.multiplicity;
    if (m == 1.0) return;
    using K = ElementKind;
    const auto scale = [&](const char* key, double by, double otherwise) {
        e.values.try_emplace(key, Value{otherwise, name.span}).first->second.number *= by;
    };
    if (!r.formula_references.empty() || e.kind == K::current_switch) {
        fail("multiplicity", name.span, shown() + " reads a current inside of an instance with multiplicity m",
             "write the instances out, one beside the other");
    } else if (e.kind == K::current_controlled_voltage) {
        scale("gain", 1.0 / m, 1.0);
    } else if (e.kind == K::transmission_line) {
        scale("z0", 1.0 / m, 1.0);
    } else if (e.kind != K::voltage_source && e.kind != K::voltage_controlled_voltage && e.kind != K::nullor &&
               e.kind != K::behavioural_voltage && e.kind != K::coupling && e.kind != K::current_controlled_current) {
        scale("m", m, 1.0);
    }
}

void ElementCard::finish() {
    multiply();
    if (const int first = r.elements.find(e.name); first >= 0) {
        const SourceSpan& before = r.netlist.elements[static_cast<std::size_t>(first)].span;
        fail("duplicate-element", name.span, "there are two elements '" + e.name + "'",
             "the first one is in line " + std::to_string(before.locate().line) + " of " + before.file->name());
        return;
    }
    const int place = static_cast<int>(r.netlist.elements.size());
    for (auto* list : {&references, &r.formula_references})
        for (Reader::Reference& reference : *list) {
            reference.element = place;
            r.references.push_back(std::move(reference));
        }
    r.formula_references.clear();
    r.netlist.elements.push_back(std::move(e));
    r.elements.add_last();
}

} // namespace daedalus::spice
