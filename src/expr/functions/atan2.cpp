// atan2: angle of the point (b, a); d atan2(a, b) = (b da - a db) / (a^2 + b^2).
#include "expr/functions/function.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace daedalus::expr {

extern "C" Quad atan2q(Quad, Quad) noexcept;

namespace {

double value(double a, double b) { return std::atan2(a, b); }

Range range(const Range& a, const Range& b) {
    // continuous away from the negative half of the axis a = 0
    if (b.low <= 0.0 && a.low <= 0.0 && a.high >= 0.0) return {-std::numbers::pi, std::numbers::pi, false};
    Range r = value(a.low, b.low);
    for (const double y : {a.low, a.high})
        for (const double x : {b.low, b.high}) {
            r.low = std::min(r.low, value(y, x));
            r.high = std::max(r.high, value(y, x));
        }
    return r;
}

// u v' = b a' - a b' with u = a^2 + b^2
struct Rule {
    static constexpr bool partner = true;
    template <class T>
    static T derivative(int k, const T& a, const T& b, const T& /*v*/) {
        const T r2 = square(a) + square(b);
        return k == 0 ? b / r2 : -(a / r2);
    }
    template <class T>
    static void step(int k, const T* a, const T* b, T* v, T* u) {
        u[k] = convolution(k, 0, k, a, a) + convolution(k, 0, k, b, b);
        if (k > 0) v[k] = (integral(k, 1, k, a, b) - integral(k, 1, k, b, a) - integral(k, 1, k - 1, v, u)) / u[0];
    }
};

} // namespace

extern const Function function_atan2;
const Function function_atan2{.op = Op::atan2,
                              .name = "atan2",
                              .arguments = "u1 u2",
                              .latex = R"(\operatorname{atan2})",
                              .meaning = "angle of the point (b, a)",
                              .value2 = value,
                              .quad2 = atan2q,
                              .derivative = symbolic_derivative<Rule>,
                              .derivative_range = derivative_range<Rule>,
                              .taylor = taylor_rule<Rule>(),
                              .range = range,
                              .in_libmvec = true};

} // namespace daedalus::expr
