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
Expression sqrt(const Expression& a) { return unary(Op::sqrt, a); }
Expression exp(const Expression& a) { return unary(Op::exp, a); }
Expression log(const Expression& a) { return unary(Op::log, a); }
Expression log10(const Expression& a) { return unary(Op::log10, a); }
Expression sin(const Expression& a) { return unary(Op::sin, a); }
Expression cos(const Expression& a) { return unary(Op::cos, a); }
Expression tan(const Expression& a) { return unary(Op::tan, a); }
Expression asin(const Expression& a) { return unary(Op::asin, a); }
Expression acos(const Expression& a) { return unary(Op::acos, a); }
Expression atan(const Expression& a) { return unary(Op::atan, a); }
Expression atan2(const Expression& a, const Expression& b) { return binary(Op::atan2, a, b); }
Expression sinh(const Expression& a) { return unary(Op::sinh, a); }
Expression cosh(const Expression& a) { return unary(Op::cosh, a); }
Expression tanh(const Expression& a) { return unary(Op::tanh, a); }
Expression abs(const Expression& a) { return unary(Op::abs, a); }
Expression sign(const Expression& a) { return unary(Op::sign, a); }
Expression floor(const Expression& a) { return unary(Op::floor, a); }
Expression ceil(const Expression& a) { return unary(Op::ceil, a); }
Expression min(const Expression& a, const Expression& b) { return binary(Op::min, a, b); }
Expression max(const Expression& a, const Expression& b) { return binary(Op::max, a, b); }

Expression der(const Expression& a) {
    const Access::Graph g = Access::graph(a);
    if (!g) return 0.0;
    expr::TimeDerivative ddt(*g);
    return Access::make(g, ddt(Access::node(a, *g)));
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
