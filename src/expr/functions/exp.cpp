// exp: exponential; d exp(x) = exp(x).
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::exp(x); }

NodeId derivative(Graph& /*g*/, NodeId self, int /*k*/) { return self; }

std::string_view domain(double x, double /*unused*/) {
    return std::isinf(std::exp(x)) && std::isfinite(x) ? "overflows" : "";
}

} // namespace

extern const Function function_exp;
const Function function_exp{.op = Op::exp,
                            .name = "exp",
                            .latex = R"(\exp)",
                            .meaning = "exponential",
                            .value1 = value,
                            .derivative = derivative,
                            .domain = domain};

} // namespace daedalus::expr
