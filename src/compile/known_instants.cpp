#include "compile/known_instants.hpp"

#include "expr/differentiate.hpp"
#include "expr/evaluate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

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
        for (int k = 0; k < expr::arity(op); ++k) {
            const auto at = std::lower_bound(nodes.begin(), nodes.end(), g.operand(nodes[i], k)) - nodes.begin();
            of_time[i] = of_time[i] | of_time[static_cast<std::size_t>(at)];
        }
        const bool kinks = op == Op::floor || op == Op::ceil || op == Op::sign || op == Op::abs || op == Op::min ||
                           op == Op::max || op == Op::select || expr::is_boolean(op);
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
    const auto affine_slope = [&](NodeId e) {
        if (!smooth(g, e)) return expr::no_node;
        const NodeId slope = expr::partial(g, e, g.time());
        return depends_on(g, slope, Op::time) ? expr::no_node : slope;
    };
    slope_ = affine_slope(difference);
    affine_ = slope_ != expr::no_node;
    if (affine_) return;
    for (const NodeId node : g.reachable(below)) {
        const Op op = g.op(node);
        NodeId argument = expr::no_node;
        Part::Kind kind = Part::Kind::periodic;
        if (op == Op::sin || op == Op::cos || op == Op::tan) argument = g.operand(node, 0);
        if (op == Op::floor || op == Op::ceil) {
            argument = g.operand(node, 0);
            kind = Part::Kind::integer;
        }
        if (op == Op::sign || op == Op::abs) {
            argument = g.operand(node, 0);
            kind = Part::Kind::relation;
        }
        if (expr::is_relation(op) || op == Op::min || op == Op::max) {
            argument = g.sub(g.operand(node, 0), g.operand(node, 1));
            kind = Part::Kind::relation;
        }
        if (argument == expr::no_node || !depends_on(g, argument, Op::time)) continue;
        if (const NodeId slope = affine_slope(argument); slope != expr::no_node)
            parts_.push_back({argument, slope, kind});
    }
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
    const double direction = forward ? 1.0 : -1.0;
    const auto ahead = [&](double a, double b) { return forward ? a > b : a < b; };
    if (affine_) {
        const double at = zero(parameters);
        // Instants that rounding cannot tell apart are one.
        return ahead(at, problem::just_after(t, forward)) && std::isfinite(at) ? problem::Instant{at, true}
                                                                               : problem::Instant{};
    }
    // Steps that see every half-wave of each periodic part; jumps of integer parts and relations are looked at on both
    // sides, so that pulses of any width between them are seen.
    constexpr int per_period = 32;
    constexpr int at_most = 20000;          // looks per call; then the integrator comes this far and asks again
    constexpr double without_period = 2048; // looks over what is left where nothing tells how fast it varies
    double step = std::abs(end - t) / without_period;
    std::vector<std::pair<double, double>> jumps; // phase and period; period 0: once
    for (const Part& part : parts_) {
        const double slope = value(part.slope, 0.0, parameters), offset = value(part.argument, 0.0, parameters);
        if (slope == 0.0 || !std::isfinite(slope) || !std::isfinite(offset)) continue;
        if (part.kind == Part::Kind::periodic)
            step = std::min(step, 2.0 * std::numbers::pi / std::abs(slope) / per_period);
        if (part.kind == Part::Kind::integer) {
            step = std::min(step, 1.0 / std::abs(slope) / 4.0);
            jumps.emplace_back(-offset / slope, 1.0 / std::abs(slope));
        }
        if (part.kind == Part::Kind::relation) jumps.emplace_back(-offset / slope, 0.0);
    }
    const auto sign = [&](double at) {
        const double v = value(difference_, at, parameters);
        return std::isnan(v) ? 0 : (v > 0.0) - (v < 0.0);
    };
    double left = problem::just_after(t, forward);
    int before = sign(left);
    const auto bisect = [&](double a, double b) { // the first number that is not on the side of a
        for (int k = 0; k < 200; ++k) {
            const double middle = a + 0.5 * (b - a);
            if (middle == a || middle == b) break;
            (sign(middle) == before ? a : b) = middle;
        }
        return b;
    };
    for (int look = 0; look < at_most; ++look) {
        double right = left + direction * step;
        bool jump = false;
        for (const auto& [phase, period] : jumps) {
            double at = phase;
            if (period > 0.0) {
                const double count = direction * (left - phase) / period;
                at = phase + direction * period * (std::floor(count) + 1.0);
                if (!ahead(at, left)) at += direction * period;
            }
            if (ahead(at, left) && ahead(right, at)) {
                right = at;
                jump = true;
            }
        }
        if (!(ahead(right, left))) right = problem::just_after(left, forward);
        const bool last = !ahead(end, right);
        if (last) right = end;
        const int now = sign(right);
        // A function that touches zero and returns is not seen as a change.
        if (before != 0 && now != 0 && now != before) return {bisect(left, right), true};
        if (before == 0) before = now;
        if (jump && !last) {
            const double behind = problem::just_after(right, forward);
            const int after = sign(behind);
            if (before != 0 && after != 0 && after != before) return {right, true};
            right = behind;
        }
        if (last) return {};
        left = right;
    }
    return {left, false};
}

} // namespace daedalus::compile
