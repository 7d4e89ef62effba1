// asin: inverse sine; d asin(x) = 1 / sqrt(1 - x^2).
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {

extern "C" Quad asinq(Quad) noexcept;

namespace {

double value(double x) { return std::asin(x); }

Range range(const Range& a, const Range& /*b*/) { return increasing(a, value, -1.0, 1.0); }

std::string_view domain(double x, double /*unused*/) { return std::abs(x) > 1 ? "of a number outside [-1, 1]" : ""; }

// u v' = a', u' = -a v' with u = sqrt(1 - a^2)
struct Rule {
    static constexpr bool partner = true;
    template <class T>
    static T derivative(int /*k*/, const T& a, const T& /*b*/, const T& /*v*/) {
        return T(1.0) / apply_to(Op::sqrt, T(1.0) - square(a));
    }
    template <class T>
    static void step(int k, const T* a, const T* /*b*/, T* v, T* u) {
        if (k == 0) {
            u[0] = apply_to(Op::sqrt, (T(1.0) - a[0]) * (T(1.0) + a[0]));
            return;
        }
        v[k] = (a[k] - integral(k, 1, k - 1, v, u)) / u[0];
        u[k] = -integral(k, 1, k, v, a);
    }
};

} // namespace

extern const Function function_asin;
const Function function_asin{.op = Op::asin,
                             .name = "asin",
                             .latex = R"(\arcsin)",
                             .meaning = "inverse sine",
                             .value1 = value,
                             .quad1 = asinq,
                             .derivative = symbolic_derivative<Rule>,
                             .derivative_range = derivative_range<Rule>,
                             .taylor = taylor_rule<Rule>(),
                             .domain = domain,
                             .range = range,
                             .bounded_domain = true,
                             .in_libmvec = true};

} // namespace daedalus::expr
