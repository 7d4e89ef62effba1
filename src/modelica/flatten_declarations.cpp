#include "modelica/builtin.hpp"
#include "modelica/flatten.hpp"

namespace daedalus::modelica {

using ast::Causality;
using ast::given;
using ast::Variability;

Flattener::Flattener(const ast::Tree& tree, const std::vector<const ast::ClassDefinition*>& path, Report& report)
    : tree_(tree), class_(*path.back()), report_(report), scope_(tree, path),
      lower_(
          tree, *model_.graph, scope_, report,
          [this](const Symbol& symbol) {
              const expr::NodeId value = model_.parameters[static_cast<std::size_t>(symbol.id)].binding;
              return value != expr::no_node && model_.graph->is_constant(value) ? value : expr::no_node;
          },
          event_leaves()) {}

model::Model Flattener::run() {
    model_.name = class_.name;
    model_.description = class_.description;
    if (class_.is_partial)
        report_.error("partial-class", class_.name_span, "'" + model_.name + "' is partial and cannot be solved alone");
    for (const ast::Element& element : class_.elements)
        if (const auto* clause = std::get_if<ast::ImportClause>(&element.what)) scope_.import(*clause);
    for (const ast::EquationSection& section : class_.equations) find_assigned(section.equations, false);
    for (const ast::Element& element : class_.elements) declare(element);
    for (const Declared& declared : declared_) bind_parameter(declared);
    define_discrete();
    for (const Declared& declared : declared_) bind_variable(declared);
    for (const ast::EquationSection& section : class_.equations)
        equations(section.equations, section.initial ? model_.initial_equations : model_.equations);
    for (const ast::AlgorithmSection& section : class_.algorithms) unsupported(section.span, "algorithm sections");
    if (class_.is_external) unsupported(class_.external_span, "external functions");
    constant_parameters();
    finish_memories();
    experiment();
    return std::move(model_);
}

void Flattener::unsupported(Span span, const std::string& what, std::string hint) {
    report_.error("not-supported", span, "not supported yet: " + what, std::move(hint));
}

void Flattener::declare(const ast::Element& element) {
    if (const auto* clause = std::get_if<ast::ExtendsClause>(&element.what)) {
        scope_.set_incomplete();
        return unsupported(element.span, "extends (of '" + clause->base.text() + "')");
    }
    const auto* clause = std::get_if<ast::ComponentClause>(&element.what);
    if (clause == nullptr || clause->type.parts.empty()) return; // classes and imports are looked up when used
    const BaseType& base = base_type(clause->type);
    for (const ast::Component& component : clause->components) {
        if (component.name.empty()) continue;
        if (!clause->dimensions.empty() || !component.dimensions.empty()) {
            unsupported(component.name_span, "arrays, as '" + std::string(component.name) + "[…]'");
            add_symbol({&element, &component, &base, {SymbolKind::unsupported, base.type, -1, component.name_span}});
            continue;
        }
        declare(element, component, base);
    }
}

void Flattener::declare(const ast::Element& element, const ast::Component& component, const BaseType& base) {
    Declared declared{&element, &component, &base, {SymbolKind::variable, base.type, -1, component.name_span}};
    const ast::Prefixes& prefixes = element.prefixes;
    const std::string name(component.name);
    const bool is_fixed =
        prefixes.variability == Variability::parameter || prefixes.variability == Variability::constant;
    const auto refuse = [&](const std::string& what, std::string hint = {}) {
        unsupported(component.name_span, what, std::move(hint));
        declared.symbol.kind = SymbolKind::unsupported;
    };
    if (base.type == Type::invalid)
        declared.symbol.kind = SymbolKind::unsupported; // its type has been reported
    else if (name == "time")
        refuse("a component named 'time'", "'time' is the independent variable");
    else if (given(component.condition))
        refuse("conditional components ('" + name + " if …')");
    else if (prefixes.inner || prefixes.outer)
        refuse("inner and outer components");
    else if (base.type == Type::string && is_fixed)
        declared.symbol.kind = SymbolKind::text;
    else if (is_fixed)
        declared.symbol.kind =
            prefixes.variability == Variability::constant ? SymbolKind::constant : SymbolKind::parameter;
    else if (base.type == Type::string)
        refuse("variables of type String that change in time ('" + name + "')");
    else if (prefixes.variability == Variability::discrete || base.type != Type::real || assigned_.contains(name))
        declared.symbol.kind = SymbolKind::discrete;
    if (declared.symbol.kind == SymbolKind::parameter && !given(component.binding) && is_solved_for(declared)) {
        if (base.type == Type::real)
            declared.symbol.kind = SymbolKind::variable;
        else
            refuse("Integer and Boolean parameters that the start determines");
    }
    add_symbol(declared);
}

// parameter Real p(fixed = false): its value follows from the initial equations.
bool Flattener::is_solved_for(const Declared& declared) const {
    for (const ast::Modification& m : declared.component->modifications)
        if (!m.name.parts.empty() && m.name.text() == "fixed" && given(m.value))
            if (const ast::Expr& e = tree_[m.value]; e.kind == ast::ExprKind::boolean) return e.value == 0.0;
    return false;
}

void Flattener::add_symbol(Declared declared) {
    const ast::Component& component = *declared.component;
    const std::string name(component.name);
    if (const Symbol* first = scope_.find(component.name)) {
        report_.error("declared-twice", component.name_span, "'" + name + "' is declared twice");
        report_.note(first->span, "the first declaration");
        return;
    }
    switch (declared.symbol.kind) {
    case SymbolKind::variable: {
        model::Variable variable;
        variable.name = name;
        variable.unit = declared.base->unit;
        variable.description = component.description;
        variable.span = report_.place(component.span);
        variable.is_input = declared.element->prefixes.causality == Causality::input && !given(component.binding);
        variable.is_parameter = declared.element->prefixes.variability == Variability::parameter;
        declared.symbol.id = model_.add_variable(std::move(variable));
        break;
    }
    case SymbolKind::parameter:
    case SymbolKind::constant: {
        model::Parameter parameter;
        parameter.name = name;
        parameter.is_constant = declared.symbol.kind == SymbolKind::constant;
        parameter.is_final = declared.element->prefixes.final_;
        parameter.type = value_type(declared.base->type);
        parameter.unit = declared.base->unit;
        parameter.description = component.description;
        parameter.span = report_.place(component.span);
        declared.symbol.id = model_.add_parameter(std::move(parameter));
        break;
    }
    default: break;
    }
    scope_.declare(component.name, declared.symbol);
    declared_.push_back(declared);
}

const Flattener::BaseType& Flattener::base_type(const ast::Reference& name) {
    const std::string text = name.text();
    const auto it = types_.find(text);
    if (it != types_.end()) return it->second;
    return types_.emplace(text, resolve_type(name)).first->second;
}

// Follows type A = B; type B = Real(unit = "m"); to the predefined type.
Flattener::BaseType Flattener::resolve_type(const ast::Reference& name) {
    constexpr int longest_chain = 100; // a longer one goes round in circles
    BaseType result;
    const ast::Reference* current = &name;
    for (int steps = 0; steps < longest_chain; ++steps) {
        const std::string text = current->text();
        for (const Type type : {Type::real, Type::integer, Type::boolean, Type::string})
            if (text == spelling(type)) {
                result.type = type;
                return result;
            }
        std::string full;
        for (const std::string& part : scope_.qualified(*current)) full += (full.empty() ? "" : ".") + part;
        if (const std::string_view* unit = find_unit(full)) {
            result.type = Type::real;
            result.unit = *unit;
            return result;
        }
        const ast::ClassDefinition* found = scope_.find_class(*current);
        if (found == nullptr) {
            const auto best = closest(text, {"Real", "Integer", "Boolean", "String"});
            report_.error("unknown-type", current->span, "there is no type '" + text + "'",
                          best ? "did you mean '" + *best + "'?"
                               : "types are Real, or type Name = Real(unit = \"…\");");
            return result;
        }
        if (found->form != ast::ClassForm::alias || !found->dimensions.empty()) {
            unsupported(name.span, "components of the " + std::string(ast::spelling(found->kind)) + " '" + text + "'");
            return result;
        }
        result.modifications.insert(result.modifications.begin(), &found->modifications);
        current = &found->base;
    }
    report_.error("cyclic-type", name.span, "the type '" + name.text() + "' is defined by itself");
    return {};
}

} // namespace daedalus::modelica
