// Operators (specification 3.5, sections 3.4–3.6, 10.6 and 14): numbers, arrays, strings, and records that bring their
// own.
#include "modelica/translator.hpp"

namespace daedalus::modelica {

using ast::ExprId;
using ast::ExprKind;
using expr::NodeId;
using expr::Op;

NodeId Translator::logical(Op op, NodeId a, NodeId b) {
    if (op == Op::logical_and || op == Op::logical_or) {
        const bool stops = op == Op::logical_or;
        for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)})
            if (g_.is_constant(x)) return (g_.constant_value(x) != 0.0) == stops ? g_.constant(stops ? 1.0 : 0.0) : y;
        return g_.binary(op, a, b);
    }
    if (a == b && !g_.is_constant(a)) return g_.constant(op == Op::le || op == Op::ge || op == Op::eq ? 1.0 : 0.0);
    if (in_function_ == 0 || (g_.is_constant(a) && g_.is_constant(b))) return g_.binary(op, a, b);
    // Relations in functions make no events: see expr::without_events.
    const NodeId sign = g_.unary(Op::sign, g_.sub(a, b));
    switch (op) {
    case Op::lt: return g_.binary(Op::eq, sign, g_.constant(-1.0));
    case Op::le: return g_.binary(Op::ne, sign, g_.constant(1.0));
    case Op::gt: return g_.binary(Op::eq, sign, g_.constant(1.0));
    case Op::ge: return g_.binary(Op::ne, sign, g_.constant(-1.0));
    default: return g_.binary(op, a, b);
    }
}

Quantity Translator::map_nodes(const Quantity& q, const std::function<NodeId(NodeId)>& f) {
    Quantity result = q;
    for (NodeId& node : result.nodes) node = f(node);
    return result;
}

Quantity Translator::to_real(Quantity q) {
    if (q.kind == Kind::integer) q.kind = Kind::real;
    return q;
}

Quantity Translator::unary(const Context& c, const ast::Expr& e) {
    // A row of signs is a loop, since its length is the user's.
    std::vector<TokenKind> signs;
    ExprId inner = c.unit->tree.operand(e, 0);
    signs.push_back(e.op);
    while (c.at(inner).kind == ExprKind::unary) {
        const ast::Expr& at = c.at(inner);
        signs.push_back(at.op);
        inner = c.unit->tree.operand(at, 0);
    }
    Quantity q = evaluate(c, inner);
    for (std::size_t k = signs.size(); k-- > 0;) {
        if (signs[k] == TokenKind::kw_not) {
            if (q.kind != Kind::boolean)
                fail("type", c.unit, e.span,
                     "the operand of 'not' must be true or false, but this is a " + std::string(spelling(q.kind)));
            q = map_nodes(q, [&](NodeId n) { return g_.unary(Op::logical_not, n); });
        } else if (signs[k] == TokenKind::minus || signs[k] == TokenKind::dot_minus) {
            if (q.kind == Kind::record) {
                q = overloaded(c, "'-'", {q}, e.span);
                continue;
            }
            if (!is_number(q.kind))
                fail("type", c.unit, e.span,
                     "the operand of a sign must be a number, but this is a " + std::string(spelling(q.kind)));
            q = map_nodes(q, [&](NodeId n) { return g_.neg(n); });
        }
    }
    return q;
}

Quantity Translator::binary(const Context& c, ExprId id) {
    std::vector<ExprId> spine; // a + b + c + … leans to the left
    while (c.at(id).kind == ExprKind::binary) {
        spine.push_back(id);
        id = c.unit->tree.operand(c.at(id), 0);
    }
    Quantity left = evaluate(c, id);
    for (std::size_t k = spine.size(); k-- > 0;) {
        const ast::Expr& e = c.at(spine[k]);
        NodeId decides = expr::no_node; // what the right side asserts, it asserts where it decides
        if (left.kind == Kind::boolean && left.is_scalar() && (e.op == TokenKind::kw_and || e.op == TokenKind::kw_or)) {
            const bool stops = e.op == TokenKind::kw_or;
            if (const auto known = fold(left.node()); !known)
                decides = stops ? g_.unary(Op::logical_not, left.node()) : left.node();
            else if ((*known != 0.0) == stops)
                continue;
        }
        const Under here(*this, decides);
        const Quantity right = evaluate(c, c.unit->tree.operand(e, 1));
        left = operate(c, e.op, left, right, e.span);
    }
    return left;
}

