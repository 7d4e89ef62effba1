// tan: tangent; d tan(x) = 1 + tan(x)^2.
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::tan(x); }

NodeId derivative(Graph& g, NodeId self, int /*k*/) { return g.add(g.constant(1.0), g.mul(self, self)); }

// v' = u a' with u = 1 + v^2
struct Rule {
    static constexpr bool partner = true;
    template <class T>
    static void step(int k, const T* a, const T* /*b*/, T* v, T* u) {
        if (k > 0) v[k] = integral(k, 1, k, a, u);
        u[k] = convolution(k, 0, k, v, v);
        if (k == 0) u[0] = T(1.0) + u[0];
    }
};

} // namespace

extern const Function function_tan;
const Function function_tan{.op = Op::tan,
                            .name = "tan",
                            .latex = R"(\tan)",
                            .meaning = "tangent",
                            .value1 = value,
                            .derivative = derivative,
                            .taylor = taylor_rule<Rule>(),
                            .domain = nullptr};

} // namespace daedalus::expr
