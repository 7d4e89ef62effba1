// cos: cosine; d cos(x) = -sin(x).
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::cos(x); }

NodeId derivative(Graph& g, NodeId self, int /*k*/) {
    const NodeId x = g.operand(self, 0);
    return g.neg(g.unary(Op::sin, x));
}

} // namespace

extern const Function function_cos;
const Function function_cos{.op = Op::cos,
                            .name = "cos",
                            .latex = R"(\cos)",
                            .meaning = "cosine",
                            .value1 = value,
                            .derivative = derivative,
                            .domain = nullptr};

} // namespace daedalus::expr
