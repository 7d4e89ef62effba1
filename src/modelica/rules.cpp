// Rules of the language about classes in their places: what may inherit from what, be modified, redeclared, connected,
// or be seen from where (specification 3.5, chapters 5, 7 and 9). What a class breaks by itself is in class_rules.hpp.
// A model that breaks them has a meaning in no tool; one that is accepted all the same may be solved as another one.
#include "modelica/class_rules.hpp"
#include "modelica/translator.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace daedalus::modelica {

using ast::Causality;
using ast::ClassKind;
using ast::Variability;

namespace {

bool is_function(ClassKind kind) { return kind == ClassKind::function || kind == ClassKind::operator_function; }
bool is_connector(ClassKind kind) { return kind == ClassKind::connector || kind == ClassKind::expandable_connector; }
bool is_model(ClassKind kind) { return kind == ClassKind::model || kind == ClassKind::block; }

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }
std::string a_kind(ClassKind kind) {
    const std::string_view word = ast::spelling(kind);
    return (std::string_view("aeio").find(word.front()) != std::string_view::npos ? "an " : "a ") + std::string(word);
}

/// Which specialized class may inherit from which (section 7.1.3). `class` is the one that says nothing.
bool may_inherit(ClassKind derived, ClassKind base) {
    switch (base) {
    case ClassKind::function:
    case ClassKind::operator_function: return is_function(derived);
    case ClassKind::package: return derived == ClassKind::package;
    case ClassKind::operator_: return derived == ClassKind::operator_;
    case ClassKind::type: return derived == ClassKind::type || derived == ClassKind::class_ || is_connector(derived);
    case ClassKind::record:
    case ClassKind::operator_record: return !is_function(derived) && derived != ClassKind::package;
    case ClassKind::connector:
    case ClassKind::expandable_connector:
        return is_connector(derived) || derived == ClassKind::model || derived == ClassKind::class_;
    case ClassKind::block: return is_model(derived) || derived == ClassKind::class_;
    case ClassKind::model: return derived == ClassKind::model || derived == ClassKind::class_;
    case ClassKind::class_: return true;
    }
    return true;
}

/// Nothing but an icon.
bool is_empty(const ast::ClassDefinition& d) {
    return d.elements.empty() && d.equations.empty() && d.algorithms.empty() && !d.is_external;
}

const ast::Reference* type_name(const Element* e) { return e->clause != nullptr ? &e->clause->type : nullptr; }

std::string_view text_of(const Unit* unit, Span span) {
    return unit->file->text().substr(span.begin, span.end - span.begin);
}

/// Without what separates words.
std::string words(std::string_view text) {
    std::string result;
    std::copy_if(text.begin(), text.end(), std::back_inserter(result),
                 [](char c) { return !std::isspace(static_cast<unsigned char>(c)); });
    return result;
}

bool is_hidden(const Component* c) {
    for (; c != nullptr && c->element != nullptr; c = c->parent) {
        if (c->element->prefixes.is_protected) return true;
        if (c->is_connector && (c->parent == nullptr || !c->parent->is_connector)) break;
    }
    return false;
}

bool is_conditional(const Element* e) {
    for (; e != nullptr && e->component != nullptr; e = e->original)
        if (ast::given(e->component->condition)) return true;
    return false;
}

Span place_of(const Element* e) { return e->component != nullptr ? e->component->name_span : e->definition->name_span; }

} // namespace

void Translator::check_class(const Instance* node) {
    if (node->unit == nullptr || !checked_.insert(node->definition).second) return;
    if (const auto broken = broken_rule(*node->definition, node->unit->tree))
        fail(broken->code, node->unit, broken->span, broken->message, broken->hint);
}

void Translator::check_modified_twice(const std::vector<ast::Modification>& list, const Unit* unit) const {
    if (list.size() < 2) return;
    if (const auto broken = modified_twice(list)) fail(broken->code, unit, broken->span, broken->message, broken->hint);
}

