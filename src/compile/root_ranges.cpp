#include "compile/root_ranges.hpp"

#include "compile/compilation.hpp"
#include "expr/evaluate.hpp"
#include "expr/functions/function.hpp"
#include "expr/substitute.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

namespace daedalus::compile {

using expr::NodeId;
using expr::Op;
using problem::Bounded;
using problem::Moving;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

struct Both {
    Range value, slope;
};

Range nothing_known() { return {-infinity, infinity, false}; }
Range joined(const Range& a, const Range& b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high), a.continuous && b.continuous};
}
bool is_zero(const Range& a) { return a.low == 0.0 && a.high == 0.0; }

/// d/dt of op(u, v) by the chain rule, r its value.
Range slope_of(Op op, const Both& u, const Both& v, const Range& r) {
    switch (op) {
    case Op::neg: return -u.slope;
    case Op::add: return u.slope + v.slope;
    case Op::sub: return u.slope - v.slope;
    case Op::mul: return u.slope * v.value + u.value * v.slope;
    case Op::div: return (u.slope - r * v.slope) / v.value;
    case Op::min:
    case Op::max: return joined(u.slope, v.slope);
    default: break;
    }
    const bool binary = expr::arity(op) > 1;
    if (is_zero(u.slope) && (!binary || is_zero(v.slope))) return 0.0;
    switch (op) {
    case Op::abs:
        if (u.value.low >= 0.0) return u.slope;
        return u.value.high <= 0.0 ? -u.slope : joined(u.slope, -u.slope);
    case Op::pow: // exponent constant in time: y x^(y-1) x'
        if (!is_zero(v.slope)) return nothing_known();
        return v.value * apply_to(Op::pow, u.value, v.value - 1.0) * u.slope;
    default: break;
    }
    if (!expr::is_function(op) || expr::function(op).derivative_range == nullptr) return nothing_known();
    const auto partial = expr::function(op).derivative_range;
    const Range first = partial(0, u.value, v.value, r) * u.slope;
    return binary ? first + partial(1, u.value, v.value, r) * v.slope : first;
}

Range from(const Bounded& b) { return {b.low, b.high}; }
Bounded to(const Range& r) {
    if (r.nowhere || !r.continuous || std::isnan(r.low) || std::isnan(r.high)) return {};
    return {r.low, r.high};
}

/// z of a row z = f(others), with f.
class Definitions {
public:
    Definitions(Compilation& c, const std::vector<NodeId>& rows) : c_(c), g_(c.system.graph()) {
        for (const NodeId row : rows) {
            if (g_.op(row) != Op::sub) continue;
            for (const int k : {0, 1})
                if (const int z = algebraic(g_.operand(row, k)); z >= 0 && !mentions(g_.operand(row, 1 - k), z))
                    value_.try_emplace(expr::index(g_.operand(row, k)), g_.operand(row, 1 - k));
        }
    }
    /// The expression with defined unknowns replaced, as far as its length allows.
    [[nodiscard]] NodeId expanded(NodeId expression, std::size_t longest) {
        constexpr int deepest = 20; // definitions in definitions; loops of them end here too
        for (int round = 0; round < deepest && !value_.empty(); ++round) {
            expr::Substitution substitute(g_, [&](NodeId leaf) {
                const auto known = value_.find(expr::index(leaf));
                return known == value_.end() ? leaf : known->second;
            });
            const NodeId next = substitute(expression);
            const NodeId below[] = {next};
            if (next == expression || g_.reachable(below).size() > longest) break;
            expression = next;
        }
        return expression;
    }

private:
    [[nodiscard]] transform::Formulation::Place place(NodeId leaf) const {
        return c_.formulation.place({g_.variable_id(leaf), g_.derivative_order(leaf)});
    }
    [[nodiscard]] int algebraic(NodeId node) const {
        if (g_.op(node) != Op::variable) return -1;
        const auto at = place(node);
        if (at.derivative || at.unknown < 0 || g_.derivative_order(node) > 0) return -1;
        return at.unknown;
    }
    /// … or x' of anything, which a step knows less well than z.
    [[nodiscard]] bool mentions(NodeId f, int unknown) const {
        const NodeId below[] = {f};
        const std::vector<NodeId> nodes = g_.reachable(below);
        return std::any_of(nodes.begin(), nodes.end(), [&](NodeId n) {
            return g_.op(n) == Op::variable && (place(n).derivative || place(n).unknown == unknown);
        });
    }
    Compilation& c_;
    expr::Graph& g_;
    std::unordered_map<std::uint32_t, NodeId> value_;
};

} // namespace

void MovingRange::add(const expr::Graph& g, NodeId node, const std::vector<NodeId>& nodes) {
    const auto place = [&](NodeId operand) {
        return static_cast<int>(std::lower_bound(nodes.begin(), nodes.end(), operand) - nodes.begin());
    };
    Step step{g.op(node), {0, 0, 0}, 0.0, -1, no_power};
    if (step.op == Op::constant) step.value = g.constant_value(node);
    if (step.op == Op::parameter) step.number = g.parameter_id(node);
    for (int k = 0; k < expr::arity(step.op); ++k) step.operand[k] = place(g.operand(node, k)); // of a call none
    if (step.op == Op::pow && g.is_constant(g.operand(node, 1))) {
        const double exponent = g.constant_value(g.operand(node, 1));
        if (exponent == std::floor(exponent) && std::abs(exponent) < 1000)
            step.whole_power = static_cast<int>(exponent);
    }
    // u u is a square, and not the product of two numbers that may differ.
    if (step.op == Op::mul && step.operand[0] == step.operand[1]) step.whole_power = 2;
    steps_.push_back(step);
}

