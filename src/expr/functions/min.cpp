// min: smaller of two; the derivative is that of the smaller one.
#include "expr/functions/function.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::expr {

namespace {

double value(double a, double b) { return b < a ? b : a; }
Quad quad_value(Quad a, Quad b) { return b < a ? b : a; }

Range range(const Range& a, const Range& b) { return {std::min(a.low, b.low), std::min(a.high, b.high)}; }

NodeId derivative(Graph& g, NodeId self, int k) {
    const NodeId a = g.operand(self, 0);
    const NodeId b = g.operand(self, 1);
    const NodeId second = g.binary(Op::lt, b, a);
    return k == 0 ? g.select(second, g.constant(0.0), g.constant(1.0))
                  : g.select(second, g.constant(1.0), g.constant(0.0));
}

// the series of the smaller one
struct Rule {
    static constexpr bool partner = false;
    template <class T>
    static void step(int k, const T* a, const T* b, T* v, T* /*u*/) {
        if (k > 0) v[k] = apply_to(Op::select, apply_to(Op::lt, b[0], a[0]), b[k], a[k]);
    }
};

} // namespace

extern const Function function_min;
const Function function_min{.op = Op::min,
                            .name = "min",
                            .arguments = "x y",
                            .latex = R"(\min)",
                            .meaning = "smaller of two",
                            .value2 = value,
                            .quad2 = quad_value,
                            .derivative = derivative,
                            .taylor = taylor_rule<Rule>(),
                            .range = range,
                            .smooth = false,
                            .called = false,
                            .keeps_integer = true};

} // namespace daedalus::expr
