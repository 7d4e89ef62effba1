// asin: inverse sine; d asin(x) = 1 / sqrt(1 - x^2).
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::asin(x); }

NodeId derivative(Graph& g, NodeId self, int /*k*/) {
    const NodeId x = g.operand(self, 0);
    return g.div(g.constant(1.0), g.unary(Op::sqrt, g.sub(g.constant(1.0), g.mul(x, x))));
}

std::string_view domain(double x, double /*unused*/) { return std::abs(x) > 1 ? "of a number outside [-1, 1]" : ""; }

// u v' = a', u' = -a v' with u = sqrt(1 - a^2)
struct Rule {
    static constexpr bool partner = true;
    template <class T>
    static void step(int k, const T* a, const T* /*b*/, T* v, T* u) {
        if (k == 0) {
            u[0] = apply_to(Op::sqrt, (T(1.0) - a[0]) * (T(1.0) + a[0]));
            return;
        }
        v[k] = (a[k] - integral(k, 1, k - 1, v, u)) / u[0];
        u[k] = -integral(k, 1, k, v, a);
    }
};

} // namespace

extern const Function function_asin;
const Function function_asin{.op = Op::asin,
                             .name = "asin",
                             .latex = R"(\arcsin)",
                             .meaning = "inverse sine",
                             .value1 = value,
                             .derivative = derivative,
                             .taylor = taylor_rule<Rule>(),
                             .domain = domain};

} // namespace daedalus::expr
