#include "codegen/taylor.hpp"

#include "codegen/emitter.hpp"

#include <cassert>
#include <cstdlib>
#include <unordered_map>

namespace daedalus::codegen {

using expr::NodeId;
using expr::Op;

std::uint32_t TaylorProgram::push(Op op, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    Step step{op, op == Op::select ? nullptr : &expr::taylor_rule_of(op), a, b, c, new_series(), nothing};
    if (step.rule != nullptr && step.rule->partner) step.u = new_series();
    steps_.push_back(step);
    return step.v;
}

// Products are exact where the recurrence for powers would divide by a_0 = 0.
std::uint32_t TaylorProgram::push_power(std::uint32_t a, int n) {
    std::uint32_t result = nothing, square = a;
    for (auto rest = static_cast<unsigned>(std::abs(n)); rest != 0;) {
        if (rest & 1U) result = result == nothing ? square : push(Op::mul, result, square);
        rest >>= 1U;
        if (rest != 0) square = push(Op::mul, square, square);
    }
    if (n > 0) return result;
    const std::uint32_t one = new_series();
    constants_.emplace_back(one, 1.0);
    return push(Op::div, one, result);
}

TaylorProgram::TaylorProgram(const expr::Graph& g, std::vector<NodeId> varying, std::vector<NodeId> held,
                             std::span<const NodeId> outputs)
    : varying_(static_cast<int>(varying.size())), held_(static_cast<int>(held.size())) {
    std::unordered_map<std::uint32_t, std::uint32_t> series;
    for (const NodeId leaf : varying) series.emplace(expr::index(leaf), new_series());
    for (const NodeId leaf : held) series.emplace(expr::index(leaf), new_series());
    std::unordered_map<std::uint32_t, bool> moves; // along the curve
    for (const NodeId leaf : varying) moves[expr::index(leaf)] = true;
    for (const NodeId node : g.reachable(outputs)) {
        const Op op = g.op(node);
        const std::uint32_t id = expr::index(node);
        if (op == Op::constant) {
            series[id] = new_series();
            constants_.emplace_back(series[id], g.constant_value(node));
            continue;
        }
        if (expr::is_leaf(op)) {
            assert(series.contains(id));
            continue;
        }
        std::uint32_t s[3] = {nothing, nothing, nothing};
        for (int k = 0; k < expr::arity(op); ++k) {
            s[k] = series.at(expr::index(g.operand(node, k)));
            moves[id] = moves[id] || moves[expr::index(g.operand(node, k))];
        }
        if (op == Op::pow) {
            if (const auto n = integer_exponent(g, g.operand(node, 1))) {
                series[id] = push_power(s[0], *n);
                continue;
            }
            if (moves[expr::index(g.operand(node, 1))]) { // a^b = exp(b log a)
                series[id] = push(Op::exp, push(Op::mul, s[1], push(Op::log, s[0])));
                continue;
            }
        }
        series[id] = push(op, s[0], s[1], s[2]);
    }
    for (const NodeId output : outputs) outputs_.push_back(series.at(expr::index(output)));
}

template <class T>
TaylorEvaluation<T>::TaylorEvaluation(const TaylorProgram& program, int order)
    : program_(&program), order_(order), values_(program.series_ * (static_cast<std::size_t>(order) + 1), T(0.0)) {
    for (const auto& [series, value] : program.constants_) *at(series) = T(value);
}

template <class T>
void TaylorEvaluation<T>::advance(int k) {
    assert(k <= order_);
    for (const TaylorProgram::Step& step : program_->steps_) {
        const auto series = [&](std::uint32_t s) { return s == TaylorProgram::nothing ? nullptr : at(s); };
        const T *a = series(step.a), *b = series(step.b), *c = series(step.c);
        T* v = series(step.v);
        if (step.rule == nullptr) {
            v[k] = expr::apply_to(Op::select, a[0], b[k], c[k]); // the branch of coefficient 0
            continue;
        }
        if (k == 0) v[0] = expr::apply_to(step.op, a[0], b == nullptr ? T(0.0) : b[0]);
        if (k > 0 || step.rule->partner) step.rule->template step<T>()(k, a, b, v, series(step.u));
    }
}

template class TaylorEvaluation<double>;
template class TaylorEvaluation<expr::Quad>;
template class TaylorEvaluation<expr::Symbol>;

void series_of_derivative(std::span<const double> jet, int m, std::span<double> series) {
    assert(jet.size() >= series.size() + static_cast<std::size_t>(m));
    for (std::size_t k = 0; k < series.size(); ++k) {
        double factor = 1.0;
        for (int i = 1; i <= m; ++i) factor *= static_cast<double>(k) + i;
        series[k] = factor * jet[k + static_cast<std::size_t>(m)];
    }
}

std::vector<NodeId> taylor_expressions(expr::Graph& g, const TaylorProgram& program,
                                       std::span<const NodeId> coefficients, std::span<const NodeId> held, int order) {
    const auto length = static_cast<std::size_t>(order) + 1;
    assert(coefficients.size() == static_cast<std::size_t>(program.varying()) * length);
    TaylorEvaluation<expr::Symbol> evaluation(program, order);
    for (int i = 0; i < program.varying(); ++i)
        for (std::size_t k = 0; k < length; ++k)
            evaluation.leaf(i)[k] = {g, coefficients[static_cast<std::size_t>(i) * length + k]};
    for (int i = 0; i < program.held(); ++i) evaluation.set_held(i, {g, held[static_cast<std::size_t>(i)]});
    for (int k = 0; k <= order; ++k) evaluation.advance(k);
    std::vector<NodeId> result;
    for (int i = 0; i < program.outputs(); ++i)
        for (int k = 0; k <= order; ++k) result.push_back(evaluation.output(i, k).in(g));
    return result;
}

Kernel taylor_kernel(const TaylorProgram& program, int order) {
    expr::Graph g;
    Segments segments(2);
    for (int i = 0; i < program.held(); ++i) segments[0].push_back(g.parameter(i));
    for (int i = 0; i < program.varying(); ++i)
        for (int k = 0; k <= order; ++k) segments[1].push_back(g.variable(i, k));
    const std::vector<NodeId> outputs = taylor_expressions(g, program, segments[1], segments[0], order);
    return {g, segments, outputs};
}

} // namespace daedalus::codegen
