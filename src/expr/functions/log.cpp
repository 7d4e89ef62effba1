// log: natural logarithm; d log(x) = 1 / x.
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::log(x); }

NodeId derivative(Graph& g, NodeId self, int /*k*/) {
    const NodeId x = g.operand(self, 0);
    return g.div(g.constant(1.0), x);
}

std::string_view domain(double x, double /*unused*/) { return x <= 0 ? "of a number that is not positive" : ""; }

} // namespace

extern const Function function_log;
const Function function_log{.op = Op::log,
                            .name = "log",
                            .latex = R"(\ln)",
                            .meaning = "natural logarithm",
                            .value1 = value,
                            .derivative = derivative,
                            .domain = domain};

} // namespace daedalus::expr
