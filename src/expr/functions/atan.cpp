// atan: inverse tangent; d atan(x) = 1 / (1 + x^2).
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::atan(x); }

NodeId derivative(Graph& g, NodeId self, int /*k*/) {
    const NodeId x = g.operand(self, 0);
    return g.div(g.constant(1.0), g.add(g.constant(1.0), g.mul(x, x)));
}

} // namespace

extern const Function function_atan;
const Function function_atan{.op = Op::atan,
                             .name = "atan",
                             .latex = R"(\arctan)",
                             .meaning = "inverse tangent",
                             .value1 = value,
                             .derivative = derivative,
                             .domain = nullptr};

} // namespace daedalus::expr
