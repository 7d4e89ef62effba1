// sign: sign: -1, 0 or 1; zero derivative almost everywhere.
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {

namespace {

double value(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }
Quad quad_value(Quad x) { return x > 0 ? Quad(1) : x < 0 ? Quad(-1) : x; }

Range range(const Range& a, const Range& /*b*/) {
    if (a.low > 0.0) return 1.0;
    return a.high < 0.0 ? Range{-1.0} : Range{-1.0, 1.0, false};
}

NodeId derivative(Graph& /*g*/, NodeId /*self*/, int /*k*/) { return no_node; }

} // namespace

extern const Function function_sign;
const Function function_sign{.op = Op::sign,
                             .name = "sign",
                             .arguments = "v",
                             .latex = R"(\operatorname{sign})",
                             .meaning = "sign: -1, 0 or 1",
                             .value1 = value,
                             .quad1 = quad_value,
                             .derivative = derivative,
                             .taylor = taylor_rule<PiecewiseConstantRule>(),
                             .range = range,
                             .smooth = false,
                             .whole_values = true};

} // namespace daedalus::expr
