#include "compile/time_range.hpp"

#include "expr/functions/function.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daedalus::compile {

using expr::anything;
using expr::hull;
using expr::NodeId;
using expr::Op;
using expr::undefined;

namespace {

constexpr int no_exponent = std::numeric_limits<int>::min();

double size(const Range& r) { return std::max(std::abs(r.low), std::abs(r.high)); }

/// The size of what was lost in sums below, as it shows behind this operation.
double scale_of(Op op, const Range& u, const Range& v, const Range& result) {
    const double own = size(result);
    switch (op) {
    case Op::mul: return std::max({own, u.scale * size(v), v.scale * size(u)});
    case Op::div: return std::max(own, u.scale / std::max(std::min(std::abs(v.low), std::abs(v.high)), 1e-300));
    default: return std::max({own, u.scale, v.scale});
    }
}
double scale_of(const Range& u, const Range& result) {
    const double slope = (result.high - result.low) / (u.high - u.low);
    return std::max(size(result), std::isfinite(slope) ? u.scale * slope : 0.0);
}

} // namespace

TimeRange::TimeRange(const expr::Graph& g, NodeId root) {
    const NodeId below[] = {root};
    const std::vector<NodeId> nodes = g.reachable(below); // operands before their users
    const auto place = [&](NodeId node) {
        return static_cast<int>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin());
    };
    steps_.reserve(nodes.size());
    for (const NodeId node : nodes) {
        Step step{g.op(node), {0, 0, 0}, 0.0, -1, no_exponent};
        if (step.op == Op::constant) step.value = g.constant_value(node);
        if (step.op == Op::parameter) step.parameter = g.parameter_id(node);
        for (int k = 0; k < expr::arity(step.op); ++k) step.operand[k] = place(g.operand(node, k)); // of a call none
        if (step.op == Op::pow && g.is_constant(g.operand(node, 1))) {
            const double exponent = g.constant_value(g.operand(node, 1));
            if (exponent == std::floor(exponent) && std::abs(exponent) < 1000)
                step.whole_exponent = static_cast<int>(exponent);
        }
        steps_.push_back(step);
    }
    ranges_.resize(steps_.size());
}

Range TimeRange::operator()(double a, double b, std::span<const double> parameters) const {
    constexpr double rounding = 4 * std::numeric_limits<double>::epsilon(); // of any elementary function
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const Step& step = steps_[i];
        Range& r = ranges_[i];
        switch (step.op) {
        case Op::constant:
            r = std::isnan(step.value) ? undefined() : Range{step.value, step.value, true, false, std::abs(step.value)};
            continue;
        case Op::parameter:
            r.low = r.high = parameters[static_cast<std::size_t>(step.parameter)];
            r = {r.low, r.high, true, false, std::abs(r.low)};
            continue;
        case Op::time:
            r = hull(a, b);
            r.scale = size(r);
            continue;
        case Op::variable:
        case Op::call: r = anything(); continue;
        default: break;
        }
        const int arity = expr::arity(step.op);
        const Range& u = ranges_[static_cast<std::size_t>(step.operand[0])];
        const Range& v = ranges_[static_cast<std::size_t>(arity > 1 ? step.operand[1] : step.operand[0])];
        if (step.op == Op::select) {
            const Range& w = ranges_[static_cast<std::size_t>(step.operand[2])];
            if (u.low == u.high) {
                r = u.low != 0.0 ? v : w;
                r.continuous = r.continuous && u.continuous;
            } else if (v.nowhere || w.nowhere) {
                r = v.nowhere && w.nowhere ? undefined() : anything();
            } else {
                r = {std::min(v.low, w.low), std::max(v.high, w.high), false};
            }
            continue;
        }
        if (u.nowhere || v.nowhere) {
            // Some have a value even then.
            const bool tolerant = step.op == Op::min || step.op == Op::max || step.op == Op::pow;
            r = expr::is_boolean(step.op) ? Range{0.0, 1.0, false} : tolerant ? anything() : undefined();
            continue;
        }
        Range result = expr::is_relation(step.op)           ? expr::range_of_relation(step.op, u, v)
                       : step.whole_exponent != no_exponent ? expr::range_of_power(u, step.whole_exponent)
                                                            : expr::range_of(step.op, u, v);
        result.continuous = result.continuous && u.continuous && v.continuous && std::isfinite(result.low) &&
                            std::isfinite(result.high);
        if (std::isnan(result.low) || std::isnan(result.high)) result = result.nowhere ? undefined() : anything();
        result.scale = arity == 1 ? scale_of(u, result) : scale_of(step.op, u, v, result);
        const bool whole = expr::is_function(step.op) && expr::function(step.op).whole_values;
        if (!expr::is_boolean(step.op) && !whole) {
            const double error = rounding * size(result);
            if (std::isfinite(error)) {
                result.low -= error;
                result.high += error;
            }
        }
        r = result;
    }
    return ranges_.back();
}

} // namespace daedalus::compile
