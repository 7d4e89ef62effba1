#include "compile/signal_check.hpp"

#include "base/expected.hpp"
#include "compile/compilation.hpp"
#include "expr/delayed.hpp"
#include "expr/substitute.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace daedalus::compile {

using expr::NodeId;
using expr::Op;

std::optional<Diagnostic> check_inputs(const model::Model& model) {
    for (std::size_t v = 0; v < model.variables.size(); ++v) {
        if (!model.variables[v].is_input) continue;
        const auto given = [&](const model::Signal& s) { return s.variable == static_cast<int>(v); };
        if (std::any_of(model.signals.begin(), model.signals.end(), given)) continue;
        const std::string& name = model.variables[v].name;
        return make_error("free-input", fmt::format("the input '{}' has no value", name), model.variables[v].span,
                          fmt::format("give it values over time, --input {0}=FILE.csv (or a number), or an equation in "
                                      "the model: input Real {0} = sin(time);",
                                      name));
    }
    return std::nullopt;
}

namespace {

std::vector<NodeId> all_expressions(const Compilation& c) {
    std::vector<NodeId> list;
    for (const auto* rows : {&c.formulation.rows, &c.formulation.hidden, &c.formulation.constraints})
        for (const transform::DifferentiatedEquation& e : *rows) list.push_back(e.residual);
    for (const auto& row : c.initial.rows) list.push_back(row.residual);
    for (const transform::Elimination& e : c.eliminations) list.push_back(e.value);
    for (const transform::Quadrature& q : c.quadratures) list.push_back(q.rate);
    return list;
}

Diagnostic no_derivative(const Compilation& c, const model::Signal& signal) {
    const SourceSpan span = c.model->variables[static_cast<std::size_t>(signal.variable)].span;
    const int order = signal.differentiable + 1;
    const std::string which = order == 1 ? "the first derivative" : fmt::format("derivative number {}", order);
    if (signal.is_function())
        return make_error("input-derivative",
                          fmt::format("the equations need {} of the input '{}', and its function comes without it",
                                      which, signal.name),
                          span, "give InputFunction::derivatives, or a table, which can be differentiated");
    return make_error(
        "input-derivative",
        fmt::format("the equations need {} of the input '{}', which its table does not have", which, signal.name), span,
        order == 1 ? "a table that jumps has none; interpolate it linearly or by cubics, without equal times"
                   : "interpolate the table by cubics, which can be differentiated three times");
}

/// Polynomials of the past are as accurate as steps are: their slopes by one order less, which tests of errors bear,
/// and slopes of slopes are noise.
std::optional<Diagnostic> too_many_slopes(const Compilation& c) {
    if (!c.model->has_past()) return std::nullopt;
    const expr::Graph& g = c.system.graph();
    for (const NodeId node : g.reachable(all_expressions(c))) {
        const expr::Delayed* const value = expr::delayed(g, node);
        if (value == nullptr || value->order() < 2) continue;
        const bool delayed = value->past().kind == Past::Kind::delayed;
        const SourceSpan span =
            delayed ? c.model->delays[value->past().index].span : c.model->transports[value->past().index].span;
        return make_error(
            "delay-derivative",
            fmt::format("the equations need derivative number {} of a value of the past, which is known only "
                        "as accurately as steps are",
                        value->order()),
            span, delayed ? "delay the derivative itself: delay(der(x), T) in place of der(delay(x, T))" : "");
    }
    return std::nullopt;
}

} // namespace

std::optional<Diagnostic> missing_derivative(const Compilation& c) {
    if (auto trouble = too_many_slopes(c)) return trouble;
    if (c.model->signals.empty()) return std::nullopt;
    expr::Graph& g = c.system.graph();
    std::vector<NodeId> expressions = all_expressions(c);
    // About the present time, s = 0, only what is really asked for is left.
    expr::Substitution here(g, [&](NodeId leaf) {
        if (g.op(leaf) != Op::parameter) return leaf;
        const auto origin = [&](const model::Signal& s) { return s.first_parameter == g.parameter_id(leaf); };
        const auto& signals = c.model->signals;
        return std::any_of(signals.begin(), signals.end(), origin) ? g.time() : leaf;
    });
    for (NodeId& e : expressions) e = here(e);
    const std::vector<NodeId> nodes = g.reachable(expressions);
    for (const model::Signal& signal : c.model->signals) {
        const NodeId unknown = g.parameter(signal.first_parameter + signal.known + 1);
        if (signal.differentiable >= 0 && std::binary_search(nodes.begin(), nodes.end(), unknown))
            return no_derivative(c, signal);
    }
    return std::nullopt;
}

} // namespace daedalus::compile
