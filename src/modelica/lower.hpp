// Expressions of the syntax tree → nodes of the expression graph, with type checks. One loop over the expression's
// range of the tree, operands before their users.
#pragma once

#include "expr/differentiate.hpp"
#include "modelica/scope.hpp"

#include <functional>

namespace daedalus::modelica {

/// What expressions about events ask for.
struct EventLeaves {
    std::function<expr::NodeId(std::string_view name)> pre; ///< the value before the event; no_node: not discrete
    std::function<expr::NodeId(expr::NodeId start, expr::NodeId interval, const SourceSpan& span)> sample;
    std::function<expr::NodeId()> initial, terminal;
};

class ExpressionLowering {
public:
    /// `constant_node` gives the value of a constant that is already known to be a number, else no_node.
    ExpressionLowering(const ast::Tree& tree, expr::Graph& graph, const Scope& scope, Report& report,
                       std::function<expr::NodeId(const Symbol&)> constant_node, EventLeaves events = {})
        : tree_(tree), graph_(graph), scope_(scope), report_(report), constant_node_(std::move(constant_node)),
          events_(std::move(events)), time_derivative_(graph) {}

    [[nodiscard]] Value operator()(ast::ExprId id);

    /// As above, and reported if the result is not of the wanted kind ("a number", "true or false").
    [[nodiscard]] Value numeric(ast::ExprId id, std::string_view context);
    [[nodiscard]] Value boolean(ast::ExprId id, std::string_view context);

private:
    [[nodiscard]] Value lower_one(const ast::Expr& e);
    [[nodiscard]] Value reference(const ast::Expr& e);
    [[nodiscard]] Value unary(const ast::Expr& e);
    [[nodiscard]] Value binary(const ast::Expr& e);
    [[nodiscard]] Value conditional(const ast::Expr& e);
    [[nodiscard]] Value call(const ast::Expr& e);
    [[nodiscard]] Value derivative(const ast::Expr& e, const Value& argument);
    /// initial(), terminal(), sample(…), pre(v), edge(b), change(v)
    [[nodiscard]] Value event_call(const ast::Expr& e, std::string_view name);
    [[nodiscard]] bool order_arguments(const ast::Expr& e, std::string_view parameters, std::vector<Value>& out);
    [[nodiscard]] Value unsupported(Span span, std::string_view what);
    [[nodiscard]] const Value& operand(const ast::Expr& e, std::uint32_t k) const;
    [[nodiscard]] bool require_number(const Value& value, std::string_view context);
    [[nodiscard]] bool require_boolean(const Value& value, std::string_view context);

    const ast::Tree& tree_;
    expr::Graph& graph_;
    const Scope& scope_;
    Report& report_;
    std::function<expr::NodeId(const Symbol&)> constant_node_;
    EventLeaves events_;
    expr::TimeDerivative time_derivative_;
    std::vector<Value> values_; ///< of the range being lowered
    std::uint32_t base_ = 0;    ///< its first id
};

} // namespace daedalus::modelica
