// cosh: hyperbolic cosine; d cosh(x) = sinh(x).
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::cosh(x); }

NodeId derivative(Graph& g, NodeId self, int /*k*/) {
    const NodeId x = g.operand(self, 0);
    return g.unary(Op::sinh, x);
}

} // namespace

extern const Function function_cosh;
const Function function_cosh{.op = Op::cosh,
                             .name = "cosh",
                             .latex = R"(\cosh)",
                             .meaning = "hyperbolic cosine",
                             .value1 = value,
                             .derivative = derivative,
                             .domain = nullptr};

} // namespace daedalus::expr
