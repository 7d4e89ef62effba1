#include "modelica/class_rules.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace daedalus::modelica {

namespace {

using ast::Causality;
using ast::ClassDefinition;
using ast::ClassKind;
using ast::StatementKind;
using ast::Variability;
using Found = std::optional<BrokenRule>;

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& list) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

constexpr std::array<std::string_view, 4> predefined{"Real", "Integer", "Boolean", "String"};
constexpr std::array<std::string_view, 5> attributes_of_enumerations{"quantity", "min", "max", "start", "fixed"};

bool is_record(ClassKind kind) { return kind == ClassKind::record || kind == ClassKind::operator_record; }
bool is_connector(ClassKind kind) { return kind == ClassKind::connector || kind == ClassKind::expandable_connector; }
bool is_function(ClassKind kind) { return kind == ClassKind::function || kind == ClassKind::operator_function; }

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

std::string name_of(const ClassDefinition& d) {
    return "the " + std::string(ast::spelling(d.kind)) + " " + quoted(d.name);
}

/// Declarations of components with the element they stand in.
template <class F>
Found each_component(const ClassDefinition& d, F f) {
    for (const ast::Element& element : d.elements)
        if (const auto* clause = std::get_if<ast::ComponentClause>(&element.what))
            for (const ast::Component& component : clause->components)
                if (Found found = f(element, *clause, component)) return found;
    return std::nullopt;
}

const ClassDefinition* nested_class(const ast::Element& element) {
    const auto* nested = std::get_if<std::unique_ptr<ClassDefinition>>(&element.what);
    return nested != nullptr ? nested->get() : nullptr;
}

Found no_behaviour(const ClassDefinition& d) {
    for (const ast::EquationSection& section : d.equations)
        if (!section.equations.empty())
            return BrokenRule{"specialized-class", section.span, name_of(d) + " has equations",
                              "only models, blocks and classes may"};
    for (const ast::AlgorithmSection& section : d.algorithms)
        if (!section.statements.empty())
            return BrokenRule{"specialized-class", section.span, name_of(d) + " has an algorithm",
                              "only models, blocks, classes and functions may"};
    return std::nullopt;
}

Found record_or_connector(const ClassDefinition& d) {
    if (Found found = no_behaviour(d)) return found;
    const bool record = is_record(d.kind);
    return each_component(d, [&](const ast::Element& e, const ast::ComponentClause&, const ast::Component& c) -> Found {
        const ast::Prefixes& p = e.prefixes;
        const char* wrong = nullptr;
        if (p.is_protected) wrong = "protected";
        if (p.inner) wrong = "inner";
        if (p.outer) wrong = "outer";
        if (record && p.flow) wrong = "flow";
        if (record && p.stream) wrong = "stream";
        if (record && p.causality == Causality::input) wrong = "input";
        if (record && p.causality == Causality::output) wrong = "output";
        if (d.kind == ClassKind::expandable_connector && p.flow) wrong = "flow";
        if (wrong == nullptr) return std::nullopt;
        return BrokenRule{"specialized-class", c.name_span,
                          quoted(c.name) + " is '" + wrong + "', which nothing in a " +
                              std::string(ast::spelling(d.kind)) + " may be"};
    });
}

/// A stream connector has one scalar flow variable, which carries the streams (15.1).
Found streams(const ClassDefinition& d) {
    int flows = 0;
    bool inherits = false, array = false;
    const ast::Component* stream = nullptr;
    for (const ast::Element& e : d.elements) inherits = inherits || std::holds_alternative<ast::ExtendsClause>(e.what);
    (void)each_component(d, [&](const ast::Element& e, const ast::ComponentClause& clause, const ast::Component& c) {
        if (e.prefixes.stream) stream = &c;
        flows += e.prefixes.flow;
        array = array || (e.prefixes.flow && (!clause.dimensions.empty() || !c.dimensions.empty()));
        return Found{};
    });
    if (stream == nullptr) return std::nullopt;
    if (!is_connector(d.kind))
        return BrokenRule{"specialized-class", stream->name_span,
                          quoted(stream->name) + " is 'stream', which only variables of connectors may be"};
    if (inherits || (flows == 1 && !array)) return std::nullopt;
    return BrokenRule{"stream", stream->name_span,
                      "a connector with stream variables has one flow variable, a scalar; " + quoted(d.name) + " has " +
                          (array ? "an array" : std::to_string(flows)),
                      "the flow variable says in which direction " + quoted(stream->name) + " is carried"};
}

