// Names (specification 3.5, section 5.3): from the class at hand outwards, then at the outermost level. What was not
// found is remembered.
#include "modelica/translator.hpp"

#include <algorithm>

namespace daedalus::modelica {

Element* Translator::find_local(Instance* instance, std::string_view name) {
    Instance* root = instance->root;
    build(root);
    if (const auto it = root->table.find(name); it != root->table.end()) return it->second;
    if (root->missing.contains(name) || root->definition == nullptr) return nullptr;
    // Classes in files beside package.mo, of this class and of those it inherits from.
    std::vector<Instance*> nodes{root};
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        if (const FoundClass found = library_.nested(*nodes[k]->definition, name); found.definition != nullptr) {
            Element* e = &elements_.emplace_back();
            e->name = found.definition->name;
            e->unit = found.unit;
            e->definition = found.definition;
            static const ast::Element plain{};
            e->element = &plain;
            e->node = nodes[k];
            e->owner = root;
            e->modifier = nodes[k]->modifier ? nodes[k]->modifier->part(name) : nullptr;
            add_element(e, root);
            return root->table.at(name);
        }
        nodes.insert(nodes.end(), nodes[k]->bases.begin(), nodes[k]->bases.end());
    }
    if (root->state == Instance::State::ready) root->missing.insert(names_.emplace_back(name));
    return nullptr;
}

Element* Translator::find_top(std::string_view name) {
    if (const auto it = global_->table.find(name); it != global_->table.end()) return it->second;
    if (global_->missing.contains(name)) return nullptr;
    const FoundClass found = library_.top_level(std::string(name));
    if (found.definition == nullptr) {
        global_->missing.insert(names_.emplace_back(name));
        return nullptr;
    }
    Element* e = &elements_.emplace_back();
    e->name = found.definition->name;
    e->unit = found.unit;
    e->definition = found.definition;
    static const ast::Element plain{};
    e->element = &plain;
    e->node = global_;
    e->owner = global_;
    global_->table.emplace(e->name, e);
    return e;
}

Element* Translator::find_qualified(const ast::Reference& name, std::size_t parts, const Unit* unit) {
    Element* e = find_top(name.parts[0].name);
    for (std::size_t k = 1; k < parts && e != nullptr; ++k) {
        if (!e->is_class()) return nullptr;
        e = find_local(class_of(e), name.parts[k].name);
        if (e != nullptr) check_visible(e, unit, name.parts[k].span, name.parts[k - 1].name);
    }
    return e;
}

Element* Translator::find_import(Instance* node, std::string_view name) {
    if (node->definition == nullptr) return nullptr;
    if (const auto it = node->imports.find(name); it != node->imports.end()) return it->second;
    Element* found = nullptr;
    for (const ast::Element& element : node->definition->elements) {
        const auto* clause = std::get_if<ast::ImportClause>(&element.what);
        if (clause == nullptr || clause->all || clause->name.parts.empty()) continue;
        if (clause->chosen.empty()) {
            if ((clause->alias.empty() ? clause->name.parts.back().name : clause->alias) != name) continue;
            if (clause->name.parts.size() > 1)
                check_package(find_qualified(clause->name, clause->name.parts.size() - 1, node->unit), clause->name,
                              node->unit);
            found = find_qualified(clause->name, clause->name.parts.size(), node->unit);
            if (found == nullptr)
                fail("unknown-import", node->unit, clause->name.span,
                     "there is no '" + clause->name.text() + "' to import",
                     find_top(clause->name.parts[0].name) == nullptr
                         ? "there is no library '" + std::string(clause->name.parts[0].name) +
                               "'; --library names the folder that holds it"
                         : "");
        }
        for (const std::string_view one : clause->chosen)
            if (one == name)
                if (Element* package = find_qualified(clause->name, clause->name.parts.size(), node->unit))
                    found = find_local(class_of(package), name);
        if (found != nullptr) break;
    }
    if (found == nullptr)
        for (const ast::Element& element : node->definition->elements) {
            const auto* clause = std::get_if<ast::ImportClause>(&element.what);
            if (clause == nullptr || !clause->all || clause->name.parts.empty()) continue;
            Element* package = find_qualified(clause->name, clause->name.parts.size(), node->unit);
            if (package == nullptr || !package->is_class()) continue;
            check_package(package, clause->name, node->unit);
            Element* other = find_local(class_of(package), name);
            if (other == nullptr || other->prefixes.is_protected) continue;
            if (found != nullptr && found != other)
                fail("import", node->unit, clause->name.span,
                     "'" + std::string(name) + "' is in two packages that are imported as a whole",
                     "import one of them by its name");
            found = other;
        }
    if (found != nullptr || node->root->state == Instance::State::ready) node->imports.emplace(name, found);
    return found;
}

