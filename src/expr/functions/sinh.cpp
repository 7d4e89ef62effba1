// sinh: hyperbolic sine; d sinh(x) = cosh(x).
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::sinh(x); }

NodeId derivative(Graph& g, NodeId self, int /*k*/) {
    const NodeId x = g.operand(self, 0);
    return g.unary(Op::cosh, x);
}

} // namespace

extern const Function function_sinh;
const Function function_sinh{.op = Op::sinh,
                             .name = "sinh",
                             .latex = R"(\sinh)",
                             .meaning = "hyperbolic sine",
                             .value1 = value,
                             .derivative = derivative,
                             .domain = nullptr};

} // namespace daedalus::expr