// Of a long class, by extends (7.1.3), and of the name in it: a base class must not depend on what is inherited or
// replaced (7.1.4).
void Translator::check_inheritance(const Instance* node, const Instance* base, const ast::Reference& name) {
    const ast::ClassDefinition& derived = *node->definition;
    const auto wrong = [&](const std::string& what, std::string hint = {}) {
        fail("inheritance", node->unit, name.span,
             a_kind(derived.kind) + ", as " + quoted(derived.name) + ", cannot inherit from " + what, std::move(hint));
    };
    if (base->definition == nullptr) {
        const bool type = derived.kind == ClassKind::type || derived.kind == ClassKind::class_ ||
                          is_connector(derived.kind) || base->kind == Kind::object;
        if (!type && base->kind != Kind::none) wrong("the type " + quoted(name.text()));
        return;
    }
    const ClassKind kind = base->definition->kind;
    if (kind == ClassKind::operator_record)
        wrong("the operator record " + quoted(name.text()),
              "operator record Name = " + name.text() + "(…) makes another one");
    if (!may_inherit(derived.kind, kind) && !is_empty(*base->definition))
        wrong("the " + std::string(ast::spelling(kind)) + " " + quoted(name.text()));
    if (base->kind == Kind::none && !base->dimensions.empty())
        wrong("an array of classes, " + quoted(name.text()), "declare a component of it");
    if (name.parts.size() != 1 || name.global) return;
    const auto it = node->root->table.find(name.parts[0].name);
    if (it == node->root->table.end()) return;
    const Element* e = it->second;
    if (e->prefixes.replaceable && e->node == node)
        wrong("the replaceable class " + quoted(name.text()), "what is inherited must be the same in every use");
    if (is_base_of(node, e->node) && e->original == nullptr)
        wrong(quoted(name.text()) + ", which is inherited itself",
              "write the name of the class it is declared in before it");
}

// class Name = Base: functions stay functions, packages stay packages; prefixes are for variables.
void Translator::check_short_class(const Element* e, const Instance* base) {
    const ast::ClassDefinition& d = *e->definition;
    const ast::Prefixes& p = d.base_prefixes;
    if (base->definition == nullptr) {
        if (base->kind != Kind::none && (is_function(d.kind) || d.kind == ClassKind::package))
            fail("inheritance", e->unit, d.base.span,
                 a_kind(d.kind) + ", as " + quoted(d.name) + ", cannot be the type " + quoted(d.base.text()));
        return;
    }
    const ClassKind kind = base->definition->kind;
    if (is_function(kind) != is_function(d.kind) || (kind == ClassKind::package) != (d.kind == ClassKind::package))
        fail("inheritance", e->unit, d.base.span,
             a_kind(d.kind) + ", as " + quoted(d.name) + ", cannot be the " + std::string(ast::spelling(kind)) + " " +
                 quoted(d.base.text()));
    if ((p.flow || p.stream || p.causality != Causality::none) && base->kind == Kind::none && is_model(kind))
        fail("prefix", e->unit, d.name_span,
             "'input', 'output', 'flow' and 'stream' are for variables, not for the " +
                 std::string(ast::spelling(kind)) + " " + quoted(d.base.text()));
}

// What is declared final must not be modified from outside (7.2.6).
void Translator::check_final(const Modifier* outer, const Modifier* declared, std::string_view name) const {
    if (outer == nullptr || declared == nullptr || outer == declared) return;
    for (const auto& [key, part] : declared->parts) {
        const Modifier* from_outside = outer->part(key);
        if (from_outside == nullptr || from_outside == part) continue;
        if (part->final_ && (from_outside->value.given() || from_outside->redeclared != nullptr))
            fail("final", from_outside->unit, from_outside->span,
                 "'" + std::string(key) + "' of '" + std::string(name) + "' is final and cannot be modified");
        check_final(from_outside, part, key);
    }
}

void Translator::check_final(const Modifier* outer, const Element* declared) const {
    if (outer == nullptr || !declared->prefixes.final_) return;
    if (outer->value.given() || !outer->parts.empty() || outer->redeclared != nullptr)
        fail("final", outer->unit, outer->span, quoted(declared->name) + " is declared final and cannot be modified");
}

// Modifications in the declaration of a component, which does not see what is protected in its class (4.1).
void Translator::check_protected_modification(const Component* c, Instance* type) {
    if (c->modifier == nullptr) return;
    for (const auto& [name, part] : c->modifier->parts) {
        const Element* e = find_local(type, name);
        if (e != nullptr && e->prefixes.is_protected)
            fail("protected", part->unit, part->span,
                 quoted(name) + " is protected in '" + std::string(type->definition->name) +
                     "' and cannot be modified from outside");
    }
}

