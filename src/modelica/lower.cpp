#include "modelica/lower.hpp"

#include "expr/substitute.hpp"
#include "modelica/builtin.hpp"

#include <algorithm>

namespace daedalus::modelica {

using ast::Expr;
using ast::ExprId;
using ast::ExprKind;
using expr::NodeId;
using expr::Op;

namespace {

// der() of a composed expression multiplies its size; this many may be nested, and of expressions this large.
constexpr int max_nested_derivatives = 8;
constexpr std::size_t max_differentiated_nodes = 1000000;
constexpr int max_order = 100;

Varies most(Varies a, Varies b) { return std::max(a, b); }

Value combine(Type type, const Value& a, const Value& b, NodeId node, Span span) {
    return {type, most(a.varies, b.varies), std::max(a.derivatives, b.derivatives), node, span};
}

std::string article(Type type) { return (type == Type::integer ? "an " : "a ") + std::string(spelling(type)); }

} // namespace

Value ExpressionLowering::operator()(ExprId id) {
    const Expr& root = tree_[id];
    base_ = index(root.first);
    values_.assign(index(id) - base_ + 1, Value{});
    for (std::uint32_t k = base_; k <= index(id); ++k) {
        Value value = lower_one(tree_.expressions[k]);
        value.span = tree_.expressions[k].span;
        values_[k - base_] = value;
    }
    return values_.back();
}

const Value& ExpressionLowering::operand(const Expr& e, std::uint32_t k) const {
    static const Value missing{};
    const ExprId id = tree_.operand(e, k);
    return given(id) ? values_[index(id) - base_] : missing;
}

Value ExpressionLowering::unsupported(Span span, std::string_view what) {
    report_.error("not-supported", span, "not supported yet: " + std::string(what));
    return {};
}

bool ExpressionLowering::require_number(const Value& value, std::string_view context) {
    if (!value.ok()) return false;
    if (is_numeric(value.type)) return true;
    report_.error("type", value.span, std::string(context) + " must be a number, but this is " + article(value.type),
                  value.type == Type::boolean ? "turn it into a number with (if b then 1 else 0)" : "");
    return false;
}

bool ExpressionLowering::require_boolean(const Value& value, std::string_view context) {
    if (!value.ok()) return false;
    if (value.type == Type::boolean) return true;
    report_.error("type", value.span,
                  std::string(context) + " must be true or false, but this is " + article(value.type),
                  is_numeric(value.type) ? "compare it, for example with > 0" : "");
    return false;
}

Value ExpressionLowering::numeric(ExprId id, std::string_view context) {
    const Value value = (*this)(id);
    return require_number(value, context) ? value : Value{};
}

Value ExpressionLowering::boolean(ExprId id, std::string_view context) {
    const Value value = (*this)(id);
    return require_boolean(value, context) ? value : Value{};
}

Value ExpressionLowering::lower_one(const Expr& e) {
    switch (e.kind) {
    case ExprKind::number:
        return {e.is_integer ? Type::integer : Type::real, Varies::never, 0, graph_.constant(e.value), e.span};
    case ExprKind::boolean: return {Type::boolean, Varies::never, 0, graph_.constant(e.value), e.span};
    case ExprKind::string: return {Type::string, Varies::never, 0, expr::no_node, e.span};
    case ExprKind::reference: return reference(e);
    case ExprKind::call: return call(e);
    case ExprKind::unary: return unary(e);
    case ExprKind::binary: return binary(e);
    case ExprKind::conditional: return conditional(e);
    case ExprKind::invalid:
    case ExprKind::row: // reported with the matrix
    case ExprKind::all: // reported with the array
    case ExprKind::end_: return {};
    default: break;
    }
    // Operands that are invalid have been reported, an array inside an array too.
    for (std::uint32_t k = 0; k < e.count; ++k)
        if (e.kind != ExprKind::tuple && e.kind != ExprKind::matrix && !operand(e, k).ok()) return {};
    return unsupported(e.span, e.kind == ExprKind::tuple   ? "several results, (a, b)"
                               : e.kind == ExprKind::range ? "ranges, a:b"
                                                           : "arrays");
}

Value ExpressionLowering::reference(const Expr& e) {
    const ast::Reference& name = tree_.reference(e);
    const Symbol* first = name.parts.empty() ? nullptr : scope_.find(name.parts[0].name);
    if (first != nullptr && first->kind == SymbolKind::unsupported) return {}; // its declaration has been reported
    if (name.has_subscripts()) return unsupported(e.span, "arrays, as in '" + name.text() + "[…]'");
    if (name.is_simple()) {
        if (const Symbol* symbol = scope_.find(name.parts[0].name)) {
            switch (symbol->kind) {
            case SymbolKind::variable: return {symbol->type, Varies::with_time, 0, graph_.variable(symbol->id), e.span};
            case SymbolKind::constant:
                if (const NodeId known = constant_node_(*symbol); known != expr::no_node)
                    return {symbol->type, Varies::never, 0, known, e.span};
                return {symbol->type, Varies::with_parameters, 0, graph_.parameter(symbol->id), e.span};
            case SymbolKind::parameter:
                return {symbol->type, Varies::with_parameters, 0, graph_.parameter(symbol->id), e.span};
            case SymbolKind::discrete:
                if (symbol->node == expr::no_node) return {}; // it has no definition, or one in a circle: reported
                return {symbol->type, Varies::with_time, 0, symbol->node, e.span};
            case SymbolKind::text: return {Type::string, Varies::never, 0, expr::no_node, e.span};
            default: return {};
            }
        }
        if (name.parts[0].name == "time") return {Type::real, Varies::with_time, 0, graph_.time(), e.span};
    }
    std::string full;
    for (const std::string& part : scope_.qualified(name)) full += (full.empty() ? "" : ".") + part;
    if (const NamedConstant* constant = find_constant(full))
        return {Type::real, Varies::never, 0, graph_.constant(constant->value), e.span};
    if (scope_.incomplete()) return {};
    if (report_.full()) {
        report_.error("unknown-identifier", e.span, {});
        return {};
    }
    if (find_function(full) != nullptr && name.is_simple()) {
        report_.error("function-without-arguments", e.span, "'" + full + "' is a function and needs its arguments",
                      "write " + full + "(…)");
        return {};
    }
    std::string hint = name.is_simple() ? scope_.suggestion(name.parts[0].name) : std::string{};
    if (hint.empty() && name.is_simple())
        hint = name.parts[0].name == "pi" ? "declare it, or write Modelica.Constants.pi" : "";
    report_.error("unknown-identifier", e.span, "'" + name.text() + "' is not declared", hint);
    return {};
}

Value ExpressionLowering::unary(const Expr& e) {
    const Value& a = operand(e, 0);
    if (e.op == TokenKind::kw_not) {
        if (!require_boolean(a, "the operand of 'not'")) return {};
        return combine(Type::boolean, a, a, graph_.unary(Op::logical_not, a.node), e.span);
    }
    if (!require_number(a, "the operand of a sign")) return {};
    const bool negative = e.op == TokenKind::minus || e.op == TokenKind::dot_minus;
    return combine(a.type, a, a, negative ? graph_.neg(a.node) : a.node, e.span);
}

namespace {

Op operation(TokenKind kind) {
    switch (kind) {
    case TokenKind::plus:
    case TokenKind::dot_plus: return Op::add;
    case TokenKind::minus:
    case TokenKind::dot_minus: return Op::sub;
    case TokenKind::times:
    case TokenKind::dot_times: return Op::mul;
    case TokenKind::divide:
    case TokenKind::dot_divide: return Op::div;
    case TokenKind::less: return Op::lt;
    case TokenKind::less_equal: return Op::le;
    case TokenKind::greater: return Op::gt;
    case TokenKind::greater_equal: return Op::ge;
    case TokenKind::equal_equal: return Op::eq;
    case TokenKind::not_equal: return Op::ne;
    case TokenKind::kw_and: return Op::logical_and;
    case TokenKind::kw_or: return Op::logical_or;
    default: return Op::pow;
    }
}

} // namespace

Value ExpressionLowering::binary(const Expr& e) {
    const Value& a = operand(e, 0);
    const Value& b = operand(e, 1);
    if (!a.ok() || !b.ok()) return {};
    const Op op = operation(e.op);
    const std::string context = "the operand of '" + std::string(spelling(e.op)) + "'";
    if (op == Op::logical_and || op == Op::logical_or) {
        const bool left = require_boolean(a, context);
        const bool right = require_boolean(b, context);
        return left && right ? combine(Type::boolean, a, b, graph_.binary(op, a.node, b.node), e.span) : Value{};
    }
    if (a.type == Type::string && b.type == Type::string && (op == Op::add || expr::is_relation(op)))
        return op == Op::add ? combine(Type::string, a, b, expr::no_node, e.span)
                             : unsupported(e.span, "comparison of strings");
    const bool booleans = expr::is_relation(op) && a.type == Type::boolean && b.type == Type::boolean;
    if (!booleans) {
        const bool left = require_number(a, context);
        const bool right = require_number(b, context);
        if (!left || !right) return {};
    }
    Type type = expr::is_relation(op)                                ? Type::boolean
                : op == Op::div || op == Op::pow                     ? Type::real
                : a.type == Type::integer && b.type == Type::integer ? Type::integer
                                                                     : Type::real;
    return combine(type, a, b, graph_.binary(op, a.node, b.node), e.span);
}

Value ExpressionLowering::conditional(const Expr& e) {
    Value result = operand(e, e.count - 1);
    for (std::uint32_t k = 0; k < e.count; ++k)
        if (!operand(e, k).ok()) return {};
    for (std::uint32_t k = e.count - 1; k >= 2; k -= 2) {
        const Value& condition = operand(e, k - 2);
        const Value& value = operand(e, k - 1);
        if (!require_boolean(condition, "the condition of 'if'")) return {};
        if (value.type != result.type && !(is_numeric(value.type) && is_numeric(result.type))) {
            report_.error("type", value.span,
                          "the branches of 'if' differ: " + article(value.type) + " and " + article(result.type));
            report_.note(result.span, "the other branch");
            return {};
        }
        const Type type = value.type == result.type ? value.type : Type::real;
        const NodeId node =
            type == Type::string ? expr::no_node : graph_.select(condition.node, value.node, result.node);
        result = combine(type, combine(type, condition, value, node, e.span), result, node, e.span);
    }
    return result;
}

// Positional arguments first, named ones by their names.
bool ExpressionLowering::order_arguments(const Expr& e, std::string_view parameters, std::vector<Value>& out) {
    const ast::Call& called = tree_.call(e);
    std::vector<std::string_view> names;
    for (std::size_t begin = 0; begin < parameters.size();) {
        const std::size_t end = std::min(parameters.find(' ', begin), parameters.size());
        names.push_back(parameters.substr(begin, end - begin));
        begin = end + 1;
    }
    std::vector<bool> filled(names.size(), false);
    out.assign(names.size(), Value{});
    for (std::size_t k = 0; k < called.arguments.size(); ++k) {
        const ast::Argument& argument = called.arguments[k];
        std::size_t slot = k;
        if (!argument.name.empty()) {
            slot = static_cast<std::size_t>(std::find(names.begin(), names.end(), argument.name) - names.begin());
            if (slot == names.size()) {
                report_.error("unknown-argument", argument.span,
                              "'" + called.function.text() + "' has no argument '" + std::string(argument.name) + "'",
                              "its arguments are: " + std::string(parameters));
                return false;
            }
        }
        if (filled[slot]) {
            report_.error("argument-twice", argument.span, "this argument is given twice");
            return false;
        }
        filled[slot] = true;
        out[slot] = operand(e, static_cast<std::uint32_t>(k));
    }
    return true;
}

Value ExpressionLowering::call(const Expr& e) {
    const ast::Call& called = tree_.call(e);
    const std::string written = called.function.text();
    std::string full;
    for (const std::string& part : scope_.qualified(called.function)) full += (full.empty() ? "" : ".") + part;
    const Function* function = find_function(full);
    if (is_event_function(full)) return event_call(e, full);
    if (is_later_function(full)) return unsupported(called.function.span, "'" + written + "(…)'");
    if (function == nullptr) {
        if (scope_.incomplete()) return {};
        if (report_.full()) {
            report_.error("unknown-function", e.span, {});
            return {};
        }
        if (scope_.find_class(called.function) != nullptr)
            return unsupported(called.function.span, "functions written in Modelica, as '" + written + "'");
        std::string hint;
        if (scope_.find(written) != nullptr) {
            hint = "'" + written + "' is a variable; write a product with '*'";
        } else if (const auto best = closest(written, function_names())) {
            hint = "did you mean '" + *best + "'?";
        }
        report_.error("unknown-function", called.function.span, "there is no function '" + written + "'", hint);
        return {};
    }
    if (!called.indices.empty()) return unsupported(e.span, "'for' inside an expression");
    const int count = static_cast<int>(called.arguments.size());
    if (count != function->arity) {
        report_.error("argument-count", e.span,
                      "'" + written + "' takes " + std::to_string(function->arity) +
                          (function->arity == 1 ? " argument" : " arguments") + ", not " + std::to_string(count));
        return {};
    }
    std::vector<Value> arguments;
    if (!order_arguments(e, function->parameters, arguments)) return {};
    for (const Value& argument : arguments)
        if (!argument.ok()) return {};
    if (function->name == "noEvent") { // also of a condition
        Value value = arguments[0];
        value.node = expr::without_events(graph_, value.node);
        return value;
    }
    for (const Value& argument : arguments)
        if (!require_number(argument, "an argument of '" + written + "'")) return {};
    if (function->lowering == Lowering::derivative) return derivative(e, arguments[0]);
    Value result = arguments[0];
    bool integers = true;
    for (const Value& argument : arguments) {
        result.varies = most(result.varies, argument.varies);
        result.derivatives = std::max(result.derivatives, argument.derivatives);
        integers = integers && argument.type == Type::integer;
    }
    result.type =
        (function->keeps_integer && integers) || function->lowering == Lowering::integer ? Type::integer : Type::real;
    result.node = build(graph_, *function, arguments);
    return result;
}

Value ExpressionLowering::event_call(const Expr& e, std::string_view name) {
    const ast::Call& called = tree_.call(e);
    const std::size_t count = name == "initial" || name == "terminal" ? 0 : name == "sample" ? 2 : 1;
    if (called.arguments.size() != count) {
        report_.error("argument-count", e.span,
                      "'" + std::string(name) + "' takes " + std::to_string(count) +
                          (count == 1 ? " argument" : " arguments") + ", not " +
                          std::to_string(called.arguments.size()));
        return {};
    }
    if (!events_.pre) return unsupported(e.span, "'" + std::string(name) + "(…)' here");
    if (name == "terminal") return {Type::boolean, Varies::with_time, 0, events_.terminal(), e.span};
    if (name == "initial") return {Type::boolean, Varies::with_time, 0, events_.initial(), e.span};
    if (name == "sample") {
        std::vector<Value> arguments;
        if (!order_arguments(e, "start interval", arguments)) return {};
        for (const Value& argument : arguments) {
            if (!require_number(argument, "an argument of 'sample'")) return {};
            if (argument.varies == Varies::with_time) {
                report_.error("varies", argument.span, "the arguments of 'sample' must not vary in time");
                return {};
            }
        }
        const NodeId node = events_.sample(arguments[0].node, arguments[1].node, report_.place(arguments[1].span));
        return {Type::boolean, Varies::with_time, 0, node, e.span};
    }
    const Expr& of = tree_[called.arguments[0].value];
    const bool named = of.kind == ExprKind::reference && tree_.reference(of).is_simple();
    const Value& now = operand(e, 0);
    const Symbol* symbol = named ? scope_.find(tree_.reference(of).parts[0].name) : nullptr;
    if (symbol == nullptr || (symbol->kind != SymbolKind::discrete && symbol->kind != SymbolKind::variable)) {
        if (symbol == nullptr || symbol->kind != SymbolKind::unsupported)
            report_.error("pre-of-expression", of.span, "'" + std::string(name) + "' needs the name of a variable");
        return {};
    }
    // Before an event a continuous variable has the value that it has at the event, until something is set.
    const NodeId before = symbol->kind == SymbolKind::variable ? graph_.variable(symbol->id)
                                                               : events_.pre(tree_.reference(of).parts[0].name);
    if (name == "pre") return {symbol->type, Varies::with_time, 0, before, e.span};
    if (!now.ok()) return {};
    if (name == "change") return {Type::boolean, Varies::with_time, 0, graph_.binary(Op::ne, now.node, before), e.span};
    if (!require_boolean(now, "the argument of 'edge'")) return {};
    return {Type::boolean, Varies::with_time, 0,
            graph_.binary(Op::logical_and, now.node, graph_.unary(Op::logical_not, before)), e.span};
}

Value ExpressionLowering::derivative(const Expr& e, const Value& argument) {
    Value result = argument;
    result.type = Type::real;
    if (argument.varies != Varies::with_time) {
        const bool is_parameter = graph_.op(argument.node) == Op::parameter;
        report_.error("derivative-of-constant", argument.span,
                      std::string("der() of ") +
                          (is_parameter ? "a parameter" : "something that does not vary in time"),
                      is_parameter ? "declare it without 'parameter' if it varies" : "");
        return {};
    }
    if (graph_.op(argument.node) == Op::variable) {
        const int order = graph_.derivative_order(argument.node) + 1;
        if (order > max_order) {
            report_.error("derivative-order", e.span, "derivatives above order " + std::to_string(max_order));
            return {};
        }
        result.node = graph_.variable(graph_.variable_id(argument.node), order);
        return result;
    }
    const NodeId roots[1] = {argument.node};
    if (argument.derivatives >= max_nested_derivatives || graph_.reachable(roots).size() > max_differentiated_nodes) {
        report_.error("derivative-order", e.span, "der() of an expression this large or nested this deep",
                      "give the expression a name: Real y = …; and use der(y)");
        return {};
    }
    result.derivatives = static_cast<std::uint8_t>(argument.derivatives + 1);
    result.node = time_derivative_(argument.node);
    graph_.remember_derivative(argument.node, result.node);
    return result;
}

} // namespace daedalus::modelica