/// A base class sees what it declares and inherits, not what inherits from it. What is inherited twice, along two ways,
/// is kept once: the class that declares it tells.
bool Translator::is_declared_in(const Instance* node, const Element* e) {
    if (node == node->root) return true;
    for (; e != nullptr; e = e->original)
        if (e->node == node || e->node->definition == node->definition || is_base_of(node, e->node)) return true;
    return false;
}

bool Translator::is_base_of(const Instance* node, const Instance* base) {
    return std::any_of(node->bases.begin(), node->bases.end(), [&](const Instance* one) {
        return one == base || one->definition == base->definition || is_base_of(one, base);
    });
}

Element* Translator::find(std::string_view name, Instance* scope) {
    for (Instance* s = scope; s != nullptr && s != global_; s = s->outer) {
        if (Element* e = find_local(s, name); e != nullptr && is_declared_in(s, e)) return e;
        if (Element* e = find_import(s, name)) return e;
        if (s->definition != nullptr && s->definition->is_encapsulated) break;
    }
    return find_top(name);
}

Instance* Translator::try_class(const ast::Reference& name, Instance* scope, const Unit* unit, std::string* wrong) {
    if (name.parts.empty()) return nullptr;
    const auto say = [&](std::string what) {
        if (wrong != nullptr) *wrong = std::move(what);
    };
    Element* e = name.global ? find_top(name.parts[0].name) : find(name.parts[0].name, scope);
    std::string so_far(name.parts[0].name);
    for (std::size_t k = 0;; ++k) {
        if (e == nullptr) {
            say(so_far);
            return nullptr;
        }
        if (!e->is_class()) {
            // Functions of a component: world.gravityAcceleration
            if (k + 1 >= name.parts.size()) {
                say(so_far);
                return nullptr;
            }
            Component* c = make(e);
            if (c == nullptr || c->instance == nullptr) {
                say(so_far);
                return nullptr;
            }
            so_far += "." + std::string(name.parts[k + 1].name);
            e = find_local(c->instance, name.parts[k + 1].name);
            continue;
        }
        Instance* found = class_of(e);
        if (k + 1 == name.parts.size()) return found;
        so_far += "." + std::string(name.parts[k + 1].name);
        e = find_local(found, name.parts[k + 1].name);
        if (e != nullptr && unit != nullptr) check_visible(e, unit, name.parts[k + 1].span, name.parts[k].name);
    }
    (void)unit;
}

std::string Translator::suggestion(std::string_view name, Instance* scope) {
    if (name.size() < 2) return {};
    std::vector<std::string> names{"time", "Real", "Integer", "Boolean", "String"};
    for (Instance* s = scope; s != nullptr && s != global_; s = s->outer)
        for (const Element* e : s->root->elements) names.emplace_back(e->name);
    const auto best = closest(name, names);
    return best ? "did you mean '" + *best + "'?" : std::string();
}

Instance* Translator::find_class(const ast::Reference& name, Instance* scope, const Unit* unit) {
    std::string wrong;
    if (Instance* found = try_class(name, scope, unit, &wrong)) return found;
    std::string hint = suggestion(name.parts.empty() ? std::string_view{} : name.parts[0].name, scope);
    const std::string top(name.parts.empty() ? std::string_view{} : name.parts[0].name);
    if (wrong == top && (top == "Modelica" || name.parts.size() > 1))
        hint = "there is no library '" + top + "'; --library names the folder that holds it";
    for (const Diagnostic& problem : library_.problems()) throw TranslationError{problem};
    fail("unknown-type", unit, name.span,
         "there is no class '" + name.text() + "'" + (wrong != name.text() ? " (no '" + wrong + "')" : ""), hint);
}

} // namespace daedalus::modelica