// What an import takes names from (13.2.1).
void Translator::check_package(const Element* e, const ast::Reference& import, const Unit* unit) const {
    if (e == nullptr || !e->is_class() || e->definition->form != ast::ClassForm::composition) return;
    if (e->definition->kind != ClassKind::package)
        fail("import", unit, import.span,
             quoted(e->name) + " is " + a_kind(e->definition->kind) + "; imports come from packages");
}

void Translator::check_visible(const Element* e, const Unit* unit, Span span, std::string_view around) const {
    if (e->prefixes.is_protected)
        fail("protected", unit, span,
             quoted(e->name) + " is protected in " + quoted(around) + " and cannot be seen from outside");
}

/// What `type` would need to stand where `constraint` is meant (6.4); empty: nothing.
std::string Translator::lacking(Instance* type, Instance* constraint) {
    if (type == constraint) return {};
    build(type);
    build(constraint);
    if (type->kind != constraint->kind) {
        if (constraint->kind == Kind::none && constraint->definition != nullptr && is_empty(*constraint->definition))
            return {};
        return "the kind of variable";
    }
    for (const Element* e : constraint->elements) {
        if (e->prefixes.is_protected || is_conditional(e) || e->prefixes.outer) continue;
        const Element* other = find_local(type, e->name);
        if (other == nullptr || other->is_class() != e->is_class()) return quoted(e->name);
    }
    return {};
}

// What replaces a declaration has all that its constraint has (7.3.2). Classes must be complete before they can be
// compared: after all components have been made.
void Translator::check_replacements() {
    for (std::size_t k = 0; k < replacements_.size(); ++k) { // looking into classes finds more of them
        const Replacement r = replacements_[k];
        try {
            Element* made = r.made;
            Instance* type = made->is_class() ? class_of(made) : find_class(made->clause->type, made->node, made->unit);
            check_constraint(r.original, type, made->unit, r.span);
        } catch (const TranslationError& error) {
            if (error.diagnostic.code == "constraint") keep(error, {}); // others are told where the class is used
        }
    }
}

void Translator::check_constraint(Element* declared, Instance* type, const Unit* unit, Span span) {
    const ast::Element& written = *declared->element;
    Instance* constraint = nullptr;
    if (!written.constrained_by.empty())
        constraint = find_class(written.constrained_by, declared->node, declared->unit);
    else if (const ast::Reference* name = type_name(declared))
        constraint = find_class(*name, declared->node, declared->unit);
    else if (declared->is_class() && !declared->busy)
        constraint = class_of(declared);
    if (constraint == nullptr) return;
    const std::string missing = lacking(type, constraint);
    if (!missing.empty())
        fail("constraint", unit, span,
             quoted(declared->name) + " can be replaced only by what has all that " +
                 (written.constrained_by.empty() ? std::string("it is declared with")
                                                 : quoted(written.constrained_by.get().text())) +
                 " has; missing: " + missing,
             written.constrained_by.empty() ? "constrainedby in its declaration says what is needed" : "");
}

// redeclare in a modification, or as an element of a class that inherits (7.3).
void Translator::check_redeclaration(const Element* original, const Element* made, Span span) const {
    const std::string name = quoted(original->name);
    if (original->prefixes.final_)
        fail("final", made->unit, span, name + " is declared final and cannot be redeclared");
    const bool same_type = original->clause != nullptr && made->clause != nullptr &&
                           original->clause->type.text() == made->clause->type.text();
    if (!original->prefixes.replaceable && !same_type) // sizes and values may change all the same
        fail("redeclare", made->unit, span, name + " is not replaceable and cannot be redeclared",
             "write 'replaceable' in its declaration");
    if (original->prefixes.variability == Variability::constant && made->prefixes.variability != Variability::constant)
        fail("redeclare", made->unit, span, name + " is a constant and stays one: redeclare constant …");
}