namespace {

bool elementwise_operator(TokenKind op) {
    return op == TokenKind::dot_plus || op == TokenKind::dot_minus || op == TokenKind::dot_times ||
           op == TokenKind::dot_divide || op == TokenKind::dot_power;
}
std::string_view operator_name(TokenKind op) {
    switch (op) {
    case TokenKind::plus:
    case TokenKind::dot_plus: return "'+'";
    case TokenKind::minus:
    case TokenKind::dot_minus: return "'-'";
    case TokenKind::times:
    case TokenKind::dot_times: return "'*'";
    case TokenKind::divide:
    case TokenKind::dot_divide: return "'/'";
    case TokenKind::power:
    case TokenKind::dot_power: return "'^'";
    case TokenKind::equal_equal: return "'=='";
    case TokenKind::not_equal: return "'<>'";
    case TokenKind::less: return "'<'";
    case TokenKind::less_equal: return "'<='";
    case TokenKind::greater: return "'>'";
    case TokenKind::greater_equal: return "'>='";
    case TokenKind::kw_and: return "'and'";
    default: return "'or'";
    }
}
Op operation(TokenKind op) {
    switch (op) {
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

Quantity Translator::operate(const Context& c, TokenKind op, const Quantity& a, const Quantity& b, Span span) {
    const auto sizes_differ = [&] {
        fail("array-size", c.unit, span,
             "the operands of " + std::string(operator_name(op)) +
                 " have different sizes: " + dimensions_text(a.dimensions) + " and " + dimensions_text(b.dimensions));
    };
    const auto not_defined = [&] {
        fail("type", c.unit, span,
             "there is no " + std::string(operator_name(op)) + " of a " + std::string(spelling(a.kind)) +
                 (a.is_scalar() ? "" : dimensions_text(a.dimensions)) + " and a " + std::string(spelling(b.kind)) +
                 (b.is_scalar() ? "" : dimensions_text(b.dimensions)));
    };
    if (a.kind == Kind::record || b.kind == Kind::record) return overloaded(c, operator_name(op), {a, b}, span);
    const Op o = operation(op);
    if (a.kind == Kind::string && b.kind == Kind::string && a.is_scalar() && b.is_scalar()) {
        if (o == Op::add) return text(a.strings[0] + b.strings[0]);
        if (!is_known(a.strings[0]) || !is_known(b.strings[0]))
            unsupported(c.unit, span, "comparisons of strings that vary in time");
        const int order = a.strings[0].compare(b.strings[0]);
        if (expr::is_relation(o)) return scalar(Kind::boolean, g_.binary(o, g_.constant(order), g_.constant(0.0)));
    }
    if (expr::is_relation(o)) {
        const bool comparable = (is_number(a.kind) && is_number(b.kind)) || (a.kind == b.kind && has_nodes(a.kind));
        if (!comparable || !a.is_scalar() || !b.is_scalar()) not_defined();
        if (a.kind != Kind::real && b.kind != Kind::real && in_function_ == 0 && o != Op::eq && o != Op::ne &&
            !(g_.is_constant(a.node()) && g_.is_constant(b.node()))) {
            // Of whole numbers: the border lies between them, so that no event happens at equality.
            const bool below = o == Op::lt || o == Op::ge;
            const NodeId border = g_.add(b.node(), g_.constant(below ? -0.5 : 0.5));
            return scalar(Kind::boolean, logical(o, a.node(), border));
        }
        return scalar(Kind::boolean, logical(o, a.node(), b.node()));
    }
    if (o == Op::logical_and || o == Op::logical_or) {
        if (a.kind != Kind::boolean || b.kind != Kind::boolean) not_defined();
        if (a.dimensions != b.dimensions) sizes_differ();
        Quantity result = a;
        for (std::size_t k = 0; k < a.nodes.size(); ++k) result.nodes[k] = logical(o, a.nodes[k], b.nodes[k]);
        return result;
    }
    // An empty array has no kind that shows.
    const bool numbers = (is_number(a.kind) || a.size() == 0) && (is_number(b.kind) || b.size() == 0);
    if (!numbers) not_defined();
    const bool both_integer = a.kind == Kind::integer && b.kind == Kind::integer;
    const Kind kind = both_integer && o != Op::div && o != Op::pow ? Kind::integer : Kind::real;
    const auto combine = [&](NodeId x, NodeId y) {
        // A whole exponent is known: powers of negative numbers have derivatives then.
        if (o == Op::pow && b.kind == Kind::integer && !g_.is_constant(y))
            if (const auto exponent = fold(y)) y = g_.constant(*exponent);
        return g_.binary(o, x, y);
    };
    const bool by_element = elementwise_operator(op);
    if (a.is_scalar() && b.is_scalar()) return scalar(kind, combine(a.node(), b.node()));
    Quantity result;
    result.kind = kind;
    if (by_element || (op == TokenKind::times && (a.is_scalar() || b.is_scalar())) ||
        (op == TokenKind::divide && b.is_scalar())) {
        const Quantity& shape = a.is_scalar() ? b : a;
        if (!a.is_scalar() && !b.is_scalar() && a.dimensions != b.dimensions) sizes_differ();
        result.dimensions = shape.dimensions;
        for (std::size_t k = 0; k < shape.nodes.size(); ++k)
            result.nodes.push_back(combine(a.nodes[a.is_scalar() ? 0 : k], b.nodes[b.is_scalar() ? 0 : k]));
        return result;
    }
    if (op == TokenKind::plus || op == TokenKind::minus) {
        if (a.dimensions != b.dimensions) sizes_differ();
        result.dimensions = a.dimensions;
        for (std::size_t k = 0; k < a.nodes.size(); ++k) result.nodes.push_back(combine(a.nodes[k], b.nodes[k]));
        return result;
    }
    if (op == TokenKind::times) {
        const auto n = static_cast<std::size_t>(a.dimensions.back());
        if (a.rank() > 2 || b.rank() > 2) not_defined();
        if (a.dimensions.back() != b.dimensions.front()) sizes_differ();
        const std::size_t rows = a.rank() == 2 ? static_cast<std::size_t>(a.dimensions[0]) : 1;
        const std::size_t columns = b.rank() == 2 ? static_cast<std::size_t>(b.dimensions[1]) : 1;
        if (a.rank() == 2) result.dimensions.push_back(a.dimensions[0]);
        if (b.rank() == 2) result.dimensions.push_back(b.dimensions[1]);
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < columns; ++j) {
                NodeId sum = g_.constant(0.0);
                for (std::size_t k = 0; k < n; ++k)
                    sum = g_.add(sum, g_.mul(a.nodes[i * n + k], b.nodes[k * columns + j]));
                result.nodes.push_back(sum);
            }
        return result;
    }
    if (op == TokenKind::power && a.rank() == 2 && b.is_scalar() && a.dimensions[0] == a.dimensions[1]) {
        int power = whole(c, b, span, "the exponent of a matrix");
        if (power < 0) not_defined();
        Quantity product = like(a, a.dimensions);
        product.kind = Kind::real;
        const int n = a.dimensions[0];
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) product.nodes.push_back(g_.constant(i == j ? 1.0 : 0.0));
        while (power-- > 0) product = operate(c, TokenKind::times, product, a, span);
        return product;
    }
    not_defined();
    return {};
}

bool Translator::accepts(Instance* function, const std::vector<Quantity>& operands) {
    build(function);
    std::size_t k = 0;
    for (Element* e : function->elements) {
        if (e->is_class() || e->prefixes.causality != ast::Causality::input) continue;
        if (k == operands.size()) {
            if (!ast::given(e->component->binding)) return false;
            continue;
        }
        Instance* type = find_class(e->clause->type, e->node, e->unit);
        build(type);
        const Quantity& q = operands[k++];
        const std::size_t rank =
            e->component->dimensions.size() + e->clause->dimensions.size() + type->dimensions.size();
        if (rank != q.rank()) return false;
        if (type->kind == Kind::none
                ? q.kind != Kind::record || q.type == nullptr || q.type->definition != type->definition
                : type->kind != q.kind && !(type->kind == Kind::real && q.kind == Kind::integer))
            return false;
    }
    return k == operands.size();
}

bool Translator::try_operator(const Context& c, Instance* type, std::string_view op,
                              const std::vector<Quantity>& operands, Span span, Quantity& result) {
    Element* e = find_local(type, op);
    if (e == nullptr || !e->is_class()) return false;
    Instance* found = class_of(e);
    std::vector<Instance*> candidates;
    if (found->is_function()) {
        candidates.push_back(found);
    } else {
        build(found);
        for (Element* one : found->elements)
            if (one->is_class() && class_of(one)->is_function()) candidates.push_back(class_of(one));
    }
    for (Instance* f : candidates) {
        if (!accepts(f, operands)) continue;
        Arguments given;
        for (const Quantity& q : operands) given.emplace_back("", q);
        result = call_function(c, f, std::move(given), span, 1).at(0);
        return true;
    }
    return false;
}

Quantity Translator::overloaded(const Context& c, std::string_view op, const std::vector<Quantity>& operands,
                                Span span) {
    const Quantity& a = operands[0];
    const Quantity& b = operands.back();
    Quantity result;
    for (const Quantity& q : operands)
        if (q.kind == Kind::record && q.type != nullptr && try_operator(c, q.type, op, operands, span, result))
            return result;
    // A number beside a record becomes one by the record's constructor.
    if (operands.size() == 2 && a.is_scalar() && b.is_scalar() &&
        (a.kind == Kind::record) != (b.kind == Kind::record)) {
        const Quantity& record = a.kind == Kind::record ? a : b;
        const Quantity& other = a.kind == Kind::record ? b : a;
        Quantity made;
        if (!try_operator(c, record.type, "'constructor'", {other}, span, made))
            made = construct_record(c, record.type, {{"", other}}, span);
        const std::vector<Quantity> both = a.kind == Kind::record ? std::vector{a, made} : std::vector{made, b};
        if (try_operator(c, record.type, op, both, span, result)) return result;
    }
    // Element by element, and products of arrays.
    if (operands.size() == 1 && !a.is_scalar()) {
        result = like(a, a.dimensions);
        for (std::size_t k = 0; k < a.size(); ++k) append(result, overloaded(c, op, {slice(a, k, {})}, span));
        return result;
    }
    if (operands.size() == 2 && (!a.is_scalar() || !b.is_scalar())) {
        const bool same = a.dimensions == b.dimensions;
        if (op == "'*'" && !a.is_scalar() && !b.is_scalar()) {
            if (a.rank() > 2 || b.rank() > 2 || a.dimensions.back() != b.dimensions.front())
                fail("array-size", c.unit, span,
                     "the factors have the sizes " + dimensions_text(a.dimensions) + " and " +
                         dimensions_text(b.dimensions));
            const auto n = static_cast<std::size_t>(a.dimensions.back());
            const std::size_t rows = a.rank() == 2 ? static_cast<std::size_t>(a.dimensions[0]) : 1;
            const std::size_t columns = b.rank() == 2 ? static_cast<std::size_t>(b.dimensions[1]) : 1;
            std::vector<int> dimensions;
            if (a.rank() == 2) dimensions.push_back(a.dimensions[0]);
            if (b.rank() == 2) dimensions.push_back(b.dimensions[1]);
            result = like(a.kind == Kind::record ? a : b, dimensions);
            for (std::size_t i = 0; i < rows; ++i)
                for (std::size_t j = 0; j < columns; ++j) {
                    Quantity sum;
                    for (std::size_t k = 0; k < n; ++k) {
                        Quantity term =
                            operate(c, TokenKind::times, slice(a, i * n + k, {}), slice(b, k * columns + j, {}), span);
                        sum = k == 0 ? term : operate(c, TokenKind::plus, sum, term, span);
                    }
                    append(result, sum);
                }
            return result;
        }
        if (same || a.is_scalar() || b.is_scalar()) {
            const Quantity& shape = a.is_scalar() ? b : a;
            for (std::size_t k = 0; k < shape.size(); ++k) {
                Quantity one =
                    overloaded(c, op, {slice(a, a.is_scalar() ? 0 : k, {}), slice(b, b.is_scalar() ? 0 : k, {})}, span);
                if (k == 0) result = like(one, shape.dimensions);
                append(result, one);
            }
            return result;
        }
    }
    fail("type", c.unit, span, "there is no operator " + std::string(op) + " for these operands");
}

} // namespace daedalus::modelica
