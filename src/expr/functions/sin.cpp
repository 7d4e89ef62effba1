// sin: sine; d sin(x) = cos(x).
#include "expr/functions/function.hpp"

#include <cmath>
#include <numbers>

namespace daedalus::expr {

extern "C" Quad sinq(Quad) noexcept;

namespace {

double value(double x) { return std::sin(x); }

Range range(const Range& a, const Range& /*b*/) { return wave(a, value, 0.5 * std::numbers::pi); }

// v' = u a', u' = -v a'; the partner is the cosine
struct Rule {
    static constexpr bool partner = true;
    template <class T>
    static T derivative(int /*k*/, const T& a, const T& /*b*/, const T& /*v*/) {
        return apply_to(Op::cos, a);
    }
    template <class T>
    static void step(int k, const T* a, const T* /*b*/, T* v, T* u) {
        if (k == 0) {
            u[0] = apply_to(Op::cos, a[0]);
            return;
        }
        v[k] = integral(k, 1, k, a, u);
        u[k] = -integral(k, 1, k, a, v);
    }
};

} // namespace

extern const Function function_sin;
const Function function_sin{.op = Op::sin,
                            .name = "sin",
                            .latex = R"(\sin)",
                            .meaning = "sine",
                            .value1 = value,
                            .quad1 = sinq,
                            .derivative = symbolic_derivative<Rule>,
                            .derivative_range = derivative_range<Rule>,
                            .taylor = taylor_rule<Rule>(),
                            .range = range,
                            .in_libmvec = true};

} // namespace daedalus::expr
