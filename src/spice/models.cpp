// .model cards: found where the subcircuit is defined, or around it, and evaluated for the instance. Instances whose
// numbers are equal share one model, so that a cell used a million times has its models once.
#include "base/printable.hpp"
#include "spice/reader.hpp"

#include <algorithm>
#include <array>

namespace daedalus::spice {

using Kind = Token::Kind;

namespace {

/// Words about a part that no equation uses.
constexpr std::array<std::string_view, 3> descriptions{"mfg", "type", "version"};

bool read_own_values(const ModelCard& card, Frame& frame, Reader& r, DeviceModel& model) {
    std::unordered_set<std::string> seen;
    Cursor c(card.line);
    c.move_to(card.at);
    int depth = 0;
    bool good = true;
    for (Token t = c.next(); !t.is(Kind::end); t = c.next()) {
        if (t.is(Kind::comma)) continue;
        if (t.is(Kind::open) || t.is(Kind::close)) {
            depth += t.is(Kind::open) ? 1 : -1;
            continue;
        }
        const std::string key = lower(t.text);
        if (!t.is(Kind::word) || !c.peek().is(Kind::equals)) {
            r.error("model", t.span, "'" + printable(t.text) + "' in model '" + card.name + "' is no name=value");
            return false;
        }
        (void)c.next();
        if (std::find(descriptions.begin(), descriptions.end(), key) != descriptions.end()) {
            (void)c.until("(),={}");
            r.warning("ignored", t.span, "'" + key + "' of model '" + card.name + "' is ignored");
            continue;
        }
        const auto value = r.value(c, frame, "'" + key + "' of model '" + card.name + "'");
        if (!value) {
            good = false;
            continue;
        }
        if (!seen.insert(key).second)
            r.warning("given-twice", t.span,
                      "'" + key + "' of model '" + card.name + "' is given again: this one counts");
        model.values[key] = *value;
    }
    if (depth != 0) // they mean nothing, but what is missing may be more than one
        r.warning("unbalanced", card.span, "the parentheses of model '" + card.name + "' do not match");
    return good;
}

/// The card and those that it is made from, it first. Nothing: one is missing or comes back.
std::vector<const ModelCard*> ancestry(const ModelCard& card, Frame& frame, Reader& r) {
    constexpr std::size_t deepest = 20; // libraries have one or two
    std::vector<const ModelCard*> chain{&card};
    while (!chain.back()->base.empty()) {
        const ModelCard* base = r.find_model(chain.back()->base, frame);
        if (base == nullptr || chain.size() > deepest) {
            r.error("unknown-model", card.span,
                    base == nullptr ? "there is no model '" + printable(chain.back()->base) + "', from which '" +
                                          card.name + "' is made"
                                    : "model '" + card.name + "' is made from itself");
            return {};
        }
        chain.push_back(base);
    }
    return chain;
}

std::string listed(const std::vector<std::string_view>& types) {
    std::string text;
    for (const std::string_view t : types) text += (text.empty() ? "" : " or ") + std::string(t);
    return text;
}

} // namespace

const ModelCard* Reader::find_model(std::string_view name, Frame& frame, Frame** owner) {
    const std::string key = lower(name);
    for (Frame* f = &frame; f != nullptr; f = f->around()) {
        const auto at = f->definition->models.find(key);
        if (at == f->definition->models.end()) continue;
        for (const ModelCard& card : at->second)
            if (active(card.branch, *f)) {
                if (owner != nullptr) *owner = f;
                return &card;
            }
    }
    return nullptr;
}

int Reader::model(const Token& name, Frame& frame, const std::vector<std::string_view>& types, const std::string& of) {
    Frame* owner = nullptr;
    const ModelCard* card = find_model(name.text, frame, &owner);
    if (card == nullptr) {
        std::vector<std::string> known;
        for (const Frame* f = &frame; f != nullptr; f = f->around())
            for (const auto& [key, cards] : f->definition->models) known.push_back(cards.front().name);
        std::sort(known.begin(), known.end());
        error("unknown-model", name.span, "there is no model '" + printable(name.text) + "' for " + of,
              suggestion(name.text, known));
        return -1;
    }
    const auto fitting = [&](const std::string& t) { return std::find(types.begin(), types.end(), t) != types.end(); };
    if (const auto at = owner->models.find(card); at != owner->models.end())
        if (at->second < 0 || fitting(netlist.models[static_cast<std::size_t>(at->second)].type)) return at->second;
    const std::vector<const ModelCard*> chain = ancestry(*card, *owner, *this);
    if (chain.empty()) return -1;
    std::string type;
    for (const ModelCard* c : chain)
        if (type.empty()) type = c->type;
    if (!fitting(type)) {
        error("model-type", name.span,
              "model '" + card->name + "' is of type " + printable(type) + ", and " + of + " needs " + listed(types),
              "the model is in line " + std::to_string(card->span.locate().line) + " of " + card->span.file->name());
        return -1;
    }
    DeviceModel fresh_model;
    fresh_model.name = owner->prefix + card->name;
    fresh_model.type = type;
    fresh_model.span = card->span;
    int place = -1;
    bool good = true;
    for (auto c = chain.rbegin(); c != chain.rend(); ++c)
        good = read_own_values(**c, *owner, *this, fresh_model) && good;
    if (good) {
        std::vector<double> numbers;
        for (const auto& [key, value] : fresh_model.values) numbers.push_back(value.number);
        const auto [at, fresh] =
            equal_models.emplace(std::pair(card, std::move(numbers)), static_cast<int>(netlist.models.size()));
        if (fresh) netlist.models.push_back(std::move(fresh_model));
        place = at->second;
    }
    owner->models[card] = place;
    return place;
}

} // namespace daedalus::spice
