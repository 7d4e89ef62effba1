// acos: inverse cosine; d acos(x) = -1 / sqrt(1 - x^2).
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::acos(x); }

NodeId derivative(Graph& g, NodeId self, int /*k*/) {
    const NodeId x = g.operand(self, 0);
    return g.div(g.constant(-1.0), g.unary(Op::sqrt, g.sub(g.constant(1.0), g.mul(x, x))));
}

std::string_view domain(double x, double /*unused*/) { return std::abs(x) > 1 ? "of a number outside [-1, 1]" : ""; }

} // namespace

extern const Function function_acos;
const Function function_acos{.op = Op::acos,
                             .name = "acos",
                             .latex = R"(\arccos)",
                             .meaning = "inverse cosine",
                             .value1 = value,
                             .derivative = derivative,
                             .domain = domain};

} // namespace daedalus::expr
