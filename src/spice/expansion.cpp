// Subcircuits: each instance becomes its elements, named with its path.
#include "base/printable.hpp"
#include "spice/reader.hpp"

#include <algorithm>

namespace daedalus::spice {

namespace {
/// Instances within instances: hierarchies of real chips stay below thirty. Names grow with each level, and so does the
/// stack of calls.
constexpr int deepest_instance = 200;

using Kind = Token::Kind;

struct Words {
    std::vector<Token> list; ///< between the name of the instance and the first parameter
    bool good = true;
};

Words words_of(Cursor& c, Reader& r) {
    Words words;
    for (;;) {
        Cursor ahead = c;
        const Token t = ahead.next();
        if (t.is_word("params:") || t.is_word("param:")) {
            c = ahead;
            return words;
        }
        if (t.is_word("params") && ahead.peek().is_word(":")) {
            c = ahead;
            (void)c.next();
            return words;
        }
        if (t.is(Kind::end) || (t.is(Kind::word) && ahead.peek().is(Kind::equals))) return words;
        c = ahead;
        if (t.is(Kind::open) || t.is(Kind::close) || t.is(Kind::comma)) continue;
        if (!t.is(Kind::word)) {
            r.error("instance", t.span, "'" + printable(t.text) + "' is not the name of a node or a subcircuit");
            words.good = false;
            return words;
        }
        words.list.push_back(t);
    }
}

const Definition* find_subcircuit(std::string_view name, const Definition& from) {
    const std::string key = lower(name);
    for (const Definition* d = &from; d != nullptr; d = d->enclosing)
        if (const auto at = d->subcircuits.find(key); at != d->subcircuits.end()) return at->second.get();
    return nullptr;
}

std::string similar_subcircuit(std::string_view name, Frame& frame) {
    std::vector<std::string> known;
    for (const Definition* d = frame.definition; d != nullptr; d = d->enclosing)
        for (const auto& [key, value] : d->subcircuits) known.push_back(value->name);
    std::sort(known.begin(), known.end());
    return suggestion(name, known);
}

bool recursive(const Definition& d, const Token& name, Frame& frame, Reader& r) {
    int depth = 0;
    for (Frame* f = &frame; f != nullptr; f = f->caller, ++depth)
        if (f->definition == &d) {
            std::string chain = d.name;
            std::vector<std::string> path;
            for (Frame* g = &frame; g != f; g = g->caller) path.push_back(g->definition->name);
            for (auto at = path.rbegin(); at != path.rend(); ++at) chain += " → " + *at;
            r.error("recursive-subcircuit", name.span,
                    "subcircuit '" + d.name + "' contains itself: " + chain + " → " + d.name);
            return true;
        }
    if (depth <= deepest_instance) return false;
    r.error("too-deep", name.span, "instances of subcircuits are nested more than 200 levels deep");
    return true;
}

/// What the instance says goes before the defaults of the head.
void give_parameters(Cursor& c, const Definition& d, Frame& inner, Frame& frame, Reader& r) {
    for (const ParameterCard& p : d.defaults)
        inner.parameters[p.name] = {Frame::Parameter::State::unread, &p.value, 0.0, p.span, true, false};
    for (const ParameterCard& p : parameter_cards(c, r.problems)) {
        const bool declared = inner.parameters.contains(p.name);
        if (p.name == "m" && !declared) {
            const auto m = r.number(p.value, frame);
            if (m && *m <= 0.0) r.error("multiplicity", p.span, "the multiplicity m of an instance must be positive");
            inner.multiplicity = frame.multiplicity * m.value_or(1.0);
            continue;
        }
        const auto value = r.number(p.value, frame);
        inner.parameters[p.name] = {value ? Frame::Parameter::State::known : Frame::Parameter::State::failed,
                                    nullptr,
                                    value.value_or(0.0),
                                    p.span,
                                    declared,
                                    false};
    }
    if (const Token rest = c.next(); !rest.is(Kind::end))
        r.error("instance", rest.span, "'" + printable(rest.text) + "' behind the parameters of an instance",
                "nodes come first, then the name of the subcircuit, then name=value");
    for (const ParameterCard& p : d.parameters) {
        Frame::Parameter& slot = inner.parameters[p.name];
        // What the instance gives stands, as in ngspice: .param inside is then a default.
        if (slot.expression == nullptr && slot.span.known())
            slot.declared = true;
        else
            slot = {Frame::Parameter::State::unread, &p.value, 0.0, p.span, true, false};
    }
}

using Sizes = std::unordered_map<const Definition*, double>;

/// How many elements and instances a subcircuit becomes, at least: what stands behind .if is not counted. Subcircuits
/// that each contain two of the next double with each level; that is said before the memory is gone.
double size_of(const Definition& d, Sizes& sizes, int depth) {
    if (depth > deepest_instance) return 0.0; // refused when it is reached
    if (const auto known = sizes.find(&d); known != sizes.end()) return known->second;
    sizes[&d] = 0.0; // what contains itself is refused, too
    double size = 0.0;
    for (const Statement& s : d.statements) {
        if (s.branch >= 0) continue;
        size += 1.0;
        const char c = s.line.file->text()[s.line.begin];
        if (c != 'x' && c != 'X') continue;
        Token last;
        Cursor cursor(s.line);
        for (Token t = cursor.next(); t.is(Kind::word) || t.is(Kind::open) || t.is(Kind::close); t = cursor.next()) {
            if (t.text.ends_with(':') || cursor.peek().is(Kind::equals)) break;
            if (t.is(Kind::word)) last = t;
        }
        if (const Definition* inner = find_subcircuit(last.text, d)) size += size_of(*inner, sizes, depth + 1);
    }
    return sizes[&d] = size;
}

void check_use(const Definition& d, const Frame& inner, Reader& r) {
    for (const auto& [name, p] : inner.parameters) {
        if (p.declared || p.used) continue;
        std::vector<std::string> known;
        for (const ParameterCard& card : d.defaults) known.push_back(card.name);
        r.error("unknown-parameter", p.span, "subcircuit '" + d.name + "' has no parameter '" + name + "'",
                suggestion(name, known));
    }
}

} // namespace

bool Reader::fits() {
    Sizes sizes;
    if (size_of(outline.top, sizes, 0) <= static_cast<double>(options.most_elements)) return true;
    error_of_deck("too-large", "this deck has more than " + std::to_string(options.most_elements) +
                                   " elements and instances when expanded");
    return false;
}

void Reader::expand(Frame& frame) {
    for (const Statement& s : frame.definition->statements) {
        if (made > options.most_elements) return;
        if (s.branch >= 0 && !active(s.branch, frame)) continue;
        const char c = s.line.file->text()[s.line.begin];
        if (c == 'x' || c == 'X')
            instance(s.line, frame);
        else
            element(s.line, frame);
    }
}

void Reader::instance(const Line& line, Frame& frame) {
    Cursor c(line);
    const Token name = c.next();
    const Words words = words_of(c, *this);
    if (!words.good) return;
    if (words.list.empty()) {
        error("instance", name.span, "an instance needs its nodes and the name of a subcircuit");
        return;
    }
    if (!room_for_one_more(name.span)) return;
    const Token& which = words.list.back();
    const Definition* d = find_subcircuit(which.text, *frame.definition);
    if (d == nullptr) {
        error("unknown-subcircuit", which.span, "there is no subcircuit '" + printable(which.text) + "'",
              similar_subcircuit(which.text, frame));
        return;
    }
    if (recursive(*d, which, frame, *this)) return;
    const std::size_t nodes_given = words.list.size() - 1;
    if (nodes_given != d->ports.size()) {
        std::string ports;
        for (const Token& p : d->ports) ports += (ports.empty() ? "" : " ") + printable(p.text);
        error("node-count", cover(name.span, which.span),
              "'" + printable(name.text) + "' has " + counted(nodes_given, "node") + ", and subcircuit '" + d->name +
                  "' has " + std::to_string(d->ports.size()),
              ports.empty() ? "" : "they are: " + ports);
        return;
    }
    Frame inner;
    inner.definition = d;
    inner.caller = &frame;
    inner.depth = frame.depth + 1;
    inner.prefix = frame.prefix + printable(name.text) + ".";
    inner.multiplicity = frame.multiplicity;
    if (const auto [at, fresh] = frame.instances.emplace(lower(name.text), name.span); !fresh) {
        error("duplicate-element", name.span,
              "there are two instances '" + inner.prefix.substr(0, inner.prefix.size() - 1) + "'",
              "the first one is in line " + std::to_string(at->second.locate().line) + " of " +
                  at->second.file->name());
        return;
    }
    for (std::size_t k = 0; k < nodes_given; ++k)
        inner.ports[lower(d->ports[k].text)] = node(words.list[k].text, words.list[k].span, frame, NodeUse::port);
    give_parameters(c, *d, inner, frame, *this);
    expand(inner);
    check_use(*d, inner, *this);
}

} // namespace daedalus::spice
