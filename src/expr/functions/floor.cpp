// floor: largest integer not above; zero derivative almost everywhere.
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::floor(x); }

NodeId derivative(Graph& /*g*/, NodeId /*self*/, int /*k*/) { return no_node; }

} // namespace

extern const Function function_floor;
const Function function_floor{.op = Op::floor,
                              .name = "floor",
                              .latex = R"(\operatorname{floor})",
                              .meaning = "largest integer not above",
                              .value1 = value,
                              .derivative = derivative,
                              .taylor = taylor_rule<PiecewiseConstantRule>(),
                              .domain = nullptr};

} // namespace daedalus::expr
