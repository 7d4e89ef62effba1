// cos: cosine; d cos(x) = -sin(x).
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::cos(x); }

NodeId derivative(Graph& g, NodeId self, int /*k*/) {
    const NodeId x = g.operand(self, 0);
    return g.neg(g.unary(Op::sin, x));
}

// v' = -u a', u' = v a'; the partner is the sine
struct Rule {
    static constexpr bool partner = true;
    template <class T>
    static void step(int k, const T* a, const T* /*b*/, T* v, T* u) {
        if (k == 0) {
            u[0] = apply_to(Op::sin, a[0]);
            return;
        }
        v[k] = -integral(k, 1, k, a, u);
        u[k] = integral(k, 1, k, a, v);
    }
};

} // namespace

extern const Function function_cos;
const Function function_cos{.op = Op::cos,
                            .name = "cos",
                            .latex = R"(\cos)",
                            .meaning = "cosine",
                            .value1 = value,
                            .derivative = derivative,
                            .taylor = taylor_rule<Rule>(),
                            .domain = nullptr};

} // namespace daedalus::expr
