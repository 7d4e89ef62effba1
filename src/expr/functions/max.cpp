// max: larger of two; the derivative is that of the larger one.
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double a, double b) { return b > a ? b : a; }

NodeId derivative(Graph& g, NodeId self, int k) {
    const NodeId a = g.operand(self, 0);
    const NodeId b = g.operand(self, 1);
    const NodeId second = g.binary(Op::gt, b, a);
    return k == 0 ? g.select(second, g.constant(0.0), g.constant(1.0))
                  : g.select(second, g.constant(1.0), g.constant(0.0));
}

// the series of the larger one
struct Rule {
    static constexpr bool partner = false;
    template <class T>
    static void step(int k, const T* a, const T* b, T* v, T* /*u*/) {
        if (k > 0) v[k] = apply_to(Op::select, apply_to(Op::gt, b[0], a[0]), b[k], a[k]);
    }
};

} // namespace

extern const Function function_max;
const Function function_max{.op = Op::max,
                            .name = "max",
                            .latex = R"(\max)",
                            .meaning = "larger of two",
                            .value2 = value,
                            .derivative = derivative,
                            .taylor = taylor_rule<Rule>(),
                            .domain = nullptr};

} // namespace daedalus::expr
