// tanh: hyperbolic tangent; d tanh(x) = 1 - tanh(x)^2.
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::tanh(x); }

NodeId derivative(Graph& g, NodeId self, int /*k*/) { return g.sub(g.constant(1.0), g.mul(self, self)); }

} // namespace

extern const Function function_tanh;
const Function function_tanh{.op = Op::tanh,
                             .name = "tanh",
                             .latex = R"(\tanh)",
                             .meaning = "hyperbolic tangent",
                             .value1 = value,
                             .derivative = derivative,
                             .domain = nullptr};

} // namespace daedalus::expr
