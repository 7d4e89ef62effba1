// cosh: hyperbolic cosine; d cosh(x) = sinh(x).
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {

extern "C" Quad coshq(Quad) noexcept;

namespace {

double value(double x) { return std::cosh(x); }

Range range(const Range& a, const Range& /*b*/) {
    Range r = hull(value(a.low), value(a.high));
    if (a.contains_zero()) r.low = 1.0;
    return r;
}

// v' = u a', u' = v a'; the partner is the hyperbolic sine
struct Rule {
    static constexpr bool partner = true;
    template <class T>
    static T derivative(int /*k*/, const T& a, const T& /*b*/, const T& /*v*/) {
        return apply_to(Op::sinh, a);
    }
    template <class T>
    static void step(int k, const T* a, const T* /*b*/, T* v, T* u) {
        if (k == 0) {
            u[0] = apply_to(Op::sinh, a[0]);
            return;
        }
        v[k] = integral(k, 1, k, a, u);
        u[k] = integral(k, 1, k, a, v);
    }
};

} // namespace

extern const Function function_cosh;
const Function function_cosh{.op = Op::cosh,
                             .name = "cosh",
                             .latex = R"(\cosh)",
                             .meaning = "hyperbolic cosine",
                             .value1 = value,
                             .quad1 = coshq,
                             .derivative = symbolic_derivative<Rule>,
                             .derivative_range = derivative_range<Rule>,
                             .taylor = taylor_rule<Rule>(),
                             .range = range,
                             .steep = true,
                             .in_libmvec = true};

} // namespace daedalus::expr
