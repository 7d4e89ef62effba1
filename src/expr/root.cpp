#include "expr/root.hpp"

#include "expr/differentiate.hpp"
#include "expr/substitute.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::expr {

namespace {

constexpr double unit = std::numeric_limits<double>::epsilon();

/// Brent's method: `a`, `b` with values of opposite sign; NaN where they are not.
template <class F>
double between(double a, double b, const F& f) {
    double fa = f(a), fb = f(b);
    if (fa == 0.0) return a;
    if (fb == 0.0) return b;
    if (!(fa * fb < 0.0) && !((fa < 0.0) != (fb < 0.0) && std::isfinite(fa) && std::isfinite(fb)))
        return std::numeric_limits<double>::quiet_NaN();
    double c = a, fc = fa, d = b - a, before = d;
    constexpr int most = 400; // bisection alone needs 64 from any bounds of one magnitude
    for (int k = 0; k < most; ++k) {
        if ((fb > 0.0) == (fc > 0.0)) { // the root lies between b and c
            c = a;
            fc = fa;
            d = before = b - a;
        }
        if (std::abs(fc) < std::abs(fb)) { // b is the best
            a = b, b = c, c = a;
            fa = fb, fb = fc, fc = fa;
        }
        const double tolerance = 2.0 * unit * std::abs(b) + std::numeric_limits<double>::min();
        const double half = 0.5 * (c - b);
        if (std::abs(half) <= tolerance || fb == 0.0) return b;
        if (std::abs(before) >= tolerance && std::abs(fa) > std::abs(fb)) {
            const double s = fb / fa;
            double p = 2.0 * half * s, q = 1.0 - s; // secant; with three points inverse quadratic interpolation
            if (a != c) {
                const double r = fb / fc, t = fa / fc;
                p = s * (2.0 * half * t * (t - r) - (b - a) * (r - 1.0));
                q = (t - 1.0) * (r - 1.0) * (s - 1.0);
            }
            if (p > 0.0)
                q = -q;
            else
                p = -p;
            const bool inside = 2.0 * p < std::min(3.0 * half * q - std::abs(tolerance * q), std::abs(before * q));
            before = inside ? d : half;
            d = inside ? p / q : half;
        } else {
            d = before = half;
        }
        a = b;
        fa = fb;
        b += std::abs(d) > tolerance ? d : std::copysign(tolerance, half);
        fb = f(b);
        if (std::isnan(fb)) return fb;
    }
    return b;
}

} // namespace

Root::Root(Graph graph, int inputs, NodeId residual, std::string name)
    : inputs_(inputs), name_(std::move(name)), line_(graph, inputs + 1, std::span(&residual, 1), {}),
      graph_(std::move(graph)), residual_(residual) {}

void Root::run(const double* in, double* out) const {
    const Scratch scratch(line_.size());
    double* const memory = scratch.data();
    line_.prepare(memory);
    const auto n = static_cast<std::size_t>(inputs_);
    std::copy_n(in, n, memory);
    if (std::isnan(in[0])) {
        *out = in[0];
        return;
    }
    *out = between(in[0], in[1], [&](double u) {
        memory[n] = u;
        line_.run_first(memory);
        return line_.first(0, memory);
    });
}

NodeId Root::partial(Graph& graph, NodeId self, int k) const {
    if (k < 2) return no_node;
    const std::lock_guard lock(mutex_);
    const auto slope = [&](int variable) {
        const NodeId inner = expr::partial(graph_, residual_, graph_.variable(variable));
        return transplant(graph, graph_, inner, [&](NodeId leaf) {
            const int id = graph_.variable_id(leaf);
            return id == inputs_ ? self : graph.operand(self, id);
        });
    };
    return graph.neg(graph.div(slope(k), slope(inputs_)));
}

} // namespace daedalus::expr
