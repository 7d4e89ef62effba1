// tan: tangent; d tan(x) = 1 + tan(x)^2.
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::tan(x); }

NodeId derivative(Graph& g, NodeId self, int /*k*/) { return g.add(g.constant(1.0), g.mul(self, self)); }

} // namespace

extern const Function function_tan;
const Function function_tan{.op = Op::tan,
                            .name = "tan",
                            .latex = R"(\tan)",
                            .meaning = "tangent",
                            .value1 = value,
                            .derivative = derivative,
                            .domain = nullptr};

} // namespace daedalus::expr
