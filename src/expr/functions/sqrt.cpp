// sqrt: square root; d sqrt(x) = 1 / (2 sqrt(x)).
#include "expr/functions/function.hpp"

#include <cmath>
#include <limits>

namespace daedalus::expr {

extern "C" Quad sqrtq(Quad) noexcept;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double value(double x) { return std::sqrt(x); }

Range range(const Range& a, const Range& /*b*/) { return increasing(a, value, 0.0, infinity); }

std::string_view domain(double x, double /*unused*/) { return x < 0 ? "of a negative number" : ""; }

// v v = a
struct Rule {
    static constexpr bool partner = false;
    template <class T>
    static T derivative(int /*k*/, const T& /*a*/, const T& /*b*/, const T& v) {
        return T(0.5) / v;
    }
    template <class T>
    static void step(int k, const T* a, const T* /*b*/, T* v, T* /*u*/) {
        if (k > 0) v[k] = (a[k] - convolution(k, 1, k - 1, v, v)) / (T(2.0) * v[0]);
    }
};

} // namespace

extern const Function function_sqrt;
const Function function_sqrt{.op = Op::sqrt,
                             .name = "sqrt",
                             .arguments = "x",
                             .latex = R"(\sqrt)",
                             .meaning = "square root",
                             .value1 = value,
                             .quad1 = sqrtq,
                             .derivative = symbolic_derivative<Rule>,
                             .derivative_range = derivative_range<Rule>,
                             .taylor = taylor_rule<Rule>(),
                             .domain = domain,
                             .range = range,
                             .bounded_domain = true,
                             .called = false};

} // namespace daedalus::expr
