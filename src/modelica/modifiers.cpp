// Modifications (specification 3.5, section 7.2): trees of names, merged from outside inwards.
#include "modelica/translator.hpp"

#include <array>

namespace daedalus::modelica {

namespace {

bool is_attribute(std::string_view name) {
    static constexpr std::array names{"start", "fixed",    "nominal",     "min",         "max",
                                      "unit",  "quantity", "displayUnit", "stateSelect", "unbounded"};
    for (const char* one : names)
        if (name == one) return true;
    return false;
}

} // namespace

Modifier* Translator::new_modifier() { return &modifiers_.emplace_back(); }

Modifier* Translator::modifier_of(const std::vector<ast::Modification>& list, ast::ExprId binding, const Unit* unit,
                                  Instance* scope) {
    if (list.empty() && !ast::given(binding)) return nullptr;
    check_modified_twice(list, unit);
    Modifier* result = new_modifier();
    result->unit = unit;
    if (ast::given(binding)) {
        result->value = {unit, binding, scope, {}};
        result->span = unit->tree[binding].span;
    }
    for (const ast::Modification& written : list) {
        if (written.element) {
            const ast::Element& element = *written.element;
            std::string_view name;
            if (const auto* clause = std::get_if<ast::ComponentClause>(&element.what))
                name = clause->components.empty() ? std::string_view{} : clause->components.front().name;
            else if (const auto* nested = std::get_if<std::unique_ptr<ast::ClassDefinition>>(&element.what);
                     nested && *nested)
                name = (*nested)->name;
            if (name.empty()) continue;
            Modifier* one = new_modifier();
            one->unit = unit;
            one->span = written.span;
            one->each = written.each;
            one->final_ = written.final_;
            one->redeclared = &element;
            one->redeclared_unit = unit;
            one->redeclared_scope = scope;
            result->parts.emplace_back(name, one);
            continue;
        }
        if (written.name.parts.empty()) continue;
        if (written.name.has_subscripts())
            unsupported(unit, written.name.span,
                        "modifications of single elements, as '" + written.name.text() + "[…]'");
        Modifier* one = modifier_of(written.arguments, written.value, unit, scope);
        if (one == nullptr) one = new_modifier();
        one->unit = unit;
        one->span = written.span;
        one->each = written.each;
        one->final_ = written.final_;
        for (std::size_t k = written.name.parts.size(); k-- > 1;) { // a.b = 1 is a(b = 1)
            Modifier* around = new_modifier();
            around->unit = unit;
            around->span = written.span;
            around->each = written.each;
            around->parts.emplace_back(written.name.parts[k].name, one);
            one = around;
        }
        const std::string_view name = written.name.parts[0].name;
        bool merged = false;
        for (auto& [key, earlier] : result->parts)
            if (key == name) {
                earlier = merge(one, earlier);
                merged = true;
            }
        if (!merged) result->parts.emplace_back(name, one);
    }
    return result;
}

Modifier* Translator::without_values(Modifier* m) {
    if (m == nullptr) return nullptr;
    Modifier* copy = new_modifier();
    *copy = *m;
    copy->value = {};
    for (auto& [name, part] : copy->parts)
        if (!is_attribute(name)) part = without_values(part);
    return copy;
}

Modifier* Translator::merge(Modifier* outer, Modifier* inner) {
    if (outer == nullptr) return inner;
    if (inner == nullptr || outer == inner) return outer;
    Modifier* result = new_modifier();
    *result = *outer;
    if (!result->value.given()) {
        result->value = inner->value;
        if (result->value.given()) result->each = inner->each;
    }
    result->final_ = outer->final_ || inner->final_;
    if (outer->redeclared != nullptr && inner->redeclared != nullptr && !inner->redeclared->prefixes.replaceable)
        fail("redeclare", outer->unit, outer->span, "this is redeclared already, and not as replaceable",
             "write 'redeclare replaceable' where it is redeclared first");
    if (outer->redeclared == nullptr && inner->redeclared != nullptr) {
        result->redeclared = inner->redeclared;
        result->redeclared_unit = inner->redeclared_unit;
        result->redeclared_scope = inner->redeclared_scope;
        result->redeclared_element = inner->redeclared_element;
    }
    for (const auto& [name, part] : inner->parts) {
        Modifier* kept = outer->value.given() && !is_attribute(name) ? without_values(part) : part;
        bool found = false;
        for (auto& [key, mine] : result->parts)
            if (key == name) {
                mine = merge(mine, kept);
                found = true;
            }
        if (!found) result->parts.emplace_back(name, kept);
    }
    return result;
}

// For element [i, j] of an array of components: values are arrays over the elements, unless written with `each`.
Modifier* Translator::element_of(Modifier* m, const std::vector<int>& index, bool top) {
    if (m == nullptr) return nullptr;
    if (m->each && !top) return m;
    Modifier* copy = new_modifier();
    *copy = *m;
    if (copy->value.given() && !m->each)
        for (const int i : index) copy->value.steps.push_back({{}, i});
    for (auto& [name, part] : copy->parts) part = element_of(part, index, false);
    return copy;
}

Modifier* Translator::with_field(Modifier* m, const Binding& whole, std::string_view field) {
    if (m != nullptr && m->value.given()) return m;
    Modifier* from_whole = new_modifier();
    from_whole->unit = whole.unit;
    from_whole->span = whole.unit->tree[whole.expression].span;
    from_whole->value = whole;
    from_whole->value.steps.push_back({field, -1});
    return m == nullptr ? from_whole : merge(m, from_whole);
}

} // namespace daedalus::modelica