Found package(const ClassDefinition& d) {
    if (Found found = no_behaviour(d)) return found;
    return each_component(d, [&](const ast::Element& e, const ast::ComponentClause&, const ast::Component& c) -> Found {
        if (e.prefixes.variability == Variability::constant) return std::nullopt;
        return BrokenRule{"specialized-class", c.name_span,
                          quoted(c.name) + " is no constant, but a package holds classes and constants only",
                          "write: constant …"};
    });
}

Found operators(const ClassDefinition& d) {
    for (const ast::Element& e : d.elements) {
        const ClassDefinition* nested = nested_class(e);
        if (nested != nullptr && !is_function(nested->kind))
            return BrokenRule{"specialized-class", nested->name_span,
                              name_of(d) + " holds functions only, but " + quoted(nested->name) + " is a " +
                                  std::string(ast::spelling(nested->kind))};
    }
    return each_component(d, [&](const ast::Element&, const ast::ComponentClause&, const ast::Component& c) -> Found {
        return BrokenRule{"specialized-class", c.name_span,
                          name_of(d) + " holds functions only, but " + quoted(c.name) + " is a component"};
    });
}

Found assigned_input(const std::vector<ast::Statement>& list, const std::set<std::string_view>& inputs,
                     const ast::Tree& tree) {
    for (const ast::Statement& s : list) {
        if (s.kind == StatementKind::assign && ast::given(s.left)) {
            const ast::Expr& left = tree[s.left];
            std::vector<ast::ExprId> targets{s.left};
            if (left.kind == ast::ExprKind::tuple) {
                targets.clear();
                for (std::uint32_t k = 0; k < left.count; ++k) targets.push_back(tree.operand(left, k));
            }
            for (const ast::ExprId id : targets) {
                if (!ast::given(id) || tree[id].kind != ast::ExprKind::reference) continue;
                const ast::Reference& name = tree.reference(tree[id]);
                if (inputs.contains(name.parts[0].name))
                    return BrokenRule{"assigned-input", tree[id].span,
                                      quoted(name.parts[0].name) + " is an input of the function and cannot be set",
                                      "declare a protected variable for it"};
            }
        }
        for (const ast::StatementBranch& branch : s.branches)
            if (Found found = assigned_input(branch.statements, inputs, tree)) return found;
    }
    return std::nullopt;
}

Found function(const ClassDefinition& d, const ast::Tree& tree) {
    for (const ast::EquationSection& section : d.equations)
        if (!section.equations.empty())
            return BrokenRule{"specialized-class", section.span, name_of(d) + " has equations",
                              "functions compute by an algorithm"};
    for (const ast::AlgorithmSection& section : d.algorithms)
        if (section.initial)
            return BrokenRule{"specialized-class", section.span, name_of(d) + " has an initial algorithm"};
    if (d.algorithms.size() > 1)
        return BrokenRule{"specialized-class", d.algorithms[1].span, name_of(d) + " has more than one algorithm",
                          "write one section behind the other"};
    std::set<std::string_view> inputs;
    Found found =
        each_component(d, [&](const ast::Element& e, const ast::ComponentClause&, const ast::Component& c) -> Found {
            if (e.prefixes.causality == Causality::input) inputs.insert(c.name);
            const bool open = !e.prefixes.is_protected && e.prefixes.causality == Causality::none &&
                              e.prefixes.variability < Variability::parameter;
            if (!open) return std::nullopt;
            return BrokenRule{"specialized-class", c.name_span,
                              quoted(c.name) + " of the function is neither input nor output",
                              "local variables stand behind 'protected'"};
        });
    if (found) return found;
    for (const ast::AlgorithmSection& section : d.algorithms)
        if (Found assigned = assigned_input(section.statements, inputs, tree)) return assigned;
    return std::nullopt;
}

