#include "compile/time_range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace daedalus::compile {

using expr::NodeId;
using expr::Op;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int no_exponent = std::numeric_limits<int>::min();

Range anything() { return {-infinity, infinity, false, false, infinity}; }
Range undefined() { return {-infinity, infinity, false, true, 0.0}; }
Range hull(double a, double b) { return {std::min(a, b), std::max(a, b)}; }
Range decided(bool truth) { return {truth ? 1.0 : 0.0, truth ? 1.0 : 0.0}; }
Range undecided() { return {0.0, 1.0, false}; }

Range product(const Range& a, const Range& b) {
    Range r{infinity, -infinity};
    for (const double x : {a.low, a.high})
        for (const double y : {b.low, b.high}) {
            const double p = x == 0.0 || y == 0.0 ? 0.0 : x * y; // 0·∞: the bound is not taken
            r.low = std::min(r.low, p);
            r.high = std::max(r.high, p);
        }
    return r;
}

Range reciprocal(const Range& b) {
    if (b.low <= 0.0 && b.high >= 0.0) return b.low == 0.0 && b.high == 0.0 ? undefined() : anything();
    return {1.0 / b.high, 1.0 / b.low};
}

Range whole_power(const Range& base, int n) {
    if (n < 0) return reciprocal(whole_power(base, -n));
    if (n == 0) return {1.0, 1.0};
    const double low = std::pow(base.low, n), high = std::pow(base.high, n);
    if (n % 2 == 1) return {low, high};
    return {base.contains_zero() ? 0.0 : std::min(low, high), std::max(low, high)};
}

Range power(const Range& base, const Range& exponent) {
    if (base.high < 0.0) return undefined();
    if (base.low < 0.0 || (base.low == 0.0 && exponent.low <= 0.0)) return anything();
    Range r{infinity, -infinity};
    for (const double x : {base.low, base.high})
        for (const double y : {exponent.low, exponent.high}) {
            r.low = std::min(r.low, std::pow(x, y));
            r.high = std::max(r.high, std::pow(x, y));
        }
    if (base.low < 1.0 && base.high > 1.0) { // x^y = 1 at x = 1 for all y lies between the corners
        r.low = std::min(r.low, 1.0);
        r.high = std::max(r.high, 1.0);
    }
    return r;
}

/// Increasing f defined on [from, to].
template <class Function>
Range increasing(const Range& a, Function f, double from = -infinity, double to = infinity) {
    if (a.high < from || a.low > to) return undefined();
    if (a.low < from || a.high > to) return anything();
    return {f(a.low), f(a.high)};
}

/// sin or cos, with its highest values at `highest` + 2πk and its lowest ones half a turn later.
template <class Wave>
Range wave(const Range& a, Wave f, double highest) {
    constexpr double turn = 2.0 * std::numbers::pi;
    if (!std::isfinite(a.low) || !std::isfinite(a.high) || a.high - a.low >= turn) return {-1.0, 1.0};
    Range r = hull(f(a.low), f(a.high));
    const auto contains = [&](double phase) {
        return std::floor((a.high - phase) / turn) >= std::ceil((a.low - phase) / turn);
    };
    if (contains(highest)) r.high = 1.0;
    if (contains(highest + std::numbers::pi)) r.low = -1.0;
    return r;
}

Range tangent(const Range& a) {
    const double pi = std::numbers::pi;
    if (!std::isfinite(a.low) || !std::isfinite(a.high)) return anything();
    if (std::floor(a.low / pi + 0.5) != std::floor(a.high / pi + 0.5)) return anything();
    return {std::tan(a.low), std::tan(a.high)};
}

Range whole_part(double low, double high) { return {low, high, low == high}; }

Range relation(Op op, const Range& a, const Range& b) {
    switch (op) {
    case Op::lt:
    case Op::le: return a.high < b.low ? decided(true) : a.low > b.high ? decided(false) : undecided();
    case Op::gt:
    case Op::ge: return relation(Op::lt, b, a);
    case Op::eq: return a.high < b.low || a.low > b.high ? decided(false) : undecided();
    default: return a.high < b.low || a.low > b.high ? decided(true) : undecided();
    }
}

