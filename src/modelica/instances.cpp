// Classes with their modifications: the elements they have, inherit and redeclare.
#include "modelica/translator.hpp"

namespace daedalus::modelica {

namespace {
constexpr int deepest_inheritance = 200; // longer chains go round in circles
}

Instance* Translator::new_instance(const ast::ClassDefinition* definition, const Unit* unit, Instance* outer) {
    constexpr std::size_t most_instances = 1000000;
    if (instances_.size() > most_instances)
        throw TooLarge{make_error("too-large", "the model has more than 1,000,000 class instances",
                                  "do classes contain themselves, or two of each other to any depth?")};
    Instance* made = &instances_.emplace_back();
    made->definition = definition;
    made->unit = unit;
    made->outer = outer;
    made->root = made;
    if (definition != nullptr) {
        made->is_connector =
            definition->kind == ast::ClassKind::connector || definition->kind == ast::ClassKind::expandable_connector;
        made->is_expandable = definition->kind == ast::ClassKind::expandable_connector;
    }
    return made;
}

void Translator::build(Instance* root) {
    if (root->state != Instance::State::fresh) return;
    root->state = Instance::State::busy;
    if (root->definition != nullptr) {
        add_elements(root, root, 0);
        // In the order of the text, inherited elements where their extends-clause stands: arguments go by it.
        std::vector<Element*> ordered;
        std::unordered_set<const Element*> taken;
        in_text_order(root, root, ordered, taken);
        for (Element* e : root->elements)
            if (taken.insert(e).second) ordered.push_back(e);
        root->elements = std::move(ordered);
    }
    root->state = Instance::State::ready;
}

void Translator::in_text_order(Instance* node, Instance* root, std::vector<Element*>& out,
                               std::unordered_set<const Element*>& taken) {
    const auto take = [&](std::string_view name) {
        const auto it = root->table.find(name);
        if (it != root->table.end() && taken.insert(it->second).second) out.push_back(it->second);
    };
    std::size_t base = 0;
    if (node->inherited != nullptr && !node->bases.empty()) in_text_order(node->bases[base++], root, out, taken);
    for (const ast::Element& element : node->definition->elements) {
        if (const auto* clause = std::get_if<ast::ComponentClause>(&element.what)) {
            for (const ast::Component& component : clause->components) take(component.name);
        } else if (const auto* nested = std::get_if<std::unique_ptr<ast::ClassDefinition>>(&element.what);
                   nested && *nested) {
            take((*nested)->name);
        } else if (std::holds_alternative<ast::ExtendsClause>(element.what) && base < node->bases.size()) {
            in_text_order(node->bases[base++], root, out, taken);
        }
    }
}

void Translator::add_elements(Instance* node, Instance* root, int depth) {
    if (depth > deepest_inheritance)
        fail("cyclic-extends", node->unit, node->definition->name_span,
             "'" + std::string(node->definition->name) + "' inherits from itself");
    check_class(node);
    if (node->definition->form == ast::ClassForm::enumeration) {
        root->kind = Kind::enumeration;
        return;
    }
    if (node->definition->form == ast::ClassForm::partial_derivative)
        unsupported(node->unit, node->definition->name_span, "functions defined by der(…)");
    for (const ast::Element& element : node->definition->elements) {
        if (const auto* clause = std::get_if<ast::ComponentClause>(&element.what)) {
            for (const ast::Component& component : clause->components) {
                Element* e = &elements_.emplace_back();
                e->name = component.name;
                e->unit = node->unit;
                e->element = &element;
                e->component = &component;
                e->clause = clause;
                e->prefixes = element.prefixes;
                e->prefixes.is_protected = element.prefixes.is_protected || node->is_protected;
                e->node = node;
                Modifier* outer = node->modifier ? node->modifier->part(component.name) : nullptr;
                Modifier* own = modifier_of(component.modifications, component.binding, node->unit, node);
                check_final(outer, e);
                check_final(outer, own, component.name);
                e->modifier = merge(outer, own);
                add_element(e, root);
            }
        } else if (const auto* nested = std::get_if<std::unique_ptr<ast::ClassDefinition>>(&element.what);
                   nested && *nested) {
            Element* e = &elements_.emplace_back();
            e->name = (*nested)->name;
            e->unit = node->unit;
            e->element = &element;
            e->definition = nested->get();
            e->prefixes = element.prefixes;
            e->prefixes.is_protected = element.prefixes.is_protected || node->is_protected;
            e->node = node;
            e->modifier = node->modifier ? node->modifier->part(e->name) : nullptr;
            check_final(e->modifier, e);
            add_element(e, root);
        }
    }
    if (node->inherited != nullptr)
        inherit(node, root, class_of(node->inherited),
                modifier_of(node->definition->modifications, ast::no_expr, node->unit, node), depth, node->unit,
                node->definition->name_span, false);
    for (const ast::Element& element : node->definition->elements)
        if (const auto* clause = std::get_if<ast::ExtendsClause>(&element.what))
            add_extends(node, root, *clause, element, depth);
}

void Translator::add_element(Element* made, Instance* root) {
    made->owner = root;
    const auto it = root->table.find(made->name);
    if (it != root->table.end()) {
        // The first one is of the class that inherits; what it redeclares is this one.
        Element* first = it->second;
        while (first->original != nullptr && first->original != made) first = first->original;
        const bool same_declaration = first->component == made->component && first->definition == made->definition;
        if (!same_declaration && first->node == made->node)
            fail("declared-twice", made->unit,
                 made->component ? made->component->name_span : made->definition->name_span,
                 "'" + std::string(made->name) + "' is declared twice");
        if (!same_declaration) {
            check_inherited_twice(first, made);
            if (first->prefixes.redeclare) replacements_.push_back({made, first, {}});
            first->original = made;
        }
        return;
    }
    Modifier* m = made->modifier;
    if (m != nullptr && m->redeclared != nullptr) made = redeclare(made, m, root);
    root->table.emplace(made->name, made);
    root->elements.push_back(made);
}

// The redeclaration in the place of the declaration. Modifications of the constraining clause, or of the declaration
// where there is none, stay.
Element* Translator::redeclare(Element* original, Modifier* m, Instance* root) {
    const ast::Element& written = *m->redeclared;
    Element* e = &elements_.emplace_back();
    e->name = original->name;
    e->unit = m->redeclared_unit;
    e->element = &written;
    e->node = m->redeclared_scope;
    e->owner = root;
    e->prefixes = written.prefixes;
    e->original = original;
    Modifier* rest = new_modifier();
    *rest = *m;
    rest->redeclared = nullptr;
    Modifier* constraint = nullptr;
    const ast::Element& base = *original->element;
    if (!base.constrained_by.empty())
        constraint = modifier_of(base.constraint, ast::no_expr, original->unit, original->node);
    else if (original->component != nullptr)
        constraint = modifier_of(original->component->modifications, ast::no_expr, original->unit, original->node);
    if (const auto* clause = std::get_if<ast::ComponentClause>(&written.what)) {
        e->clause = clause;
        e->component = &clause->components.front();
        if (original->component == nullptr)
            fail("redeclare", m->redeclared_unit, m->span,
                 "'" + std::string(e->name) + "' is a class and cannot be redeclared as a component");
        e->prefixes.flow = e->prefixes.flow || original->prefixes.flow;
        e->prefixes.stream = e->prefixes.stream || original->prefixes.stream;
        e->prefixes.inner = e->prefixes.inner || original->prefixes.inner;
        e->prefixes.outer = e->prefixes.outer || original->prefixes.outer;
        if (e->prefixes.variability == ast::Variability::continuous)
            e->prefixes.variability = original->prefixes.variability;
        if (e->prefixes.causality == ast::Causality::none) e->prefixes.causality = original->prefixes.causality;
        check_redeclaration(original, e, m->span);
        replacements_.push_back({original, e, m->span});
        // Modifications beside the redeclaration come from both; those of outer levels win.
        Modifier* outer_part = new_modifier();
        outer_part->unit = m->unit;
        outer_part->span = m->span;
        outer_part->parts = rest->parts;
        Modifier* own = modifier_of(e->component->modifications, e->component->binding, e->unit, e->node);
        Modifier* binding = nullptr;
        if (!ast::given(e->component->binding) && rest->value.given()) {
            binding = new_modifier();
            binding->unit = rest->unit;
            binding->span = rest->span;
            binding->value = rest->value;
        }
        e->modifier = merge(merge(own, outer_part), merge(binding, constraint));
    } else {
        const auto& nested = std::get<std::unique_ptr<ast::ClassDefinition>>(written.what);
        e->definition = nested.get();
        check_redeclaration(original, e, m->span);
        replacements_.push_back({original, e, m->span});
        Modifier* outer_part = new_modifier();
        outer_part->unit = m->unit;
        outer_part->span = m->span;
        outer_part->parts = rest->parts;
        e->modifier = merge(outer_part, constraint);
    }
    return e;
}

void Translator::add_extends(Instance* node, Instance* root, const ast::ExtendsClause& clause,
                             const ast::Element& element, int depth) {
    Instance* base = find_class(clause.base, node, node->unit);
    check_inheritance(node, base, clause.base);
    inherit(node, root, base, modifier_of(clause.modifications, ast::no_expr, node->unit, node), depth, node->unit,
            clause.base.span, element.prefixes.is_protected);
}

void Translator::inherit(Instance* node, Instance* root, Instance* base, Modifier* modifier, int depth,
                         const Unit* unit, Span span, bool is_protected) {
    if (base == nullptr) return;
    constexpr int most_bases = 10000;
    if (++base_counts_[root] > most_bases)
        throw TooLarge{make_error("too-large", "a class inherits more than 10,000 times", place(unit, span),
                                  "are classes inherited twice, which inherit others twice?")};
    if (base->kind != Kind::none && base->definition == nullptr) { // extends Real(…)
        root->kind = base->kind;
        for (const Dimension& d : base->dimensions) root->dimensions.push_back(d);
        root->is_connector = root->is_connector || base->is_connector;
        if (base->prefixes.causality != ast::Causality::none) root->prefixes.causality = base->prefixes.causality;
        root->prefixes.flow = root->prefixes.flow || base->prefixes.flow;
        root->kind_modifier = merge(merge(node->modifier, modifier), base->modifier);
        return;
    }
    if (base->kind == Kind::enumeration ||
        (base->definition && base->definition->form == ast::ClassForm::enumeration)) {
        root->kind = Kind::enumeration;
        root->definition = base->definition;
        root->unit = base->unit;
        return;
    }
    for (Instance* around = node; around != nullptr; around = around->outer)
        if (around->definition == base->definition && around->root->state == Instance::State::busy &&
            around->root == root)
            fail("cyclic-extends", unit, span, "'" + std::string(base->definition->name) + "' inherits from itself");
    Instance* part = new_instance(base->definition, base->unit, base->outer);
    part->root = root;
    part->inherited = base->inherited;
    part->is_protected = is_protected || node->is_protected;
    check_final(node->modifier, modifier, base->definition->name);
    part->modifier = merge(merge(node->modifier, modifier), base->modifier);
    part->path = base->path;
    for (const Dimension& d : base->dimensions) root->dimensions.push_back(d);
    root->is_connector = root->is_connector || part->is_connector;
    root->is_expandable = root->is_expandable || part->is_expandable;
    node->bases.push_back(part);
    add_elements(part, root, depth + 1);
}

Instance* Translator::alias_of(Element* element) {
    const ast::ClassDefinition& d = *element->definition;
    Instance* base = find_class(d.base, element->node, element->unit);
    Modifier* own = modifier_of(d.modifications, ast::no_expr, element->unit, element->node);
    check_short_class(element, base);
    check_final(element->modifier, own, d.name);
    const ast::Prefixes& p = d.base_prefixes;
    const bool plain = own == nullptr && element->modifier == nullptr && d.dimensions.empty() && !p.flow && !p.stream &&
                       p.causality == ast::Causality::none && d.kind != ast::ClassKind::connector;
    if (plain) return base;
    Instance* made = new_instance(base->definition, base->unit, base->outer);
    made->kind = base->definition == nullptr ? base->kind : Kind::none;
    made->inherited = base->inherited;
    made->modifier = merge(merge(element->modifier, own), base->modifier);
    for (const ast::ExprId id : d.dimensions) made->dimensions.push_back({element->unit, id, element->node});
    for (const Dimension& dimension : base->dimensions) made->dimensions.push_back(dimension);
    made->prefixes = base->prefixes;
    made->prefixes.flow = made->prefixes.flow || p.flow;
    made->prefixes.stream = made->prefixes.stream || p.stream;
    if (p.causality != ast::Causality::none) made->prefixes.causality = p.causality;
    made->is_connector =
        base->is_connector || d.kind == ast::ClassKind::connector || d.kind == ast::ClassKind::expandable_connector;
    made->is_expandable = base->is_expandable || d.kind == ast::ClassKind::expandable_connector;
    made->path = base->path;
    made->same_as = base->same_as != nullptr ? base->same_as : base;
    return made;
}

Instance* Translator::class_of(Element* element) {
    if (element->class_instance != nullptr) return element->class_instance;
    const ast::ClassDefinition& d = *element->definition;
    if (element->busy)
        fail("cyclic-type", element->unit, d.name_span, "'" + std::string(d.name) + "' is defined by itself");
    element->busy = true;
    Instance* made = nullptr;
    try {
        if (d.form == ast::ClassForm::alias) {
            made = alias_of(element);
        } else {
            made = new_instance(&d, element->unit, element->node);
            made->modifier = element->modifier;
            made->path = (element->owner->path.empty() ? "" : element->owner->path + ".") + std::string(d.name);
            if (d.form == ast::ClassForm::enumeration) made->kind = Kind::enumeration;
            if (d.extends_inherited) {
                made->inherited = element->original;
                if (made->inherited == nullptr) {
                    build(element->owner);
                    made->inherited = element->original;
                }
                if (made->inherited == nullptr)
                    fail("class-extends", element->unit, d.name_span,
                         "there is no inherited class '" + std::string(d.name) + "' to extend");
            }
        }
    } catch (...) {
        element->busy = false;
        throw;
    }
    element->busy = false;
    element->class_instance = made;
    return made;
}

// Names that are modified must exist.
void Translator::check_modifiers(Instance* root) {
    if (root->modifier == nullptr || root->definition == nullptr) return;
    build(root);
    for (const auto& [name, part] : root->modifier->parts) {
        if (find_local(root, name) != nullptr) continue;
        std::vector<std::string> known;
        for (const Element* e : root->elements) known.emplace_back(e->name);
        const auto best = closest(name, known);
        fail("unknown-modification", part->unit, part->span,
             "'" + std::string(root->definition->name) + "' has no element '" + std::string(name) + "' to modify",
             best ? "did you mean '" + *best + "'?" : "");
    }
}

} // namespace daedalus::modelica
