// tanh: hyperbolic tangent; d tanh(x) = 1 - tanh(x)^2.
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {

extern "C" Quad tanhq(Quad) noexcept;

namespace {

double value(double x) { return std::tanh(x); }

Range range(const Range& a, const Range& /*b*/) { return increasing(a, value); }

// v' = u a' with u = 1 - v^2
struct Rule {
    static constexpr bool partner = true;
    template <class T>
    static T derivative(int /*k*/, const T& /*a*/, const T& /*b*/, const T& v) {
        return T(1.0) - square(v);
    }
    template <class T>
    static void step(int k, const T* a, const T* /*b*/, T* v, T* u) {
        if (k > 0) v[k] = integral(k, 1, k, a, u);
        u[k] = -convolution(k, 0, k, v, v);
        if (k == 0) u[0] = T(1.0) + u[0];
    }
};

} // namespace

extern const Function function_tanh;
const Function function_tanh{.op = Op::tanh,
                             .name = "tanh",
                             .latex = R"(\tanh)",
                             .meaning = "hyperbolic tangent",
                             .value1 = value,
                             .quad1 = tanhq,
                             .derivative = symbolic_derivative<Rule>,
                             .derivative_range = derivative_range<Rule>,
                             .taylor = taylor_rule<Rule>(),
                             .range = range,
                             .steep = true,
                             .in_libmvec = true};

} // namespace daedalus::expr
