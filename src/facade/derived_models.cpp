#include "daedalus/derived_models.hpp"

#include "base/expected.hpp"
#include "expr/differentiate.hpp"
#include "expr/substitute.hpp"
#include "facade/access.hpp"
#include "facade/refuse_events.hpp"
#include "modelica/read_expression.hpp"
#include "simulation/private_copy.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <set>
#include <unordered_map>

namespace daedalus {

namespace {

using expr::NodeId;
using expr::Op;

Expected<Model> make(std::shared_ptr<model::Model> model) {
    auto impl = std::make_shared<Model::Impl>();
    impl->model = std::move(model);
    return Model::make(std::move(impl));
}

/// Conditions at the end of the run have no place in what is derived: others would follow from them.
std::optional<Diagnostic> refuse_final_values(const model::Model& m) {
    for (const model::Variable& v : m.variables)
        if (v.final_value != expr::no_node) {
            Diagnostic d = make_error("boundary-value-problem",
                                      fmt::format("'{}' has a value at the end of the run, and nothing is derived from "
                                                  "boundary value problems",
                                                  v.name));
            if (v.span.known()) d.where = v.span.locate();
            return d;
        }
    return std::nullopt;
}

/// A copy that shares no variables or equations with the original.
Expected<std::shared_ptr<model::Model>> copy_of(const Model& model, const char* what) {
    const model::Model& m = *model.impl().model;
    if (auto refused = facade::refuse_events(m, what)) return fail(*std::move(refused));
    if (auto refused = refuse_final_values(m)) return fail(*std::move(refused));
    return simulation::private_copy(m);
}

std::set<int> differentiated(const model::Model& m) {
    std::set<int> found;
    std::vector<NodeId> roots;
    for (const model::Equation& e : m.equations) roots.insert(roots.end(), {e.left, e.right});
    for (const NodeId n : m.graph->reachable(roots))
        if (m.graph->op(n) == Op::variable && m.graph->derivative_order(n) > 0) found.insert(m.graph->variable_id(n));
    return found;
}

int add(model::Model& m, std::string name, NodeId start, std::string description) {
    model::Variable v;
    v.name = std::move(name);
    while (m.find_variable(v.name) || m.find_parameter(v.name)) v.name += "_";
    v.start = start;
    v.description = std::move(description);
    return m.add_variable(std::move(v));
}

} // namespace

Expected<Model> optimality_conditions(const Model& model, const std::string& cost) {
    auto copy = copy_of(model, "optimality conditions");
    if (!copy) return Unexpected{std::move(copy.error())};
    std::shared_ptr<model::Model> shared = *std::move(copy);
    model::Model& m = *shared;
    const auto formula = modelica::read_expression(m, cost, modelica::ExpressionKind::number);
    if (!formula) return Unexpected{formula.error()};
    expr::Graph& g = *m.graph;
    const std::set<int> states = differentiated(m);
    const auto unknowns = static_cast<int>(m.variables.size());
    NodeId hamiltonian = *formula;
    std::unordered_map<int, NodeId> adjoint; // of states
    const auto equations = m.equations;
    for (std::size_t i = 0; i < equations.size(); ++i) {
        model::Equation e = equations[i];
        const auto derivative = [&](NodeId n) { return g.op(n) == Op::variable && g.derivative_order(n) == 1; };
        if (derivative(e.right) && !derivative(e.left)) std::swap(e.left, e.right);
        const std::vector<NodeId> sides{e.left, e.right};
        int derivatives = 0;
        for (const NodeId n : g.reachable(sides))
            derivatives += g.op(n) == Op::variable && g.derivative_order(n) > 0 ? 1 : 0;
        if (derivatives == 0) {
            const NodeId w =
                g.variable(add(m, fmt::format("w{}", i + 1), g.constant(0.0), "multiplier of a constraint"));
            hamiltonian = g.add(hamiltonian, g.mul(w, g.sub(e.left, e.right)));
        } else if (derivatives == 1 && derivative(e.left) && !adjoint.contains(g.variable_id(e.left))) {
            const int y = g.variable_id(e.left);
            const NodeId v = g.variable(add(m, "v_" + m.variables[static_cast<std::size_t>(y)].name, g.constant(0.0),
                                            "adjoint of " + m.variables[static_cast<std::size_t>(y)].name));
            m.variables.back().final_value = g.constant(0.0); // v(1) = 0, HW (1.36)
            adjoint.emplace(y, v);
            hamiltonian = g.add(hamiltonian, g.mul(v, e.right));
        } else {
            Diagnostic d = make_error("not-semi-explicit",
                                      fmt::format("{} is neither of the form der(y) = f, one per derivative, nor free "
                                                  "of derivatives",
                                                  m.text(equations[i], 120)));
            d.hint = "solve it for one derivative";
            return fail(std::move(d));
        }
    }
    std::unordered_map<int, NodeId> slope; // of H
    for (const expr::Partial& p : expr::gradient(g, hamiltonian))
        if (g.derivative_order(p.leaf) == 0) slope[g.variable_id(p.leaf)] = p.value;
    const auto of = [&](int v) { return slope.contains(v) ? slope[v] : g.constant(0.0); };
    for (int v = 0; v < unknowns; ++v) {
        const std::string& name = m.variables[static_cast<std::size_t>(v)].name;
        if (states.contains(v))
            m.equations.push_back(
                {g.variable(g.variable_id(adjoint.at(v)), 1), g.neg(of(v)), "adjoint equation of " + name, {}});
        else
            m.equations.push_back({g.constant(0.0), of(v), "the cost is stationary in " + name, {}});
    }
    m.name += "Optimality";
    return make(std::move(shared));
}

Expected<Model> perturbation_hierarchy(const Model& model, const std::string& parameter, int order) {
    auto copy = copy_of(model, "the terms of an expansion"); // its graph grows
    if (!copy) return Unexpected{std::move(copy.error())};
    const model::Model& source = **copy;
    const auto epsilon = source.find_parameter(parameter);
    constexpr int most = 12; // orders; expressions grow with each
    if (!epsilon)
        return fail(make_error("unknown-parameter", fmt::format("{} has no parameter {}", source.name, parameter)));
    if (order < 0 || order > most)
        return fail(make_error("bad-option", fmt::format("the order of an expansion is a number from 0 to {}", most)));
    auto shared = std::make_shared<model::Model>();
    model::Model& m = *shared;
    m.description = source.description;
    m.graph = source.graph;
    m.experiment = source.experiment;
    m.sources = source.sources;
    for (const model::Parameter& p : source.parameters) m.add_parameter(p);
    m.name = fmt::format("{}Order{}", source.name, order);
    expr::Graph& g = *m.graph;
    const NodeId eps = g.parameter(*epsilon);
    for (const model::Parameter& p : source.parameters) {
        if (p.binding == expr::no_node) continue;
        const std::vector<NodeId> root{p.binding};
        for (const NodeId n : g.reachable(root))
            if (n == eps)
                return fail(make_error("not-expandable",
                                       fmt::format("the parameter {} depends on {}", p.name, parameter),
                                       "write its formula into the equations"));
    }
    const auto terms = static_cast<std::size_t>(order) + 1;
    expr::Substitution at_zero(g, [&](NodeId leaf) { return leaf == eps ? g.constant(0.0) : leaf; });
    // The factor of ε^k, from the k-th derivative.
    const auto factor = [&](NodeId derivative, double factorial) {
        return g.mul(g.constant(1.0 / factorial), at_zero(derivative));
    };
    std::vector<NodeId> starts;
    for (const model::Variable& v : source.variables) starts.push_back(v.start);
    double factorial = 1.0;
    for (std::size_t k = 0; k < terms; ++k, factorial *= static_cast<double>(k))
        for (std::size_t i = 0; i < source.variables.size(); ++i) {
            model::Variable term = source.variables[i];
            term.name = fmt::format("{}_{}", source.variables[i].name, k);
            if (k > 0 && starts[i] != expr::no_node) starts[i] = expr::partial(g, starts[i], eps);
            term.start = starts[i] != expr::no_node ? factor(starts[i], factorial)
                         : k > 0                    ? g.constant(0.0)
                                                    : expr::no_node;
            if (k > 0) {
                term.min = term.max = term.nominal = expr::no_node; // of the sum, not of its terms
                term.description = fmt::format("factor of {}^{} in {}", parameter, k, source.variables[i].name);
            }
            m.add_variable(std::move(term));
        }
    const auto count = static_cast<int>(source.variables.size());
    // Unknowns carry the numbers of x_0 first, so that the graph's leaves of x become leaves of x_0.
    expr::Substitution expand(g, [&](NodeId leaf) {
        if (g.op(leaf) != Op::variable) return leaf;
        NodeId sum = leaf, power = g.constant(1.0);
        for (std::size_t k = 1; k < terms; ++k) {
            power = g.mul(power, eps);
            sum = g.add(sum, g.mul(power, g.variable(g.variable_id(leaf) + static_cast<int>(k) * count,
                                                     g.derivative_order(leaf))));
        }
        return sum;
    });
    const auto expanded = [&](const std::vector<model::Equation>& given,
                              std::vector<model::Equation>& to) -> std::optional<Diagnostic> {
        std::vector<NodeId> rows;
        for (const model::Equation& e : given) rows.push_back(expand(g.sub(e.left, e.right)));
        double divisor = 1.0;
        for (int k = 0; k <= order; ++k, divisor *= k)
            for (std::size_t i = 0; i < rows.size(); ++i) {
                if (k > 0) rows[i] = expr::partial(g, rows[i], eps);
                const NodeId row = factor(rows[i], divisor);
                if (g.is_constant(row) && !std::isfinite(g.constant_value(row)))
                    return make_error("not-expandable", fmt::format("{} has no expansion at {} = 0",
                                                                    source.text(given[i], 120), parameter));
                to.push_back({row, g.constant(0.0), fmt::format("terms with {}^{}", parameter, k), given[i].span});
            }
        return std::nullopt;
    };
    if (auto refused = expanded(source.equations, m.equations)) return fail(*std::move(refused));
    if (auto refused = expanded(source.initial_equations, m.initial_equations)) return fail(*std::move(refused));
    return make(std::move(shared));
}

} // namespace daedalus