Moving MovingRange::operator()(double a, double b, std::span<const double> parameters, const Moving* leaves) const {
    thread_local std::vector<Both> at;
    at.resize(steps_.size());
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const Step& step = steps_[i];
        Both& r = at[i];
        switch (step.op) {
        case Op::constant: r = {step.value, 0.0}; continue;
        case Op::parameter: r = {parameters[static_cast<std::size_t>(step.number)], 0.0}; continue;
        case Op::time: r = {expr::hull(a, b), 1.0}; continue;
        case Op::variable: r = {from(leaves[step.number].value), from(leaves[step.number].slope)}; continue;
        case Op::call: r = {nothing_known(), nothing_known()}; continue;
        default: break;
        }
        const Both& u = at[static_cast<std::size_t>(step.operand[0])];
        const Both& v = at[static_cast<std::size_t>(expr::arity(step.op) > 1 ? step.operand[1] : step.operand[0])];
        if (step.op == Op::select) {
            const Both& w = at[static_cast<std::size_t>(step.operand[2])];
            if (u.value.low == u.value.high)
                r = u.value.low != 0.0 ? v : w;
            else
                r = {{std::min(v.value.low, w.value.low), std::max(v.value.high, w.value.high), false},
                     nothing_known()};
            continue;
        }
        const bool whole = step.whole_power != no_power;
        Range value = expr::is_relation(step.op) ? nothing_known()
                      : whole                    ? expr::range_of_power(u.value, step.whole_power)
                                                 : apply_to(step.op, u.value, v.value);
        if (u.value.nowhere || v.value.nowhere) value = nothing_known();
        value.continuous = value.continuous && u.value.continuous && v.value.continuous;
        const Range slope =
            whole ? Range(step.whole_power) * expr::range_of_power(u.value, step.whole_power - 1) * u.slope
                  : slope_of(step.op, u, v, value);
        r = {value, slope};
        r.slope.continuous = r.slope.continuous && u.slope.continuous && v.slope.continuous;
    }
    return {to(at.back().value), to(at.back().slope)};
}

double MovingRange::value(double t, std::span<const double> parameters) const {
    thread_local std::vector<double> at;
    at.resize(steps_.size());
    for (std::size_t i = 0; i < steps_.size(); ++i) {
        const Step& step = steps_[i];
        const auto operand = [&](int k) { return at[static_cast<std::size_t>(step.operand[k])]; };
        switch (step.op) {
        case Op::constant: at[i] = step.value; break;
        case Op::parameter: at[i] = parameters[static_cast<std::size_t>(step.number)]; break;
        case Op::time: at[i] = t; break;
        case Op::variable: at[i] = std::numeric_limits<double>::quiet_NaN(); break;
        case Op::pow:
            at[i] = step.whole_power == 2 ? operand(0) * operand(0) : expr::apply(step.op, operand(0), operand(1));
            break;
        default: at[i] = expr::apply(step.op, operand(0), operand(1), operand(2));
        }
    }
    return at.back();
}

problem::RootRanges build_root_ranges(Compilation& c, const std::vector<NodeId>& rows) {
    constexpr std::size_t affordable = 2000; // operations; longer functions are looked at by samples alone
    problem::RootRanges facet;
    const expr::Graph& g = c.system.graph();
    std::map<problem::RootRanges::Leaf, int> number;
    c.root_programs.programs.clear();
    Definitions definitions(c, rows);
    for (const NodeId written : c.root_expressions) {
        const NodeId root = definitions.expanded(written, affordable);
        std::vector<int> own;
        bool possible = true;
        const NodeId below[] = {root};
        if (g.reachable(below).size() > affordable) possible = false;
        c.root_programs.programs.emplace_back(g, possible ? root : expr::NodeId{}, [&](NodeId leaf) {
            const auto place = c.formulation.place({g.variable_id(leaf), g.derivative_order(leaf)});
            if (place.unknown < 0) {
                possible = false;
                return 0;
            }
            const auto [it, fresh] =
                number.try_emplace({place.unknown, place.derivative}, static_cast<int>(facet.leaves.size()));
            if (fresh) facet.leaves.push_back(it->first);
            own.push_back(it->second);
            return it->second;
        });
        if (!possible) own.assign(1, -1); // not bounded
        std::vector<problem::RootRanges::Leaf> evaluated;
        const NodeId as_written[] = {written};
        for (const NodeId leaf : g.reachable(as_written))
            if (g.op(leaf) == Op::variable) {
                const auto place = c.formulation.place({g.variable_id(leaf), g.derivative_order(leaf)});
                evaluated.push_back({place.unknown, place.derivative});
            }
        facet.written.push_back(std::move(evaluated));
        facet.leaves_of.push_back(std::move(own));
    }
    if (facet.leaves_of.empty()) return facet;
    facet.bound = [](const void* code, const problem::Environment& e, int root, double a, double b,
                     const Moving* leaves) {
        const auto& compilation = *static_cast<const Compilation*>(code);
        return compilation.root_programs.programs[static_cast<std::size_t>(root)](a, b, e.values(), leaves);
    };
    return facet;
}

} // namespace daedalus::compile