// Two declarations of one name, one of them inherited: a redeclaration, or the same again (7.1.2).
void Translator::check_inherited_twice(const Element* first, const Element* inherited) const {
    const std::string name = quoted(first->name);
    if (first->is_class() != inherited->is_class())
        fail("declared-twice", first->unit, place_of(first), name + " is inherited as something else");
    if (first->prefixes.redeclare) {
        check_redeclaration(inherited, first, place_of(first));
        if (first->prefixes.is_protected != inherited->prefixes.is_protected)
            fail("redeclare", first->unit, place_of(first),
                 name + (inherited->prefixes.is_protected ? " is inherited as protected and cannot become public"
                                                          : " is inherited as public and cannot become protected"));
        return;
    }
    if (first->is_class()) {
        if (first->definition->extends_inherited) {
            if (!inherited->prefixes.replaceable)
                fail("redeclare", first->unit, place_of(first),
                     name + " is not replaceable and cannot be extended under its name");
            return;
        }
        // Of replaceable packages, as of media, both stand for what will be put in their place.
        if (first->definition->form == ast::ClassForm::alias && inherited->definition->form == ast::ClassForm::alias)
            return;
        if (words(text_of(first->unit, first->definition->span)) ==
            words(text_of(inherited->unit, inherited->definition->span)))
            return;
    } else {
        const auto last = [](const Element* e) { return e->clause->type.parts.back().name; };
        if (last(first) == last(inherited)) return;
    }
    fail("declared-twice", first->unit, place_of(first), name + " is inherited, and declared here as something else",
         first->is_class() ? "redeclare replaces an inherited class" : "another name, or redeclare");
}

// Prefixes that do not fit the class of a component (4.4.2).
void Translator::check_component(const Component* c, Instance* type) {
    const Element* e = c->element;
    const ast::Prefixes& p = e->prefixes;
    const Span span = e->component->name_span;
    if (c->stream && c->kind != Kind::none && c->kind != Kind::real)
        fail("prefix", e->unit, span, quoted(c->name) + " is a stream, which must be a Real");
    if (c->kind != Kind::none || type->definition == nullptr) return;
    const ClassKind kind = type->definition->kind;
    if (kind == ClassKind::package)
        fail("type", e->unit, span,
             quoted(c->name) + " is declared with the package " + quoted(e->clause->type.text()) +
                 ", which no component can be of");
    const bool prefixed = p.causality != Causality::none || p.flow || p.stream;
    if (is_model(kind) && (prefixed || p.variability != Variability::continuous))
        fail(
            "prefix", e->unit, span,
            quoted(c->name) + " is of a " + std::string(ast::spelling(kind)) +
                ", for which 'constant', 'parameter', 'discrete', 'input', 'output', 'flow' and 'stream' mean nothing");
    if (type->is_connector && p.variability >= Variability::parameter)
        fail("prefix", e->unit, span, "the connector " + quoted(c->name) + " cannot be a constant or parameter");
    for (const Element* part : type->elements) {
        if (part->is_class()) continue;
        const bool causal = c->causality != Causality::none && part->prefixes.causality != Causality::none;
        const bool carried = (c->flow || c->stream) && (part->prefixes.flow || part->prefixes.stream);
        if (causal || carried)
            fail("prefix", e->unit, span,
                 quoted(c->name) + " is '" + (causal ? "input' or 'output" : "flow' or 'stream") +
                     "', and so is its part " + quoted(part->name) + " already");
    }
}

// A constant depends on constants only, a parameter on nothing that changes (3.8).
void Translator::check_variability(const Component* c, const Quantity& q) const {
    if (c->role != Role::constant && c->role != Role::parameter) return;
    std::vector<expr::NodeId> roots;
    std::copy_if(q.nodes.begin(), q.nodes.end(), std::back_inserter(roots),
                 [](expr::NodeId node) { return node != expr::no_node; });
    for (const expr::NodeId leaf : g_.reachable(roots)) {
        const expr::Op op = g_.op(leaf);
        const char* what = nullptr;
        if (op == expr::Op::variable || op == expr::Op::time) what = "something that varies in time";
        if (op == expr::Op::parameter) {
            const int id = g_.parameter_id(leaf);
            if (id >= static_cast<int>(model_.parameters.size())) continue;
            if (model_.parameters[static_cast<std::size_t>(id)].is_held)
                what = "a discrete variable";
            else if (c->role == Role::constant)
                what = "a parameter";
        }
        if (what == nullptr || (c->role == Role::parameter && op != expr::Op::parameter)) continue;
        fail("variability", c->element->unit, c->element->component->name_span,
             "the " + std::string(c->role == Role::constant ? "constant " : "parameter ") + quoted(c->name) +
                 " depends on " + what);
    }
}

