// cos: cosine; d cos(x) = -sin(x).
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {

extern "C" Quad cosq(Quad) noexcept;

namespace {

double value(double x) { return std::cos(x); }

Range range(const Range& a, const Range& /*b*/) { return wave(a, value, 0.0); }

// v' = -u a', u' = v a'; the partner is the sine
struct Rule {
    static constexpr bool partner = true;
    template <class T>
    static T derivative(int /*k*/, const T& a, const T& /*b*/, const T& /*v*/) {
        return -apply_to(Op::sin, a);
    }
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
                            .quad1 = cosq,
                            .derivative = symbolic_derivative<Rule>,
                            .derivative_range = derivative_range<Rule>,
                            .taylor = taylor_rule<Rule>(),
                            .range = range,
                            .in_libmvec = true};

} // namespace daedalus::expr
