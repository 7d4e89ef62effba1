// The instance tree (specification 3.5, sections 5.6 and 7): classes with their modifications, the elements they have
// and inherit, and components. A class is looked into only where something in it is asked for.
//
//   Instance   a class with the modifications that apply to it; extends-clauses are nodes of their own below it, since
//              names in a base class are looked up where that class is written
//   Element    a declaration in it: of a component or a class
//   Modifier   what is modified: values, attributes, redeclarations, as a tree of names
//   Component  an element of a model that is simulated: a variable with its dimensions, or a class with its parts
#pragma once

#include "modelica/library.hpp"
#include "modelica/quantity.hpp"

#include <optional>
#include <unordered_map>
#include <unordered_set>

namespace daedalus::modelica {

struct Instance;
struct Element;
struct Component;

/// An expression together with where its names are looked up, and the part of its value that is meant.
struct Binding {
    struct Step {
        std::string_view field; ///< of a record; or
        int index = -1;         ///< of an array, 0-based
    };
    const Unit* unit = nullptr;
    ast::ExprId expression = ast::no_expr;
    Instance* scope = nullptr;
    std::vector<Step> steps;

    [[nodiscard]] bool given() const { return unit != nullptr; }
};

struct Modifier {
    const Unit* unit = nullptr;
    Span span;
    Binding value;
    bool each = false;
    bool final_ = false;
    std::vector<std::pair<std::string_view, Modifier*>> parts;
    const ast::Element* redeclared = nullptr;
    const Unit* redeclared_unit = nullptr;
    Instance* redeclared_scope = nullptr;
    Element* redeclared_element = nullptr; ///< the redeclaration as an element, once made

    [[nodiscard]] Modifier* part(std::string_view name) const {
        for (const auto& [key, modifier] : parts)
            if (key == name) return modifier;
        return nullptr;
    }
};

struct Dimension {
    const Unit* unit = nullptr;
    ast::ExprId expression = ast::no_expr;
    Instance* scope = nullptr;
};

struct Instance {
    const ast::ClassDefinition* definition = nullptr;
    const Unit* unit = nullptr;
    Instance* outer = nullptr; ///< where names go on being looked up
    Instance* root = nullptr;  ///< of an extends-node: the class that inherits; else itself
    Modifier* modifier = nullptr;
    Element* inherited = nullptr; ///< class extends Name: the element that is extended
    std::vector<Instance*> bases; ///< extends-nodes
    // of a root only
    std::vector<Element*> elements;
    std::unordered_map<std::string_view, Element*> table;
    std::unordered_set<std::string_view> missing;
    enum class State : std::uint8_t { fresh, busy, ready } state = State::fresh;

    Kind kind = Kind::none;            ///< of a predefined type or one derived from it
    Modifier* kind_modifier = nullptr; ///< attributes from `extends Real(…)`
    std::vector<Dimension> dimensions; ///< of type definitions
    ast::Prefixes prefixes;            ///< of short classes: input, output, flow
    bool is_connector = false, is_expandable = false;
    bool is_protected = false;      ///< extends-nodes: what is inherited here cannot be seen from outside
    std::string path;               ///< dotted class name, or of the component
    Component* component = nullptr; ///< whose class this is
    Instance* parent = nullptr;     ///< class of the component around it
    Instance* same_as = nullptr;    ///< of a component's class: the class as it is without the component (for identity)
    std::unordered_map<std::string_view, Element*> imports;
    bool imports_ready = false;

    [[nodiscard]] bool is_function() const {
        return definition != nullptr &&
               (definition->kind == ast::ClassKind::function || definition->kind == ast::ClassKind::operator_function);
    }
    [[nodiscard]] bool is_record() const {
        return definition != nullptr &&
               (definition->kind == ast::ClassKind::record || definition->kind == ast::ClassKind::operator_record);
    }
    [[nodiscard]] bool is_package() const {
        return definition != nullptr && definition->kind == ast::ClassKind::package;
    }
};

struct Element {
    std::string_view name;
    const Unit* unit = nullptr;
    const ast::Element* element = nullptr;
    const ast::Component* component = nullptr;        ///< of a component
    const ast::ComponentClause* clause = nullptr;     ///< likewise
    const ast::ClassDefinition* definition = nullptr; ///< of a class
    ast::Prefixes prefixes;
    Instance* node = nullptr;  ///< where its names are looked up
    Instance* owner = nullptr; ///< the root in whose table it is
    Modifier* modifier = nullptr;
    Element* original = nullptr; ///< what this one redeclares
    Instance* class_instance = nullptr;
    Component* made = nullptr;
    bool busy = false;
    Instance* forced_type = nullptr; ///< expandable connectors: what was connected here
    std::vector<int> forced_dimensions;

    [[nodiscard]] bool is_class() const { return definition != nullptr; }
};

enum class Role : std::uint8_t { constant, parameter, solved_parameter, variable, held, defined };

struct Component {
    std::string name; ///< full path
    Element* element = nullptr;
    Instance* type = nullptr; ///< class of it; of an array the class of its elements
    Component* parent = nullptr;
    std::vector<int> dimensions;
    Kind kind = Kind::none; ///< none: has parts
    Modifier* modifier = nullptr;
    std::vector<Component*> elements; ///< of an array of classes, row by row
    Instance* instance = nullptr;     ///< the parts, if it is no array
    bool absent = false;              ///< its condition is false
    bool flow = false, stream = false;
    bool is_connector = false;
    bool is_protected = false; ///< it, or something around it; or HideResult
    ast::Causality causality = ast::Causality::none;
    ast::Variability variability = ast::Variability::continuous;
    Role role = Role::variable;
    bool set_by_when = false;
    bool initial_tried = false;
    bool valued = false, busy = false, failed = false;
    Quantity value; ///< of a variable: its leaves; of a parameter: its value
    bool has_binding_equation = false;
    bool written = false; ///< its equations have been made
};

} // namespace daedalus::modelica
