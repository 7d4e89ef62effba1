#include "compile/known_instants.hpp"

#include "expr/differentiate.hpp"
#include "expr/evaluate.hpp"
#include "expr/functions/function.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace daedalus::compile {

using expr::NodeId;
using expr::Op;

namespace {

bool depends_on(const expr::Graph& g, NodeId e, Op op) {
    const NodeId below[] = {e};
    const auto nodes = g.reachable(below);
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeId n) { return g.op(n) == op; });
}

/// No jumps and kinks in time: where the derivative tells all.
bool smooth(const expr::Graph& g, NodeId e) {
    const NodeId below[] = {e};
    const std::vector<NodeId> nodes = g.reachable(below);
    std::vector<char> of_time(nodes.size(), 0);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Op op = g.op(nodes[i]);
        of_time[i] = op == Op::time;
        for (int k = 0; k < g.arity(nodes[i]); ++k) {
            const auto at = std::lower_bound(nodes.begin(), nodes.end(), g.operand(nodes[i], k)) - nodes.begin();
            of_time[i] = of_time[i] | of_time[static_cast<std::size_t>(at)];
        }
        const bool kinks = (expr::is_function(op) && !expr::function(op).smooth) || op == Op::select ||
                           op == Op::call || expr::is_boolean(op);
        if (of_time[i] && kinks) return false;
    }
    return true;
}

} // namespace

TimeFunction::TimeFunction(expr::Graph& g, NodeId difference, const std::vector<char>& held)
    : graph_(&g), difference_(difference) {
    const NodeId below[] = {difference};
    for (const NodeId leaf : g.reachable(below))
        if (g.op(leaf) == Op::parameter) {
            const auto id = static_cast<std::size_t>(g.parameter_id(leaf));
            depends_on_held_ = depends_on_held_ || (id < held.size() && held[id]);
        }
    slope_ = expr::partial(g, difference, g.time());
    affine_ = smooth(g, difference) && !depends_on(g, slope_, Op::time);
    if (affine_) return;
    range_ = TimeRange(g, difference);
    slope_range_ = TimeRange(g, slope_);
}

double TimeFunction::value(NodeId node, double t, std::span<const double> parameters) const {
    return expr::evaluate(*graph_, node, [&](NodeId leaf) {
        return graph_->op(leaf) == Op::time ? t : parameters[static_cast<std::size_t>(graph_->parameter_id(leaf))];
    });
}

double TimeFunction::zero(std::span<const double> parameters) const {
    const double slope = value(slope_, 0.0, parameters);
    const double at = -value(difference_, 0.0, parameters) / slope;
    return slope != 0.0 && std::isfinite(at) ? at : std::numeric_limits<double>::infinity();
}

problem::Instant TimeFunction::next(double t, double end, std::span<const double> parameters) const {
    const bool forward = end >= t;
    const auto ahead = [&](double a, double b) { return forward ? a > b : a < b; };
    if (affine_) {
        const double at = zero(parameters);
        // Instants that rounding cannot tell apart are one.
        return ahead(at, problem::just_after(t, forward)) && std::isfinite(at) ? problem::Instant{at, true}
                                                                               : problem::Instant{};
    }
    const auto sign = [&](double at) {
        const double v = value(difference_, at, parameters);
        return std::isnan(v) ? 0 : (v > 0.0) - (v < 0.0);
    };
    double behind = problem::just_after(t, forward);
    int before = sign(behind); // 0: not known yet
    constexpr double eps = std::numeric_limits<double>::epsilon();
    const auto bisect = [&](double a, double b) { // the first number that is not on the side of a …
        const double last = b;
        for (int k = 0; k < 200; ++k) {
            const double middle = a + 0.5 * (b - a);
            if (middle == a || middle == b) break;
            (sign(middle) == before ? a : b) = middle;
        }
        // … where just_after(), which is where sides are looked at, is beyond doubt: others round the function's value
        // differently.
        const double doubt = 8 * eps * range_(b, b, parameters).scale;
        double clear = b;
        for (double step =
                 std::max(eps * std::max(std::abs(b), eps * std::abs(end - t)), std::numeric_limits<double>::min());
             std::abs(value(difference_, problem::just_after(clear, forward), parameters)) <= doubt; step *= 2.0) {
            clear = forward ? b + step : b - step;
            if (!ahead(last, clear)) return b;
        }
        return clear;
    };
    constexpr int at_most = 20000; // intervals per call; then the integrator comes this far and asks again
    const double shortest = 1e-15 * std::abs(end - t);
    constexpr double flat = 1e-13;                    // of what a difference is made of: zero up to round-off
    std::vector<std::pair<double, double>> intervals; // the next one last
    if (ahead(end, behind)) intervals.emplace_back(behind, end);
    for (int look = 0; !intervals.empty(); ++look) {
        const auto [a, b] = intervals.back();
        if (look >= at_most) return {ahead(a, behind) ? a : b, false};
        intervals.pop_back();
        const Range range = range_(a, b, parameters);
        if (range.nowhere) continue;
        if (!range.contains_zero()) {
            const int now = range.low > 0.0 ? 1 : -1;
            if (before == 0) before = now;
            if (now != before) return {a, true}; // a jump right there
            continue;
        }
        bool decided = std::abs(b - a) <= shortest || std::abs(b - a) <= 2 * eps * std::max(std::abs(a), std::abs(b)) ||
                       range.high - range.low <= flat * range.scale;
        if (!decided && range.continuous) {
            const Range slope = slope_range_(a, b, parameters);
            decided = !slope.nowhere && !slope.contains_zero();
        }
        if (decided) {
            // A function that touches zero and returns is not seen as a change.
            if (before == 0) before = sign(a);
            const int now = sign(b);
            if (before != 0 && now != 0 && now != before) return {bisect(a, b), true};
            if (before == 0) before = now;
            continue;
        }
        const double middle = a + 0.5 * (b - a);
        intervals.emplace_back(middle, b);
        intervals.emplace_back(a, middle);
    }
    return {};
}

} // namespace daedalus::compile