// An outer component is the inner one around it: nothing of its own (5.4), unless it is the inner one of what it holds.
void Translator::check_outer(Element* outer, Component* inner) {
    const Span span = outer->component->name_span;
    const std::string name = quoted(outer->name);
    if (!outer->prefixes.inner && (outer->modifier != nullptr || !outer->component->modifications.empty()))
        fail("outer", outer->unit, span, name + " is declared with 'outer' and cannot be modified",
             "modify the one that is declared with 'inner'");
    Instance* type = find_class(outer->clause->type, outer->node, outer->unit);
    const std::string missing = lacking(inner->type, type);
    if (!missing.empty())
        fail("outer", outer->unit, span,
             name + ", declared with 'outer', needs " + missing + ", which " + quoted(inner->name) +
                 ", declared with 'inner', has not");
    if (type->kind == Kind::enumeration && !same_literals(type, inner->type))
        fail("outer", outer->unit, span, name + " and " + quoted(inner->name) + " are of different enumerations");
    bool from_value = false;
    for (const auto* list : {&outer->component->dimensions, &outer->clause->dimensions})
        for (const ast::ExprId id : *list) from_value = from_value || outer->unit->tree[id].kind == ast::ExprKind::all;
    if (from_value) return;
    const std::vector<int> dimensions = dimensions_of(outer, type, nullptr, from_value);
    if (dimensions != inner->dimensions)
        fail("outer", outer->unit, span,
             name + " has the size " + dimensions_text(dimensions) + ", and " + quoted(inner->name) + " has " +
                 dimensions_text(inner->dimensions));
}

bool Translator::same_literals(const Instance* a, const Instance* b) {
    if (a == nullptr || b == nullptr || a->definition == nullptr || b->definition == nullptr) return true;
    if (a->definition == b->definition) return true;
    return std::ranges::equal(a->definition->literals, b->definition->literals,
                              [](const ast::Component& x, const ast::Component& y) { return x.name == y.name; });
}

// A name that a class takes from the classes around it must be a constant there (5.3.1): the class has many instances
// and the classes around it are not the ones that those are in.
void Translator::check_scope(const Context& c, const Element* e, Span span) const {
    if (e->is_class() || c.scope == nullptr || e->owner == c.scope->root) return;
    if (e->prefixes.variability == Variability::constant || e->prefixes.outer || e->prefixes.inner) return;
    fail("scope", c.unit, span,
         quoted(e->name) + " is declared in a class around this one, where only constants can be seen",
         "give it to " + quoted(c.scope->root->definition->name) +
             " as a parameter, or declare it with inner and outer");
}

void Translator::check_conditional(const Context& c, const Element* e, Span span) const {
    if (is_conditional(e))
        fail("conditional-component", c.unit, span,
             quoted(e->name) + " has a condition and may not be there: it can only be connected",
             "connect it to something that is always there");
}

void Translator::check_time(const Context& c, Span span) const {
    if (c.scope == nullptr || c.scope->root->definition == nullptr) return;
    const ClassKind kind = c.scope->root->definition->kind;
    if (is_function(kind) || is_connector(kind) || kind == ClassKind::record || kind == ClassKind::operator_record)
        fail("time", c.unit, span, "'time' cannot be used in a " + std::string(ast::spelling(kind)),
             is_function(kind) ? "give it to the function as an argument" : "");
}

// Both ends of a connection, as they are written (9.1).
void Translator::check_connector(const Context& c, const ast::Reference& name, const Selected& end) const {
    for (const Endpoint& item : end.items) {
        bool found = false;
        const Component* below = nullptr; // the part of the first component
        const Component* first = item.component;
        for (const Component* at = item.component; at != nullptr && at->element != nullptr; at = at->parent) {
            found = found || at->is_connector;
            if (at->element->owner == c.scope->root) {
                first = at;
                break;
            }
            below = at;
        }
        if (!found) fail("connect", c.unit, name.span, quoted(name.text()) + " is not a connector");
        if (first->kind == Kind::none && !first->is_connector && first->element->owner == c.scope->root &&
            below != nullptr && !below->is_connector)
            fail("connect", c.unit, name.span,
                 quoted(name.text()) + " lies inside a component of a component, which cannot be connected from here",
                 "connect it inside, or give the component a connector of its own");
    }
}

