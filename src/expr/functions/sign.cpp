// sign: sign: -1, 0 or 1; zero derivative almost everywhere.
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; }

NodeId derivative(Graph& /*g*/, NodeId /*self*/, int /*k*/) { return no_node; }

} // namespace

extern const Function function_sign;
const Function function_sign{.op = Op::sign,
                             .name = "sign",
                             .latex = R"(\operatorname{sign})",
                             .meaning = "sign: -1, 0 or 1",
                             .value1 = value,
                             .derivative = derivative,
                             .taylor = taylor_rule<PiecewiseConstantRule>(),
                             .domain = nullptr};

} // namespace daedalus::expr
