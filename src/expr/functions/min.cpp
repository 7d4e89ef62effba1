// min: smaller of two; the derivative is that of the smaller one.
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double a, double b) { return b < a ? b : a; }

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
                            .latex = R"(\min)",
                            .meaning = "smaller of two",
                            .value2 = value,
                            .derivative = derivative,
                            .taylor = taylor_rule<Rule>(),
                            .domain = nullptr};

} // namespace daedalus::expr
