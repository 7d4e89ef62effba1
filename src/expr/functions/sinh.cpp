// sinh: hyperbolic sine; d sinh(x) = cosh(x).
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {

extern "C" Quad sinhq(Quad) noexcept;

namespace {

double value(double x) { return std::sinh(x); }

Range range(const Range& a, const Range& /*b*/) { return increasing(a, value); }

// v' = u a', u' = v a'; the partner is the hyperbolic cosine
struct Rule {
    static constexpr bool partner = true;
    template <class T>
    static T derivative(int /*k*/, const T& a, const T& /*b*/, const T& /*v*/) {
        return apply_to(Op::cosh, a);
    }
    template <class T>
    static void step(int k, const T* a, const T* /*b*/, T* v, T* u) {
        if (k == 0) {
            u[0] = apply_to(Op::cosh, a[0]);
            return;
        }
        v[k] = integral(k, 1, k, a, u);
        u[k] = integral(k, 1, k, a, v);
    }
};

} // namespace

extern const Function function_sinh;
const Function function_sinh{.op = Op::sinh,
                             .name = "sinh",
                             .latex = R"(\sinh)",
                             .meaning = "hyperbolic sine",
                             .value1 = value,
                             .quad1 = sinhq,
                             .derivative = symbolic_derivative<Rule>,
                             .derivative_range = derivative_range<Rule>,
                             .taylor = taylor_rule<Rule>(),
                             .range = range,
                             .steep = true,
                             .in_libmvec = true};

} // namespace daedalus::expr
