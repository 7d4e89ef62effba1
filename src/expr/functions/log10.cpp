// log10: logarithm to base 10; d log10(x) = 1 / (x ln 10).
#include "expr/functions/function.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace daedalus::expr {

extern "C" Quad log10q(Quad) noexcept;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double value(double x) { return std::log10(x); }

Range range(const Range& a, const Range& /*b*/) { return increasing(a, value, 0.0, infinity); }

std::string_view domain(double x, double /*unused*/) { return x <= 0 ? "of a number that is not positive" : ""; }

// v = u / ln 10, a u' = a'
struct Rule {
    static constexpr bool partner = true;
    template <class T>
    static T derivative(int /*k*/, const T& a, const T& /*b*/, const T& /*v*/) {
        return T(1.0) / (T(std::numbers::ln10) * a);
    }
    template <class T>
    static void step(int k, const T* a, const T* /*b*/, T* v, T* u) {
        if (k == 0) {
            u[0] = apply_to(Op::log, a[0]);
            return;
        }
        u[k] = (a[k] - integral(k, 1, k - 1, u, a)) / a[0];
        v[k] = u[k] / apply_to(Op::log, T(10.0));
    }
};

} // namespace

extern const Function function_log10;
const Function function_log10{.op = Op::log10,
                              .name = "log10",
                              .latex = R"(\log_{10})",
                              .meaning = "logarithm to base 10",
                              .value1 = value,
                              .quad1 = log10q,
                              .derivative = symbolic_derivative<Rule>,
                              .derivative_range = derivative_range<Rule>,
                              .taylor = taylor_rule<Rule>(),
                              .domain = domain,
                              .range = range,
                              .bounded_domain = true,
                              .in_libmvec = true};

} // namespace daedalus::expr
