// ceil: smallest integer not below; zero derivative almost everywhere.
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::ceil(x); }

NodeId derivative(Graph& /*g*/, NodeId /*self*/, int /*k*/) { return no_node; }

} // namespace

extern const Function function_ceil;
const Function function_ceil{.op = Op::ceil,
                             .name = "ceil",
                             .latex = R"(\operatorname{ceil})",
                             .meaning = "smallest integer not below",
                             .value1 = value,
                             .derivative = derivative,
                             .taylor = taylor_rule<PiecewiseConstantRule>(),
                             .domain = nullptr};

} // namespace daedalus::expr