Range function(Op op, const Range& a, const Range& b) {
    switch (op) {
    case Op::neg: return {-a.high, -a.low};
    case Op::add: return {a.low + b.low, a.high + b.high};
    case Op::sub: return {a.low - b.high, a.high - b.low};
    case Op::mul: return product(a, b);
    case Op::div: {
        const Range inverse = reciprocal(b);
        return inverse.continuous ? product(a, inverse) : inverse;
    }
    case Op::pow: return power(a, b);
    case Op::sqrt:
        return increasing(
            a, [](double x) { return std::sqrt(x); }, 0.0);
    case Op::exp: return increasing(a, [](double x) { return std::exp(x); });
    case Op::log:
        return increasing(
            a, [](double x) { return std::log(x); }, 0.0);
    case Op::log10:
        return increasing(
            a, [](double x) { return std::log10(x); }, 0.0);
    case Op::cos:
        return wave(
            a, [](double x) { return std::cos(x); }, 0.0);
    case Op::sin:
        return wave(
            a, [](double x) { return std::sin(x); }, 0.5 * std::numbers::pi);
    case Op::tan: return tangent(a);
    case Op::asin:
        return increasing(
            a, [](double x) { return std::asin(x); }, -1.0, 1.0);
    case Op::acos: {
        const Range r = increasing(
            a, [](double x) { return -std::acos(x); }, -1.0, 1.0);
        return r.continuous ? Range{-r.high, -r.low} : r;
    }
    case Op::atan: return increasing(a, [](double x) { return std::atan(x); });
    case Op::sinh: return increasing(a, [](double x) { return std::sinh(x); });
    case Op::tanh: return increasing(a, [](double x) { return std::tanh(x); });
    case Op::cosh: {
        Range r = hull(std::cosh(a.low), std::cosh(a.high));
        if (a.contains_zero()) r.low = 1.0;
        return r;
    }
    case Op::abs:
        if (a.low >= 0.0) return a;
        return a.high <= 0.0 ? Range{-a.high, -a.low} : Range{0.0, std::max(-a.low, a.high)};
    case Op::sign:
        if (a.low > 0.0) return {1.0, 1.0};
        return a.high < 0.0 ? Range{-1.0, -1.0} : Range{-1.0, 1.0, false};
    case Op::floor: return whole_part(std::floor(a.low), std::floor(a.high));
    case Op::ceil: return whole_part(std::ceil(a.low), std::ceil(a.high));
    case Op::atan2: // of y = a and x = b: continuous away from the negative half of the x axis
        if (b.low > 0.0 || a.low > 0.0 || a.high < 0.0) {
            Range r{infinity, -infinity};
            for (const double y : {a.low, a.high})
                for (const double x : {b.low, b.high}) {
                    r.low = std::min(r.low, std::atan2(y, x));
                    r.high = std::max(r.high, std::atan2(y, x));
                }
            return r;
        }
        return {-std::numbers::pi, std::numbers::pi, false};
    case Op::min: return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Op::max: return {std::max(a.low, b.low), std::max(a.high, b.high)};
    case Op::logical_not: return {1.0 - a.high, 1.0 - a.low, a.continuous};
    case Op::logical_and: return {std::min(a.low, b.low), std::min(a.high, b.high)};
    case Op::logical_or: return {std::max(a.low, b.low), std::max(a.high, b.high)};
    default: return anything();
    }
}

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

Range range_of(Op op, const Range& a, const Range& b) {
    if (a.nowhere || b.nowhere) return undefined();
    Range r = function(op, a, b);
    r.continuous = r.continuous && a.continuous && b.continuous;
    return r;
}

Range range_of_power(const Range& base, int exponent) {
    Range r = whole_power(base, exponent);
    r.continuous = r.continuous && base.continuous;
    return r;
}

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
        for (int k = 0; k < expr::arity(step.op); ++k) step.operand[k] = place(g.operand(node, k));
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
        case Op::variable: r = anything(); continue;
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
            r = expr::is_boolean(step.op) ? undecided() : tolerant ? anything() : undefined();
            continue;
        }
        Range result = expr::is_relation(step.op)           ? relation(step.op, u, v)
                       : step.whole_exponent != no_exponent ? whole_power(u, step.whole_exponent)
                                                            : function(step.op, u, v);
        result.continuous = result.continuous && u.continuous && v.continuous && std::isfinite(result.low) &&
                            std::isfinite(result.high);
        if (std::isnan(result.low) || std::isnan(result.high)) result = result.nowhere ? undefined() : anything();
        result.scale = arity == 1 ? scale_of(u, result) : scale_of(step.op, u, v, result);
        // Booleans and whole numbers are exact.
        if (!expr::is_boolean(step.op) && step.op != Op::floor && step.op != Op::ceil && step.op != Op::sign) {
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
