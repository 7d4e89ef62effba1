// Public expressions: a graph and a node, or a plain number until it meets a graph.
#include "daedalus/expression.hpp"

#include "expr/differentiate.hpp"
#include "expr/evaluate.hpp"
#include "facade/access.hpp"

namespace daedalus {

namespace {

using expr::Op;

using Access = Expression::Access;

Expression unary(Op op, const Expression& a) {
    const Access::Graph g = Access::graph(a);
    if (!g) return expr::apply(op, Access::value(a));
    return Access::make(g, g->unary(op, Access::node(a, *g)));
}

Expression binary(Op op, const Expression& a, const Expression& b) {
    const Access::Graph g = Access::graph(a) ? Access::graph(a) : Access::graph(b);
    if (!g) return expr::apply(op, Access::value(a), Access::value(b));
    return Access::make(g, g->binary(op, Access::node(a, *g), Access::node(b, *g)));
}

} // namespace

Expression& Expression::operator+=(const Expression& b) { return *this = *this + b; }
Expression& Expression::operator-=(const Expression& b) { return *this = *this - b; }
Expression& Expression::operator*=(const Expression& b) { return *this = *this * b; }
Expression& Expression::operator/=(const Expression& b) { return *this = *this / b; }

Expression operator+(const Expression& a, const Expression& b) { return binary(Op::add, a, b); }
Expression operator-(const Expression& a, const Expression& b) { return binary(Op::sub, a, b); }
Expression operator*(const Expression& a, const Expression& b) { return binary(Op::mul, a, b); }
Expression operator/(const Expression& a, const Expression& b) { return binary(Op::div, a, b); }
Expression operator-(const Expression& a) { return unary(Op::neg, a); }

Expression pow(const Expression& a, const Expression& b) { return binary(Op::pow, a, b); }

#define DAEDALUS_DEFINE_1(name)                                                                                        \
    Expression name(const Expression& a) { return unary(Op::name, a); }
#define DAEDALUS_DEFINE_2(name)                                                                                        \
    Expression name(const Expression& a, const Expression& b) { return binary(Op::name, a, b); }
#define DAEDALUS_FUNCTION(name, arguments) DAEDALUS_DEFINE_##arguments(name)
#include "daedalus/elementary_functions.inc"
#undef DAEDALUS_FUNCTION

Expression der(const Expression& a) {
    const Access::Graph g = Access::graph(a);
    if (!g) return 0.0;
    expr::TimeDerivative ddt(*g);
    const expr::NodeId value = Access::node(a, *g), slope = ddt(value);
    g->remember_derivative(value, slope);
    return Access::make(g, slope);
}

Expression operator<(const Expression& a, const Expression& b) { return binary(Op::lt, a, b); }
Expression operator<=(const Expression& a, const Expression& b) { return binary(Op::le, a, b); }
Expression operator>(const Expression& a, const Expression& b) { return binary(Op::gt, a, b); }
Expression operator>=(const Expression& a, const Expression& b) { return binary(Op::ge, a, b); }
Expression operator&&(const Expression& a, const Expression& b) { return binary(Op::logical_and, a, b); }
Expression operator||(const Expression& a, const Expression& b) { return binary(Op::logical_or, a, b); }
Expression operator!(const Expression& a) { return unary(Op::logical_not, a); }

Expression if_then_else(const Expression& condition, const Expression& then_value, const Expression& else_value) {
    const Access::Graph g = Access::graph(condition);
    if (!g) return Access::value(condition) != 0 ? then_value : else_value;
    return Access::make(
        g, g->select(Access::node(condition, *g), Access::node(then_value, *g), Access::node(else_value, *g)));
}

} // namespace daedalus
