// abs: absolute value; the derivative is that of the branch, of x at the kink.
#include "expr/functions/function.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::expr {

extern "C" Quad fabsq(Quad) noexcept;

namespace {

double value(double x) { return std::abs(x); }

Range range(const Range& a, const Range& /*b*/) {
    if (a.low >= 0.0) return {a.low, a.high};
    return a.high <= 0.0 ? Range{-a.high, -a.low} : Range{0.0, std::max(-a.low, a.high)};
}

NodeId derivative(Graph& g, NodeId self, int /*k*/) {
    const NodeId x = g.operand(self, 0);
    // A relation, as the kink itself: both are decided together.
    return g.select(g.binary(Op::lt, x, g.constant(0.0)), g.constant(-1.0), g.constant(1.0));
}

// v' = sign(a_0) a'
struct Rule {
    static constexpr bool partner = false;
    template <class T>
    static void step(int k, const T* a, const T* /*b*/, T* v, T* /*u*/) {
        if (k > 0) v[k] = apply_to(Op::sign, a[0]) * a[k];
    }
};

} // namespace

extern const Function function_abs;
const Function function_abs{.op = Op::abs,
                            .name = "abs",
                            .arguments = "v",
                            .latex = R"(\operatorname{abs})",
                            .meaning = "absolute value",
                            .value1 = value,
                            .quad1 = fabsq,
                            .derivative = derivative,
                            .taylor = taylor_rule<Rule>(),
                            .range = range,
                            .smooth = false,
                            .called = false,
                            .keeps_integer = true};

} // namespace daedalus::expr
