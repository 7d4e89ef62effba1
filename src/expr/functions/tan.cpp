// tan: tangent; d tan(x) = 1 + tan(x)^2.
#include "expr/functions/function.hpp"

#include <cmath>
#include <numbers>

namespace daedalus::expr {

extern "C" Quad tanq(Quad) noexcept;

namespace {

double value(double x) { return std::tan(x); }

Range range(const Range& a, const Range& /*b*/) {
    const double pi = std::numbers::pi;
    if (!std::isfinite(a.low) || !std::isfinite(a.high)) return anything();
    if (std::floor(a.low / pi + 0.5) != std::floor(a.high / pi + 0.5)) return anything();
    return increasing(a, value);
}

// v' = u a' with u = 1 + v^2
struct Rule {
    static constexpr bool partner = true;
    template <class T>
    static T derivative(int /*k*/, const T& /*a*/, const T& /*b*/, const T& v) {
        return T(1.0) + square(v);
    }
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
                            .quad1 = tanq,
                            .derivative = symbolic_derivative<Rule>,
                            .derivative_range = derivative_range<Rule>,
                            .taylor = taylor_rule<Rule>(),
                            .range = range,
                            .in_libmvec = true};

} // namespace daedalus::expr
