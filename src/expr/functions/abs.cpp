// abs: absolute value; the derivative is that of the branch, of x at the kink.
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::abs(x); }

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
                            .latex = R"(\operatorname{abs})",
                            .meaning = "absolute value",
                            .value1 = value,
                            .derivative = derivative,
                            .taylor = taylor_rule<Rule>(),
                            .domain = nullptr};

} // namespace daedalus::expr
