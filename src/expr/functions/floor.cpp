// floor: largest integer not above; zero derivative almost everywhere.
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {

extern "C" Quad floorq(Quad) noexcept;

namespace {

double value(double x) { return std::floor(x); }

Range range(const Range& a, const Range& /*b*/) { return steps(value(a.low), value(a.high)); }

NodeId derivative(Graph& /*g*/, NodeId /*self*/, int /*k*/) { return no_node; }

} // namespace

extern const Function function_floor;
const Function function_floor{.op = Op::floor,
                              .name = "floor",
                              .arguments = "x",
                              .latex = R"(\operatorname{floor})",
                              .meaning = "largest integer not above",
                              .value1 = value,
                              .quad1 = floorq,
                              .derivative = derivative,
                              .taylor = taylor_rule<PiecewiseConstantRule>(),
                              .range = range,
                              .smooth = false,
                              .whole_values = true};

} // namespace daedalus::expr
