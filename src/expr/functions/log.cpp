// log: natural logarithm; d log(x) = 1 / x.
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::log(x); }

NodeId derivative(Graph& g, NodeId self, int /*k*/) {
    const NodeId x = g.operand(self, 0);
    return g.div(g.constant(1.0), x);
}

std::string_view domain(double x, double /*unused*/) { return x <= 0 ? "of a number that is not positive" : ""; }

// a v' = a'
struct Rule {
    static constexpr bool partner = false;
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
                            .derivative = derivative,
                            .taylor = taylor_rule<Rule>(),
                            .domain = domain};

} // namespace daedalus::expr
