// sqrt: square root; d sqrt(x) = 1 / (2 sqrt(x)).
#include "expr/functions/function.hpp"

#include <cmath>

namespace daedalus::expr {
namespace {

double value(double x) { return std::sqrt(x); }

NodeId derivative(Graph& g, NodeId self, int /*k*/) { return g.div(g.constant(0.5), self); }

std::string_view domain(double x, double /*unused*/) { return x < 0 ? "of a negative number" : ""; }

// v v = a
struct Rule {
    static constexpr bool partner = false;
    template <class T>
    static void step(int k, const T* a, const T* /*b*/, T* v, T* /*u*/) {
        if (k > 0) v[k] = (a[k] - convolution(k, 1, k - 1, v, v)) / (T(2.0) * v[0]);
    }
};

} // namespace

extern const Function function_sqrt;
const Function function_sqrt{.op = Op::sqrt,
                             .name = "sqrt",
                             .latex = R"(\sqrt)",
                             .meaning = "square root",
                             .value1 = value,
                             .derivative = derivative,
                             .taylor = taylor_rule<Rule>(),
                             .domain = domain};

} // namespace daedalus::expr
