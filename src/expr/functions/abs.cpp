// abs: absolute value; d abs(x) = sign(x), taken as 0 at the kink.
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::abs(x); }

NodeId derivative(Graph& g, NodeId self, int /*k*/) {
    const NodeId x = g.operand(self, 0);
    return g.unary(Op::sign, x);
}

} // namespace

extern const Function function_abs;
const Function function_abs{.op = Op::abs,
                            .name = "abs",
                            .latex = R"(\operatorname{abs})",
                            .meaning = "absolute value",
                            .value1 = value,
                            .derivative = derivative,
                            .domain = nullptr};

} // namespace daedalus::expr
