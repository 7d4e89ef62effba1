#include "expr/functions/taylor_rule.hpp"

#include "expr/evaluate.hpp"
#include "expr/functions/function.hpp"

#include <array>
#include <cassert>

namespace daedalus::expr {

extern "C" Quad powq(Quad, Quad) noexcept; // <quadmath.h> is found by g++ only

namespace {

Symbol combine(Op op, const Symbol& a, const Symbol& b) {
    Graph* g = a.graph != nullptr ? a.graph : b.graph;
    if (g == nullptr) return apply(op, a.value, b.value);
    return {*g, g->binary(op, a.in(*g), b.in(*g))};
}

struct NegRule {
    static constexpr bool partner = false;
    template <class T>
    static void step(int k, const T* a, const T* /*b*/, T* v, T* /*u*/) {
        v[k] = -a[k];
    }
};
struct AddRule {
    static constexpr bool partner = false;
    template <class T>
    static void step(int k, const T* a, const T* b, T* v, T* /*u*/) {
        v[k] = a[k] + b[k];
    }
};
struct SubRule {
    static constexpr bool partner = false;
    template <class T>
    static void step(int k, const T* a, const T* b, T* v, T* /*u*/) {
        v[k] = a[k] - b[k];
    }
};
struct MulRule {
    static constexpr bool partner = false;
    template <class T>
    static void step(int k, const T* a, const T* b, T* v, T* /*u*/) {
        v[k] = convolution(k, 0, k, a, b);
    }
};
// v b = a
struct DivRule {
    static constexpr bool partner = false;
    template <class T>
    static void step(int k, const T* a, const T* b, T* v, T* /*u*/) {
        v[k] = (a[k] - convolution(k, 1, k, b, v)) / b[0];
    }
};
// a v' = b v a'
struct PowRule {
    static constexpr bool partner = false;
    template <class T>
    static void step(int k, const T* a, const T* b, T* v, T* /*u*/) {
        if (k > 0) v[k] = (b[0] * integral(k, 1, k, a, v) - integral(k, 1, k - 1, v, a)) / a[0];
    }
};

} // namespace

Symbol operator+(const Symbol& a, const Symbol& b) { return combine(Op::add, a, b); }
Symbol operator-(const Symbol& a, const Symbol& b) { return combine(Op::sub, a, b); }
Symbol operator*(const Symbol& a, const Symbol& b) { return combine(Op::mul, a, b); }
Symbol operator/(const Symbol& a, const Symbol& b) { return combine(Op::div, a, b); }
Symbol operator-(const Symbol& a) {
    if (a.graph == nullptr) return -a.value;
    return {*a.graph, a.graph->neg(a.id)};
}

double apply_to(Op op, double a, double b, double c) { return apply(op, a, b, c); }

Symbol apply_to(Op op, const Symbol& a, const Symbol& b, const Symbol& c) {
    Graph* g = a.graph != nullptr ? a.graph : b.graph != nullptr ? b.graph : c.graph;
    if (g == nullptr) return apply(op, a.value, b.value, c.value);
    const NodeId operands[] = {a.in(*g), arity(op) > 1 ? b.in(*g) : no_node, arity(op) > 2 ? c.in(*g) : no_node};
    return {*g, g->rebuild(op, std::span(operands, static_cast<std::size_t>(arity(op))))};
}

Quad apply_to(Op op, Quad a, Quad b, Quad c) {
    switch (op) {
    case Op::neg: return -a;
    case Op::add: return a + b;
    case Op::sub: return a - b;
    case Op::mul: return a * b;
    case Op::div: return a / b;
    case Op::pow: return powq(a, b);
    case Op::lt: return a < b;
    case Op::le: return a <= b;
    case Op::gt: return a > b;
    case Op::ge: return a >= b;
    case Op::eq: return a == b;
    case Op::ne: return a != b;
    case Op::logical_and: return a != 0 && b != 0;
    case Op::logical_or: return a != 0 || b != 0;
    case Op::logical_not: return a == 0;
    case Op::select: return a != 0 ? b : c;
    default: {
        const Function& f = function(op);
        return f.quad1 ? f.quad1(a) : f.quad2(a, b);
    }
    }
}

const TaylorRule& taylor_rule_of(Op op) {
    static constexpr TaylorRule neg = taylor_rule<NegRule>(), add = taylor_rule<AddRule>(),
                                sub = taylor_rule<SubRule>(), mul = taylor_rule<MulRule>(),
                                div = taylor_rule<DivRule>(), pow = taylor_rule<PowRule>(),
                                constant = taylor_rule<PiecewiseConstantRule>();
    switch (op) {
    case Op::neg: return neg;
    case Op::add: return add;
    case Op::sub: return sub;
    case Op::mul: return mul;
    case Op::div: return div;
    case Op::pow: return pow;
    default: return is_function(op) ? function(op).taylor : constant;
    }
}

} // namespace daedalus::expr
