// sin: sine; d sin(x) = cos(x).
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::sin(x); }

NodeId derivative(Graph& g, NodeId self, int /*k*/) {
    const NodeId x = g.operand(self, 0);
    return g.unary(Op::cos, x);
}

} // namespace

extern const Function function_sin;
const Function function_sin{.op = Op::sin,
                            .name = "sin",
                            .latex = R"(\sin)",
                            .meaning = "sine",
                            .value1 = value,
                            .derivative = derivative,
                            .domain = nullptr};

} // namespace daedalus::expr
