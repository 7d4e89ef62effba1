// log: natural logarithm; d log(x) = 1 / x.
#include "expr/functions/function.hpp"

#include <cmath>
#include <limits>

namespace daedalus::expr {

extern "C" Quad logq(Quad) noexcept;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double value(double x) { return std::log(x); }

Range range(const Range& a, const Range& /*b*/) { return increasing(a, value, 0.0, infinity); }

std::string_view domain(double x, double /*unused*/) { return x <= 0 ? "of a number that is not positive" : ""; }

// a v' = a'
struct Rule {
    static constexpr bool partner = false;
    template <class T>
    static T derivative(int /*k*/, const T& a, const T& /*b*/, const T& /*v*/) {
        return T(1.0) / a;
    }
    template <class T>
    static void step(int k, const T* a, const T* /*b*/, T* v, T* /*u*/) {
        if (k > 0) v[k] = (a[k] - integral(k, 1, k - 1, v, a)) / a[0];
    }
};

} // namespace

extern const Function function_log;
const Function function_log{.op = Op::log,
                            .name = "log",
                            .latex = R"(\ln)",
                            .meaning = "natural logarithm",
                            .value1 = value,
                            .quad1 = logq,
                            .derivative = symbolic_derivative<Rule>,
                            .derivative_range = derivative_range<Rule>,
                            .taylor = taylor_rule<Rule>(),
                            .domain = domain,
                            .range = range,
                            .bounded_domain = true,
                            .in_libmvec = true};

} // namespace daedalus::expr
