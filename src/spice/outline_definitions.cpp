// .subckt .model .param .func .if: what belongs to the subcircuit that is open.
#include "base/printable.hpp"
#include "spice/outliner.hpp"

#include <algorithm>
#include <array>

namespace daedalus::spice {

using Kind = Token::Kind;

namespace {

/// Subcircuits defined within subcircuits; as many levels as instances may have.
constexpr std::size_t deepest_definition = 200;

} // namespace

void Outliner::subcircuit(Cursor& c, const Token& word) {
    refuse_condition(word);
    const Token name = c.next();
    auto made = std::make_unique<Definition>();
    Definition& d = *made;
    d.enclosing = &here();
    d.span = name.span;
    if (!name.is(Kind::word)) problems_.error("subcircuit", word.span, "a subcircuit needs a name and its nodes");
    d.name = printable(name.text);
    ports(c, d);
    d.defaults = parameter_cards(c, problems_);
    if (const Token rest = c.next(); !rest.is(Kind::end))
        problems_.error("subcircuit", rest.span, "'" + printable(rest.text) + "' behind the parameters of a subcircuit",
                        "nodes come first, then name=value");
    std::unordered_set<std::string> seen;
    for (const Token& port : d.ports)
        if (!seen.insert(lower(port.text)).second)
            problems_.error("subcircuit", port.span,
                            "node '" + printable(port.text) + "' stands twice among those of '" + d.name + "'");
    auto& slot = here().subcircuits[lower(name.text)];
    if (slot && (slot->span.file != d.span.file || slot->span.begin != d.span.begin)) // not a file included twice
        problems_.error("duplicate-subcircuit", name.span, "there are two subcircuits '" + d.name + "'",
                        "the first one is in line " + std::to_string(slot->span.locate().line) + " of " +
                            slot->span.file->name());
    if (open_.size() > deepest_definition) {
        if (open_.size() == deepest_definition + 1)
            problems_.error("subcircuit", name.span, "subcircuits are defined more than 200 levels deep");
        // Its lines go to the one around it, which is wrong already.
        open_.push_back(&here());
        branch_.emplace_back();
        return;
    }
    if (slot) // kept aside, so that its lines do no harm
        spare_.push_back(std::move(made));
    else
        slot = std::move(made);
    open_.push_back(&d);
    branch_.emplace_back();
}

void Outliner::ports(Cursor& c, Definition& d) {
    for (;;) {
        Cursor ahead = c;
        const Token t = ahead.next();
        if (t.is_word("params:") || t.is_word("params") || t.is_word("param:")) {
            if (ahead.peek().is(Kind::equals)) return;
            c = ahead;
            if (c.peek().is_word(":")) (void)c.next();
            return;
        }
        if (t.is_word("optional:")) {
            problems_.error("subcircuit", t.span, "optional nodes of subcircuits are not read");
            c = ahead;
        } else if (t.is(Kind::open) || t.is(Kind::close) || t.is(Kind::comma)) {
            c = ahead;
        } else if (!t.is(Kind::word) || ahead.peek().is(Kind::equals)) {
            return;
        } else {
            d.ports.push_back(t);
            c = ahead;
        }
    }
}

void Outliner::ends(Cursor& c, const Token& word) {
    if (open_.size() == 1) {
        problems_.error("ends", word.span, ".ends without a .subckt before it");
        return;
    }
    const Token name = c.next();
    if (name.is(Kind::word) && !same(name.text, here().name)) {
        const std::string message =
            ".ends of '" + printable(name.text) + "', but '" + here().name + "' is the subcircuit that is open";
        const std::string hint = "it begins in line " + std::to_string(here().span.locate().line);
        // Of one around it: an .ends is missing. Otherwise somebody gave it another name.
        const bool outer =
            std::any_of(open_.begin() + 1, open_.end(), [&](const Definition* d) { return same(name.text, d->name); });
        if (outer)
            problems_.error("ends", name.span, message, hint);
        else
            problems_.warning("ends", name.span, message, hint);
    }
    close_branches();
    open_.pop_back();
    branch_.pop_back();
}

void Outliner::close_branches() {
    if (!branch_.back().empty())
        problems_.error("condition", here().branches[static_cast<std::size_t>(branch())].span,
                        "this .if has no .endif");
    branch_.back().clear();
}

void Outliner::close_all() {
    if (in_control_) problems_.error("control", control_span_, "this .control has no .endc");
    for (close_branches(); open_.size() > 1; close_branches()) {
        problems_.error("ends", here().span, "subcircuit '" + here().name + "' has no .ends");
        open_.pop_back();
        branch_.pop_back();
    }
}

bool Outliner::refuse_condition(const Token& word) {
    if (branch() < 0) return false;
    problems_.error("condition", word.span, "'" + lower(word.text) + "' cannot depend on a condition",
                    "elements, models and instances can stand between .if and .endif");
    return true;
}

void Outliner::model(Cursor& c, const Token& word) {
    const Token name = c.next(), type = c.next();
    if (!name.is(Kind::word) || !type.is(Kind::word)) {
        problems_.error("model", word.span, "a model needs a name and a type: .model fast D(is=1e-14)");
        return;
    }
    ModelCard card{printable(name.text), lower(type.text), {}, c.line(), c.at(), name.span, branch()};
    if (card.type.starts_with("ako:")) { // .model slow AKO:fast D(tt=1u)
        card.base = card.type.substr(card.type.size() > 4 ? 4 : 0);
        if (card.type.size() == 4) card.base = lower(c.next().text);
        Cursor ahead = c;
        const Token own = ahead.next();
        card.type = own.is(Kind::word) && !ahead.peek().is(Kind::equals) ? lower(own.text) : std::string{};
        if (!card.type.empty()) c = ahead;
        card.at = c.at();
    }
    // Other names for the same: of other simulators.
    constexpr std::array<std::array<std::string_view, 2>, 5> also{
        {{"res", "r"}, {"cap", "c"}, {"ind", "l"}, {"vswitch", "sw"}, {"iswitch", "csw"}}};
    for (const auto& [other, ours] : also)
        if (card.type == other) card.type = ours;
    auto& same_name = here().models[lower(name.text)];
    for (const ModelCard& other : same_name)
        if (other.branch < 0 || card.branch < 0) {
            if (other.span.file != card.span.file || other.span.begin != card.span.begin) // not a file included twice
                problems_.warning("duplicate-model", name.span,
                                  "there is another model '" + card.name + "', which counts: this one is ignored",
                                  "the first one is in line " + std::to_string(other.span.locate().line) + " of " +
                                      other.span.file->name());
            return;
        }
    same_name.push_back(std::move(card));
}

void Outliner::parameters(Cursor& c) {
    if (refuse_condition(Cursor(c.line()).next())) return;
    // HSPICE defines functions this way, too: .param f(x)='x*2'
    Cursor ahead = c;
    const Token name = ahead.next();
    if (name.is(Kind::word) && ahead.peek().is(Kind::open)) return function(c, name);
    auto cards = parameter_cards(c, problems_);
    if (const Token rest = c.next(); !rest.is(Kind::end))
        problems_.error("parameter", rest.span, "'" + printable(rest.text) + "' is no parameter: name=value is");
    here().parameters.insert(here().parameters.end(), std::make_move_iterator(cards.begin()),
                             std::make_move_iterator(cards.end()));
}

void Outliner::function(Cursor& c, const Token& word) {
    if (refuse_condition(word)) return;
    const Token name = c.next();
    FunctionCard card;
    card.span = name.span;
    card.name = lower(name.text);
    bool good = name.is(Kind::word) && c.next().is(Kind::open);
    for (Token t = c.next(); good && !t.is(Kind::close); t = c.next()) {
        if (t.is(Kind::comma)) continue;
        good = t.is(Kind::word);
        card.arguments.push_back(lower(t.text));
    }
    if (!good) {
        problems_.error("function", word.span, "a function needs a name, arguments and a value: .func f(x,y) {x*y}");
        return;
    }
    if (c.peek().is(Kind::equals)) (void)c.next();
    auto body = whole_expression(c, problems_);
    if (!body) return;
    card.body = *std::move(body);
    if (const Token rest = c.next(); !rest.is(Kind::end))
        problems_.error("function", rest.span, "'" + printable(rest.text) + "' behind the value of a function");
    const auto [at, fresh] = here().functions.try_emplace(card.name, card);
    if (!fresh) {
        problems_.warning("duplicate-function", card.span,
                          "function '" + card.name + "' is defined again: this one counts",
                          "the first one is in line " + std::to_string(at->second.span.locate().line));
        at->second = std::move(card);
    }
}

void Outliner::condition(Cursor& c, const Token& word, const std::string& name) {
    std::vector<int>& open = branch_.back();
    Definition& d = here();
    const bool begins = name == ".if";
    if (!begins && open.empty()) {
        problems_.error("condition", word.span, "'" + name + "' without an .if before it");
        return;
    }
    Branch b;
    b.span = word.span;
    b.first = static_cast<int>(d.branches.size());
    if (!begins) {
        const Branch& before = d.branches[static_cast<std::size_t>(open.back())];
        if (before.condition.empty() && name != ".endif")
            problems_.error("condition", word.span, "'" + name + "' behind .else");
        b.first = before.first;
        open.pop_back();
    }
    if (name == ".endif") return;
    b.parent = open.empty() ? -1 : open.back();
    if (name != ".else") {
        auto value = whole_expression(c, problems_);
        if (value) b.condition = *std::move(value);
    }
    open.push_back(static_cast<int>(d.branches.size()));
    d.branches.push_back(std::move(b));
}

} // namespace daedalus::spice
