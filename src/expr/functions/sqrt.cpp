// sqrt: square root; d sqrt(x) = 1 / (2 sqrt(x)).
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::sqrt(x); }

NodeId derivative(Graph& g, NodeId self, int /*k*/) { return g.div(g.constant(0.5), self); }

std::string_view domain(double x, double /*unused*/) { return x < 0 ? "of a negative number" : ""; }

} // namespace

extern const Function function_sqrt;
const Function function_sqrt{.op = Op::sqrt,
                             .name = "sqrt",
                             .latex = R"(\sqrt)",
                             .meaning = "square root",
                             .value1 = value,
                             .derivative = derivative,
                             .domain = domain};

} // namespace daedalus::expr