// Parameters and constants of connected connectors are equal (9.2), and causal variables meet causal ones.
void Translator::check_connected(const Pair& p, Component* a, Component* b) {
    const bool known_a = a->variability >= Variability::parameter, known_b = b->variability >= Variability::parameter;
    const std::string both = quoted(a->name) + " and " + quoted(b->name);
    if (known_a != known_b ||
        (known_a && (a->variability == Variability::constant) != (b->variability == Variability::constant)))
        fail("connect", p.unit, p.span, both + " are connected, but not both of them are constants or parameters");
    if (known_a) {
        if (!has_nodes(a->kind) || a->kind != b->kind) return;
        const Quantity x = value_of(a), y = value_of(b);
        for (std::size_t k = 0; k < std::min(x.nodes.size(), y.nodes.size()); ++k) {
            const auto u = fold(x.nodes[k]), v = fold(y.nodes[k]);
            if (u && v && *u != *v)
                fail("connect", p.unit, p.span,
                     both + " are connected and must be equal, but they have different values");
        }
        return;
    }
    const auto in_expandable = [](const Component* c) {
        for (; c != nullptr; c = c->parent)
            if (c->instance != nullptr && c->instance->is_expandable) return true;
        return false;
    };
    if ((a->causality == Causality::none) != (b->causality == Causality::none) && !in_expandable(a) &&
        !in_expandable(b))
        fail("connect", p.unit, p.span, both + " are connected, but one is input or output and the other is not");
}

// What is connected has at most one source: an output of a component, or a public input from outside (9.3).
void Translator::check_sources() {
    for (const auto& set : sets_) {
        const Leaf* source = nullptr;
        for (const std::size_t k : set) {
            const Leaf& leaf = leaves_[k];
            bool expandable = false;
            for (const Component* c = leaf.component; c != nullptr; c = c->parent)
                expandable = expandable || (c->instance != nullptr && c->instance->is_expandable);
            if (expandable) break; // what a bus carries has the causality of what is connected to it
            const Causality from = leaf.outside ? Causality::input : Causality::output;
            if (leaf.component->causality != from || (leaf.outside && is_hidden(leaf.component))) continue;
            if (source == nullptr) {
                source = &leaf;
                continue;
            }
            keep({make_error("connect-sources",
                             "two sources are connected: " + quoted(source->component->name) + " and " +
                                 quoted(leaf.component->name),
                             place(leaf.unit, leaf.span), "a signal comes from one output")},
                 {});
            break;
        }
    }
}

// As many flow variables as potentials without causality (9.3.1): else no model with the connector is balanced.
void Translator::check_balanced_connector(const Component* c) {
    if (!c->is_connector || c->instance == nullptr || c->instance->is_expandable || c->parent == nullptr) return;
    long flows = 0, potentials = 0;
    const std::function<bool(const Instance*, bool)> count = [&](const Instance* instance, bool flow) {
        for (const Element* e : instance->elements) {
            const Component* part = e->made;
            if (e->is_class() || part == nullptr || part->absent || part->is_connector) continue;
            if (part->variability >= Variability::parameter || part->stream || part->causality != Causality::none)
                continue;
            if (e->prefixes.inner || e->prefixes.outer) return false;
            if (part->kind == Kind::none) {
                const std::vector<Component*> one{const_cast<Component*>(part)};
                for (Component* item : part->elements.empty() ? one : part->elements) {
                    if (item->instance == nullptr || has_equality_constraint(item)) return false;
                    if (!count(item->instance, flow || part->flow)) return false;
                }
                continue;
            }
            long n = 1;
            for (const int d : part->dimensions) n *= d;
            (flow || part->flow ? flows : potentials) += n;
        }
        return true;
    };
    if (!count(c->instance, false) || flows == potentials) return;
    fail("unbalanced-connector", c->element->unit, c->element->component->name_span,
         "the connector " + quoted(c->name) + " has " + std::to_string(flows) + " flow variables and " +
             std::to_string(potentials) + " others that are neither input nor output; both must be as many",
         "a variable that is not carried by a flow is an input or output");
}

} // namespace daedalus::modelica
