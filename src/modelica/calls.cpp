// Calls: functions of the language, of libraries, record constructors, functions as values.
#include "expr/functions/function.hpp"
#include "expr/substitute.hpp"
#include "modelica/translator.hpp"

#include <cmath>

namespace daedalus::modelica {

using ast::ExprKind;
using expr::NodeId;
using expr::Op;

Translator::Arguments Translator::arguments(const Context& c, const ast::Call& call) {
    Arguments result;
    for (const ast::Argument& a : call.arguments) {
        Quantity value;
        const ast::Expr& e = c.at(a.value);
        if (a.is_function && e.kind == ExprKind::call) { // function f(a = 1): f with one argument given
            const ast::Call& inner = c.unit->tree.call(e);
            std::string wrong;
            Instance* f = find_function(c, inner.function, &wrong);
            if (f == nullptr)
                fail("unknown-function", c.unit, e.span, "there is no function '" + inner.function.text() + "'");
            auto callable = std::make_shared<Callable>();
            callable->function = f;
            callable->given = arguments(c, inner);
            value.kind = Kind::function;
            value.function = std::move(callable);
        } else {
            value = evaluate(c, a.value);
        }
        result.emplace_back(std::string(a.name), std::move(value));
    }
    return result;
}

Instance* Translator::find_function(const Context& c, const ast::Reference& name, std::string* wrong) {
    return try_class(name, c.scope, c.unit, wrong);
}

std::vector<Quantity> Translator::call_value(const Context& c, const Quantity& f, Arguments given, Span span) {
    Arguments all = std::move(given);
    for (const auto& [name, value] : f.function->given) all.emplace_back(name, value);
    return call_function(c, f.function->function, std::move(all), span, 1);
}

std::vector<Quantity> Translator::call_many(const Context& c, const ast::Expr& e, std::size_t wanted) {
    const ast::Call& written = c.unit->tree.call(e);
    const bool simple = written.function.is_simple();
    if (simple && c.frame != nullptr)
        if (Quantity* local = c.frame->find(written.function.parts[0].name); local && local->kind == Kind::function)
            return call_value(c, *local, arguments(c, written), e.span);
    std::string wrong;
    Instance* f = find_function(c, written.function, &wrong);
    if (f != nullptr && f->is_function()) return call_function(c, f, arguments(c, written), e.span, wanted);
    if (simple && written.function.parts[0].name == "spatialDistribution") return spatial_distribution(c, e);
    return {call(c, e)};
}

Quantity Translator::call(const Context& c, const ast::Expr& e) {
    const ast::Call& written = c.unit->tree.call(e);
    std::string name = written.function.text();
    if (written.function.global && written.function.parts.size() == 1) name.erase(0, 1); // .sin is that of the language
    if (!written.indices.empty()) return reduction(c, e, name);
    const bool simple = written.function.parts.size() == 1;
    if (simple && c.frame != nullptr)
        if (Quantity* local = c.frame->find(name); local && local->kind == Kind::function) {
            auto results = call_value(c, *local, arguments(c, written), e.span);
            if (results.empty()) fail("no-result", c.unit, e.span, "the function has no result");
            return results.front();
        }
    static const std::set<std::string> type_names{"Integer", "String", "Real", "Boolean", "Clock"};
    if (!(simple && type_names.contains(name))) {
        std::string wrong;
        if (Instance* f = find_function(c, written.function, &wrong)) {
            build(f);
            if (f->is_function()) {
                auto results = call_function(c, f, arguments(c, written), e.span, 1);
                if (results.empty()) fail("no-result", c.unit, e.span, "'" + name + "' has no result");
                return results.front();
            }
            if (f->kind == Kind::object) return make_object(c, f, arguments(c, written), e.span);
            if (f->kind == Kind::enumeration) {
                Arguments a = arguments(c, written);
                if (a.size() != 1) fail("argument-count", c.unit, e.span, "'" + name + "' takes 1 argument");
                Quantity q = a[0].second;
                q.kind = Kind::enumeration;
                q.type = f;
                return q;
            }
            if (f->is_record()) {
                Arguments a = arguments(c, written);
                std::vector<Quantity> positional;
                for (const auto& [key, value] : a)
                    if (key.empty()) positional.push_back(value);
                Quantity made;
                std::size_t fields = 0;
                for (Element* field : f->elements) fields += field->is_class() ? 0U : 1U;
                if (positional.size() == a.size() && a.size() < fields &&
                    try_operator(c, f, "'constructor'", positional, e.span, made))
                    return made;
                return construct_record(c, f, std::move(a), e.span);
            }
            if (f->definition != nullptr)
                fail("not-a-function", c.unit, written.function.span,
                     "'" + name + "' is a " + std::string(ast::spelling(f->definition->kind)) + ", not a function");
        }
    }
    if (auto q = builtin_call(c, e, name)) return *q;
    for (const Diagnostic& problem : library_.problems()) throw TranslationError{problem};
    std::vector<std::string> names{"der", "pre", "sample", "smooth", "noEvent", "sum", "size", "zeros", "ones", "fill"};
    for (const expr::Function* f : expr::all_functions()) names.emplace_back(f->name);
    const auto best = simple ? closest(name, names) : std::nullopt;
    std::string hint = best ? "did you mean '" + *best + "'?" : "";
    if (simple && find(name, c.scope) != nullptr) hint = "'" + name + "' is a variable; write a product with '*'";
    fail("unknown-function", c.unit, written.function.span, "there is no function '" + name + "'", hint);
}

Quantity Translator::construct_record(const Context& c, Instance* record, Arguments given, Span span) {
    build(record);
    const Depth nested(*this, c, span);
    Frame frame;
    auto made = std::make_shared<Record>();
    std::size_t position = 0;
    std::vector<char> used(given.size(), 0);
    for (Element* e : record->elements) {
        if (e->is_class()) continue;
        const Quantity* value = nullptr;
        for (std::size_t k = 0; k < given.size(); ++k)
            if (given[k].first == e->name) {
                value = &given[k].second;
                used[k] = 1;
            }
        if (value == nullptr && position < given.size() && given[position].first.empty()) {
            value = &given[position].second;
            used[position] = 1;
        }
        ++position;
        Context inside{e->unit, record, &frame, -1};
        Quantity q;
        if (value != nullptr) {
            q = *value;
            Instance* type = find_class(e->clause->type, e->node, e->unit);
            build(type);
            if (type->kind == Kind::real) q = to_real(std::move(q));
        } else if (Modifier* m = e->modifier; m != nullptr && m->value.given()) {
            inside.unit = m->value.unit;
            inside.scope = m->value.scope->root == record->root || m->value.scope == record ? record : m->value.scope;
            q = evaluate(inside, m->value.expression);
            for (const Binding::Step& step : m->value.steps)
                if (step.index >= 0 && !q.is_scalar()) q = row_of(q, static_cast<std::size_t>(step.index));
            Instance* type = find_class(e->clause->type, e->node, e->unit);
            build(type);
            if (type->kind == Kind::real) q = to_real(std::move(q));
        } else {
            q = default_local(Context{e->unit, record, &frame, -1}, e);
        }
        frame.locals.emplace_back(e->name, q);
        made->fields.emplace_back(std::string(e->name), std::move(q));
    }
    for (std::size_t k = 0; k < given.size(); ++k)
        if (!used[k])
            fail(given[k].first.empty() ? "argument-count" : "unknown-argument", c.unit, span,
                 given[k].first.empty() ? "too many arguments for this record"
                                        : "the record has no field '" + given[k].first + "'");
    Quantity q;
    q.kind = Kind::record;
    q.type = record;
    q.records.push_back(std::move(made));
    return q;
}

std::optional<Quantity> Translator::builtin_call(const Context& c, const ast::Expr& e, const std::string& name) {
    const ast::Call& written = c.unit->tree.call(e);
    if (auto q = clocked_call(c, e, name)) return q;
    if (auto q = event_call(c, e, name)) return q;
    if (name == "size" || name == "ndims") {
        if (written.arguments.empty() || written.arguments.size() > 2)
            fail("argument-count", c.unit, e.span, "'size' takes an array and perhaps a dimension");
        const bool before = allow_unset_;
        allow_unset_ = true;
        Quantity a;
        try {
            a = evaluate(c, written.arguments[0].value);
        } catch (...) {
            allow_unset_ = before;
            throw;
        }
        allow_unset_ = before;
        if (name == "ndims") return scalar(Kind::integer, g_.constant(static_cast<double>(a.rank())));
        if (written.arguments.size() == 2) {
            const int d = whole(c, evaluate(c, written.arguments[1].value), e.span, "the dimension");
            if (d < 1 || d > static_cast<int>(a.rank()))
                fail("array-size", c.unit, e.span,
                     "there is no dimension " + std::to_string(d) + " in an array of rank " + std::to_string(a.rank()));
            return scalar(Kind::integer, g_.constant(a.dimensions[static_cast<std::size_t>(d - 1)]));
        }
        Quantity q;
        q.kind = Kind::integer;
        q.dimensions = {static_cast<int>(a.rank())};
        for (const int n : a.dimensions) q.nodes.push_back(g_.constant(n));
        return q;
    }
    if (name == "inStream") return in_stream(c, e, false);
    if (name == "actualStream") return in_stream(c, e, true);
    if (name == "delay") return delay(c, e);
    if (name == "spatialDistribution") return spatial_distribution(c, e).front();
    if (name == "getInstanceName") return text(instance_name(c.scope->root->path));
    static const std::set<std::string> known{
        "der",          "noEvent", "smooth",   "homotopy", "semiLinear", "Integer",   "String", "Real",    "Boolean",
        "integer",      "mod",     "div",      "rem",      "sign",       "ceil",      "sum",    "product", "zeros",
        "ones",         "fill",    "identity", "diagonal", "linspace",   "transpose", "cross",  "skew",    "symmetric",
        "outerProduct", "scalar",  "vector",   "matrix",   "cat",        "array",     "min",    "max",     "promote"};
    if (!known.contains(name) && expr::find_function(name) == nullptr) return std::nullopt;
    std::vector<Quantity> a;
    if (name == "homotopy") return homotopy(c, e);
    if (name == "String") {
        for (const auto& [key, value] : arguments(c, written)) a.push_back(value);
        return string_call(c, e, a);
    }
    for (const ast::Argument& argument : written.arguments) {
        if (argument.is_function) unsupported(c.unit, e.span, "a function as an argument of '" + name + "'");
        a.push_back(evaluate(c, argument.value));
    }
    if (name == "semiLinear" && a.size() == 3) { // of a scalar flow and perhaps of vectors
        if (!is_number(a[0].kind) || !a[0].is_scalar() || a[1].dimensions != a[2].dimensions ||
            a[1].nodes.size() != a[2].nodes.size())
            fail("type", c.unit, e.span, "'semiLinear' takes a flow and two slopes of the same size");
        const NodeId flow = a[0].node();
        Quantity q = like(a[1], a[1].dimensions);
        q.kind = Kind::real;
        for (std::size_t k = 0; k < a[1].nodes.size(); ++k)
            q.nodes.push_back(semi_linear(flow, a[1].nodes[k], a[2].nodes[k]));
        return q;
    }
    if (auto q = array_call(c, e, name, a)) return q;
    return elementwise(c, e, name, a);
}

Quantity Translator::derivative(const Context& c, const Quantity& q, Span span) {
    if (q.kind == Kind::record) {
        Quantity result = like(q, q.dimensions);
        for (const auto& record : q.records) {
            auto made = std::make_shared<Record>();
            for (auto& [name, field] : record->fields) made->fields.emplace_back(name, derivative(c, field, span));
            result.records.push_back(std::move(made));
        }
        return result;
    }
    if (!is_number(q.kind)) fail("type", c.unit, span, "der() needs a number, not a " + std::string(spelling(q.kind)));
    Quantity result = map_nodes(q, [&](NodeId node) { return derivative(c, node, span); });
    result.kind = Kind::real;
    return result;
}

NodeId Translator::derivative(const Context& c, NodeId node, Span span) {
    constexpr int max_order = 100;
    // Each derivative of a composed expression is a few times as large as it.
    constexpr int max_nested_derivatives = 8;
    constexpr std::size_t max_differentiated_nodes = 100'000;
    if (g_.op(node) == Op::variable) {
        if (g_.derivative_order(node) >= max_order)
            fail("derivative-order", c.unit, span, "derivatives above order " + std::to_string(max_order));
        return g_.variable(g_.variable_id(node), g_.derivative_order(node) + 1);
    }
    const NodeId value = actual(node);
    const NodeId roots[1] = {value};
    const auto before = nested_derivatives_.find(value);
    const int nested = 1 + (before == nested_derivatives_.end() ? 0 : before->second);
    if (nested > max_nested_derivatives || g_.reachable(roots).size() > max_differentiated_nodes)
        fail("derivative-order", c.unit, span, "der() of an expression this large or nested this deep",
             "give the expression a name: Real y = …; and use der(y)");
    const NodeId slope = time_derivative_(value);
    nested_derivatives_[slope] = nested;
    g_.remember_derivative(value, slope);
    return slope;
}

Quantity Translator::elementwise(const Context& c, const ast::Expr& e, const std::string& name,
                                 std::vector<Quantity>& a) {
    const auto count = [&](std::size_t n) {
        if (a.size() != n)
            fail("argument-count", c.unit, e.span,
                 "'" + name + "' takes " + std::to_string(n) + (n == 1 ? " argument" : " arguments") + ", not " +
                     std::to_string(a.size()));
    };
    if (name == "der") {
        count(1);
        return derivative(c, a[0], e.span);
    }
    if (name == "noEvent") {
        count(1);
        return map_nodes(a[0], [&](NodeId n) { return expr::without_events(g_, actual(n)); });
    }
    if (name == "smooth") {
        count(2);
        return a[1];
    }
    if (name == "Integer") { // of an enumeration or a Boolean
        count(1);
        a[0].kind = Kind::integer;
        return a[0];
    }
    if ((name == "min" || name == "max") && a.size() == 2 && a[0].kind == Kind::boolean && a[1].kind == Kind::boolean &&
        a[0].is_scalar() && a[1].is_scalar())
        return scalar(Kind::boolean,
                      logical(name == "min" ? Op::logical_and : Op::logical_or, a[0].node(), a[1].node()));
    for (const Quantity& q : a)
        if (!is_number(q.kind) && q.kind != Kind::enumeration && q.size() > 0)
            fail("type", c.unit, e.span,
                 "an argument of '" + name + "' must be a number, but this is a " + std::string(spelling(q.kind)));
    const auto floor_of = [&](NodeId x) {
        if (in_function_ > 0 && !g_.is_constant(x)) return g_.neg(g_.unary(Op::ceil, g_.neg(x)));
        return g_.unary(Op::floor, x);
    };
    const auto towards_zero = [&](NodeId x) {
        return g_.select(logical(Op::ge, x, g_.constant(0.0)), floor_of(x), g_.neg(floor_of(g_.neg(x))));
    };
    const auto one = [&](const std::function<NodeId(NodeId)>& f, bool to_integer) {
        count(1);
        Quantity q = map_nodes(a[0], f);
        q.kind = to_integer ? Kind::integer : Kind::real;
        return q;
    };
    if (name == "integer") return one(floor_of, true);
    if (name == "floor") return one(floor_of, false);
    if (name == "ceil") return one([&](NodeId x) { return g_.neg(floor_of(g_.neg(x))); }, false);
    if (name == "sign")
        return one(
            [&](NodeId x) {
                const NodeId zero = g_.constant(0.0);
                if (g_.is_constant(x) || in_function_ > 0) return g_.unary(Op::sign, x);
                return g_.select(logical(Op::gt, x, zero), g_.constant(1.0),
                                 g_.select(logical(Op::lt, x, zero), g_.constant(-1.0), zero));
            },
            true);
    if (name == "abs") {
        const Kind kind = a.empty() ? Kind::real : a[0].kind;
        Quantity q = one(
            [&](NodeId x) {
                return in_function_ > 0 && !g_.is_constant(x) ? g_.mul(x, g_.unary(Op::sign, x)) : g_.unary(Op::abs, x);
            },
            false);
        q.kind = kind;
        return q;
    }
    const expr::Function* f = expr::find_function(name);
    if (name == "mod" || name == "div" || name == "rem" || (f != nullptr && expr::arity(f->op) == 2)) {
        count(2);
        const Quantity& shape = a[0].is_scalar() ? a[1] : a[0];
        if (!a[0].is_scalar() && !a[1].is_scalar() && a[0].dimensions != a[1].dimensions)
            fail("array-size", c.unit, e.span, "the arguments of '" + name + "' have different sizes");
        Quantity q;
        q.dimensions = shape.dimensions;
        const bool integers = a[0].kind == Kind::integer && a[1].kind == Kind::integer;
        q.kind = integers && (f == nullptr || f->keeps_integer) ? Kind::integer : Kind::real;
        for (std::size_t k = 0; k < shape.nodes.size(); ++k) {
            const NodeId x = a[0].nodes[a[0].is_scalar() ? 0 : k];
            const NodeId y = a[1].nodes[a[1].is_scalar() ? 0 : k];
            if (name == "mod")
                q.nodes.push_back(g_.sub(x, g_.mul(floor_of(g_.div(x, y)), y)));
            else if (name == "div")
                q.nodes.push_back(towards_zero(g_.div(x, y)));
            else if (name == "rem")
                q.nodes.push_back(g_.sub(x, g_.mul(towards_zero(g_.div(x, y)), y)));
            else if (in_function_ > 0 && (f->op == Op::min || f->op == Op::max) &&
                     !(g_.is_constant(x) && g_.is_constant(y)))
                q.nodes.push_back(g_.select(logical(f->op == Op::min ? Op::lt : Op::gt, x, y), x, y));
            else
                q.nodes.push_back(g_.binary(f->op, x, y));
        }
        return q;
    }
    if (f == nullptr) fail("unknown-function", c.unit, e.span, "there is no function '" + name + "'");
    return one([&](NodeId x) { return g_.unary(f->op, x); }, false);
}

} // namespace daedalus::modelica