/// break inside loops, return inside functions.
Found misplaced(const std::vector<ast::Statement>& list, bool in_loop, bool in_function) {
    for (const ast::Statement& s : list) {
        if (s.kind == StatementKind::break_ && !in_loop)
            return BrokenRule{"misplaced-statement", s.span, "'break' leaves a loop, and there is none around it"};
        if (s.kind == StatementKind::return_ && !in_function)
            return BrokenRule{"misplaced-statement", s.span, "'return' ends a function, and this is none"};
        const bool loop = in_loop || s.kind == StatementKind::for_ || s.kind == StatementKind::while_;
        for (const ast::StatementBranch& branch : s.branches)
            if (Found found = misplaced(branch.statements, loop, in_function)) return found;
    }
    return std::nullopt;
}

Found enumeration(const ClassDefinition& d) {
    std::set<std::string_view> seen;
    for (const ast::Component& literal : d.literals) {
        if (!seen.insert(literal.name).second)
            return BrokenRule{"declared-twice", literal.name_span,
                              "the enumeration " + quoted(d.name) + " has " + quoted(literal.name) + " twice"};
        if (is_one_of(literal.name, attributes_of_enumerations))
            return BrokenRule{"reserved-name", literal.name_span,
                              quoted(literal.name) + " is an attribute of enumerations and cannot be a value of one"};
    }
    return std::nullopt;
}

Found names(const ClassDefinition& d) {
    const auto reserved = [](std::string_view name, Span span) -> Found {
        if (!is_one_of(name, predefined)) return std::nullopt;
        return BrokenRule{"reserved-name", span, quoted(name) + " is a predefined type and cannot be declared anew"};
    };
    if (Found found = reserved(d.name, d.name_span)) return found;
    for (const ast::Element& e : d.elements)
        if (const ClassDefinition* nested = nested_class(e))
            if (Found found = reserved(nested->name, nested->name_span)) return found;
    return each_component(d, [&](const ast::Element&, const ast::ComponentClause&, const ast::Component& c) {
        return reserved(c.name, c.name_span);
    });
}

/// import P = …; import P = …; (13.2.1)
Found imports(const ClassDefinition& d) {
    std::set<std::string_view> seen;
    for (const ast::Element& e : d.elements) {
        const auto* clause = std::get_if<ast::ImportClause>(&e.what);
        if (clause == nullptr || clause->all || clause->name.parts.empty()) continue;
        std::vector<std::string_view> brought = clause->chosen;
        if (brought.empty()) brought.push_back(clause->alias.empty() ? clause->name.parts.back().name : clause->alias);
        for (const std::string_view name : brought)
            if (!seen.insert(name).second)
                return BrokenRule{"declared-twice", clause->name.span, quoted(name) + " is imported twice",
                                  "give one of them another name: import Other = …"};
    }
    return std::nullopt;
}

} // namespace

std::optional<BrokenRule> broken_rule(const ClassDefinition& d, const ast::Tree& tree) {
    if (Found found = names(d)) return found;
    if (d.form == ast::ClassForm::enumeration) return enumeration(d);
    if (d.form != ast::ClassForm::composition) return std::nullopt;
    if (Found found = imports(d)) return found;
    if (Found found = streams(d)) return found;
    if (is_record(d.kind) || is_connector(d.kind))
        if (Found found = record_or_connector(d)) return found;
    if (d.kind == ClassKind::package)
        if (Found found = package(d)) return found;
    if (d.kind == ClassKind::operator_)
        if (Found found = operators(d)) return found;
    if (is_function(d.kind))
        if (Found found = function(d, tree)) return found;
    for (const ast::AlgorithmSection& section : d.algorithms)
        if (Found found = misplaced(section.statements, false, is_function(d.kind))) return found;
    return std::nullopt;
}

std::optional<BrokenRule> modified_twice(const std::vector<ast::Modification>& list) {
    std::set<std::string> seen;
    for (const ast::Modification& m : list) {
        if (m.element || m.name.parts.empty() || m.name.has_subscripts()) continue;
        if (!seen.insert(m.name.text()).second)
            return BrokenRule{"modified-twice", m.span, quoted(m.name.text()) + " is modified twice"};
    }
    return std::nullopt;
}

} // namespace daedalus::modelica
