// ceil: smallest integer not below; zero derivative almost everywhere.
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {

extern "C" Quad ceilq(Quad) noexcept;

namespace {

double value(double x) { return std::ceil(x); }

Range range(const Range& a, const Range& /*b*/) { return steps(value(a.low), value(a.high)); }

NodeId derivative(Graph& /*g*/, NodeId /*self*/, int /*k*/) { return no_node; }

} // namespace

extern const Function function_ceil;
const Function function_ceil{.op = Op::ceil,
                             .name = "ceil",
                             .arguments = "x",
                             .latex = R"(\operatorname{ceil})",
                             .meaning = "smallest integer not below",
                             .value1 = value,
                             .quad1 = ceilq,
                             .derivative = derivative,
                             .taylor = taylor_rule<PiecewiseConstantRule>(),
                             .range = range,
                             .smooth = false,
                             .whole_values = true};

} // namespace daedalus::expr
