// One class of the syntax tree → a flat model. Declarations first (every name gets its symbol), then the values of
// parameters, then attributes and binding equations of variables, then the equation sections.
#pragma once

#include "model/model.hpp"
#include "modelica/lower.hpp"

#include <optional>
#include <unordered_map>

namespace daedalus::modelica {

class Flattener {
public:
    /// `path`: the class to flatten, preceded by the classes around it.
    Flattener(const ast::Tree& tree, const std::vector<const ast::ClassDefinition*>& path, Report& report);

    /// Meaningful only if nothing was reported as an error.
    [[nodiscard]] model::Model run();

private:
    // declarations (flatten_declarations.cpp)
    struct BaseType {
        Type type = Type::invalid;
        std::string_view unit; ///< of a predefined quantity
        /// Attributes from type definitions, the innermost first.
        std::vector<const std::vector<ast::Modification>*> modifications;
    };
    struct Declared {
        const ast::Element* element = nullptr;
        const ast::Component* component = nullptr;
        const BaseType* base = nullptr;
        Symbol symbol;
    };
    void declare(const ast::Element& element);
    void declare(const ast::Element& element, const ast::Component& component, const BaseType& base);
    [[nodiscard]] const BaseType& base_type(const ast::Reference& name);
    [[nodiscard]] BaseType resolve_type(const ast::Reference& name);
    void unsupported(Span span, const std::string& what, std::string hint = {});
    void add_symbol(Declared declared);
    [[nodiscard]] bool is_solved_for(const Declared& declared) const;

    // values and attributes (flatten_attributes.cpp)
    void bind_parameter(const Declared& declared);
    void bind_variable(const Declared& declared);
    void boundary_condition(const Declared& declared);
    void constant_parameters();
    using Attributes = std::vector<std::pair<std::string_view, const ast::Modification*>>;
    [[nodiscard]] Attributes attributes(const Declared& declared);
    void set_attribute(const Declared& declared, std::string_view name, const ast::Modification& given);
    [[nodiscard]] expr::NodeId attribute_value(const Declared& declared, std::string_view name,
                                               const ast::Modification& given);
    [[nodiscard]] std::optional<std::string> string_attribute(std::string_view name, const ast::Modification& given);
    void set_state_select(model::Variable& variable, const ast::Modification& given);
    void experiment();

    // equations (flatten_equations.cpp)
    void equations(const std::vector<ast::Equation>& list, std::vector<model::Equation>& out);
    void equation(const ast::Equation& equation, std::vector<model::Equation>& out);
    void equality(const ast::Equation& equation, std::vector<model::Equation>& out);
    void add_equation(const Value& left, const Value& right, Span span, std::string description,
                      std::vector<model::Equation>& out);
    void if_equation(const ast::Equation& equation, std::vector<model::Equation>& out);
    void call_equation(const ast::Equation& equation);
    void merge_branches(const ast::Equation& equation, const std::vector<Value>& conditions, std::size_t first,
                        std::vector<model::Equation>& out);

    // discrete variables and when-clauses (flatten_events.cpp)
    void find_assigned(const std::vector<ast::Equation>& list, bool inside_when);
    void define_discrete();
    void hold_discrete(const Declared& declared);
    void lower_definition(const Declared& declared, ast::ExprId definition);
    [[nodiscard]] int hold(std::string name, expr::NodeId start, const Declared* declared);
    [[nodiscard]] expr::NodeId discrete_start(const Declared& declared);
    [[nodiscard]] EventLeaves event_leaves();
    void finish_memories();
    void when_equation(const ast::Equation& equation);
    /// `condition`: under which the actions take place, no_node: always.
    void when_actions(const std::vector<ast::Equation>& list, expr::NodeId condition, model::WhenBranch& branch);
    void reinit(const ast::Call& call, Span span, expr::NodeId condition, model::WhenBranch& branch);
    void assertion(const ast::Call& call, Span span, expr::NodeId guard, model::WhenBranch& branch);
    /// Of a string literal; else empty.
    [[nodiscard]] std::string text_of(ast::ExprId id) const;

    /// The value of an expression in parameters, needed now; those parameters can then no longer be changed.
    [[nodiscard]] std::optional<double> evaluate_now(const Value& value, std::string_view why);

    const ast::Tree& tree_;
    const ast::ClassDefinition& class_;
    Report& report_;
    model::Model model_;
    Scope scope_;
    ExpressionLowering lower_;
    std::vector<Declared> declared_;
    std::unordered_map<std::string, BaseType> types_;
    std::unordered_map<std::string_view, Span> assigned_; ///< names that when-clauses set, with the first place
    std::vector<const ast::Equation*> definitions_;       ///< equations that say what a discrete variable is
    std::unordered_map<std::string_view, expr::NodeId> discrete_starts_;
    std::unordered_map<std::string, int> memories_; ///< held parameter of pre(name)
    std::optional<std::vector<double>> parameters_; ///< values, once they are needed
    bool parameters_failed_ = false;
};

} // namespace daedalus::modelica
