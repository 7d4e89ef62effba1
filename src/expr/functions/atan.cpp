// atan: inverse tangent; d atan(x) = 1 / (1 + x^2).
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {

extern "C" Quad atanq(Quad) noexcept;

namespace {

double value(double x) { return std::atan(x); }

Range range(const Range& a, const Range& /*b*/) { return increasing(a, value); }

// u v' = a' with u = 1 + a^2
struct Rule {
    static constexpr bool partner = true;
    template <class T>
    static T derivative(int /*k*/, const T& a, const T& /*b*/, const T& /*v*/) {
        return T(1.0) / (T(1.0) + square(a));
    }
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
                             .quad1 = atanq,
                             .derivative = symbolic_derivative<Rule>,
                             .derivative_range = derivative_range<Rule>,
                             .taylor = taylor_rule<Rule>(),
                             .range = range,
                             .in_libmvec = true};

} // namespace daedalus::expr
