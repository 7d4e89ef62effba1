// log10: logarithm to base 10; d log10(x) = 1 / (x ln 10).
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::log10(x); }

NodeId derivative(Graph& g, NodeId self, int /*k*/) {
    const NodeId x = g.operand(self, 0);
    constexpr double ln10 = 2.302585092994045684017991454684364208;
    return g.div(g.constant(1.0), g.mul(g.constant(ln10), x));
}

std::string_view domain(double x, double /*unused*/) { return x <= 0 ? "of a number that is not positive" : ""; }

// v = u / ln 10, a u' = a'
struct Rule {
    static constexpr bool partner = true;
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
                              .derivative = derivative,
                              .taylor = taylor_rule<Rule>(),
                              .domain = domain};

} // namespace daedalus::expr
