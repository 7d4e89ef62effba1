// exp: exponential; d exp(x) = exp(x).
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {

extern "C" Quad expq(Quad) noexcept;

namespace {

double value(double x) { return std::exp(x); }

Range range(const Range& a, const Range& /*b*/) { return increasing(a, value); }

std::string_view domain(double x, double /*unused*/) {
    return std::isinf(std::exp(x)) && std::isfinite(x) ? "overflows" : "";
}

// v' = v a'
struct Rule {
    static constexpr bool partner = false;
    template <class T>
    static T derivative(int /*k*/, const T& /*a*/, const T& /*b*/, const T& v) {
        return v;
    }
    template <class T>
    static void step(int k, const T* a, const T* /*b*/, T* v, T* /*u*/) {
        if (k > 0) v[k] = integral(k, 1, k, a, v);
    }
};

} // namespace

extern const Function function_exp;
const Function function_exp{.op = Op::exp,
                            .name = "exp",
                            .latex = R"(\exp)",
                            .meaning = "exponential",
                            .value1 = value,
                            .quad1 = expq,
                            .derivative = symbolic_derivative<Rule>,
                            .derivative_range = derivative_range<Rule>,
                            .taylor = taylor_rule<Rule>(),
                            .domain = domain,
                            .range = range,
                            .steep = true,
                            .in_libmvec = true};

} // namespace daedalus::expr
