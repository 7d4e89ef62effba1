// atan: inverse tangent; d atan(x) = 1 / (1 + x^2).
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::atan(x); }

NodeId derivative(Graph& g, NodeId self, int /*k*/) {
    const NodeId x = g.operand(self, 0);
    return g.div(g.constant(1.0), g.add(g.constant(1.0), g.mul(x, x)));
}

// u v' = a' with u = 1 + a^2
struct Rule {
    static constexpr bool partner = true;
    template <class T>
    static void step(int k, const T* a, const T* /*b*/, T* v, T* u) {
        u[k] = convolution(k, 0, k, a, a);
        if (k == 0)
            u[0] = T(1.0) + u[0];
        else
            v[k] = (a[k] - integral(k, 1, k - 1, v, u)) / u[0];
    }
};

} // namespace

extern const Function function_atan;
const Function function_atan{.op = Op::atan,
                             .name = "atan",
                             .latex = R"(\arctan)",
                             .meaning = "inverse tangent",
                             .value1 = value,
                             .derivative = derivative,
                             .taylor = taylor_rule<Rule>(),
                             .domain = nullptr};

} // namespace daedalus::expr
