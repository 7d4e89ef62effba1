// atan2: angle of the point (b, a); d atan2(a, b) = (b da - a db) / (a^2 + b^2).
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double a, double b) { return std::atan2(a, b); }

NodeId derivative(Graph& g, NodeId self, int k) {
    const NodeId a = g.operand(self, 0);
    const NodeId b = g.operand(self, 1);
    const NodeId r2 = g.add(g.mul(a, a), g.mul(b, b));
    return k == 0 ? g.div(b, r2) : g.neg(g.div(a, r2));
}

// u v' = b a' - a b' with u = a^2 + b^2
struct Rule {
    static constexpr bool partner = true;
    template <class T>
    static void step(int k, const T* a, const T* b, T* v, T* u) {
        u[k] = convolution(k, 0, k, a, a) + convolution(k, 0, k, b, b);
        if (k > 0) v[k] = (integral(k, 1, k, a, b) - integral(k, 1, k, b, a) - integral(k, 1, k - 1, v, u)) / u[0];
    }
};

} // namespace

extern const Function function_atan2;
const Function function_atan2{.op = Op::atan2,
                              .name = "atan2",
                              .latex = R"(\operatorname{atan2})",
                              .meaning = "angle of the point (b, a)",
                              .value2 = value,
                              .derivative = derivative,
                              .taylor = taylor_rule<Rule>(),
                              .domain = nullptr};

} // namespace daedalus::expr
