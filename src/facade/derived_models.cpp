#include "daedalus/derived_models.hpp"

#include "base/expected.hpp"
#include "expr/differentiate.hpp"
#include "expr/substitute.hpp"
#include "facade/access.hpp"

#include <fmt/format.h>

#include <cmath>
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

/// All but the equations, and of the variables the first ones.
std::shared_ptr<model::Model> copy_of(const model::Model& m, std::size_t variables) {
    auto copy = std::make_shared<model::Model>();
    copy->name = m.name;
    copy->description = m.description;
    copy->graph = std::make_shared<expr::Graph>(*m.graph);
    copy->experiment = m.experiment;
    copy->sources = m.sources;
    for (const model::Parameter& p : m.parameters) copy->add_parameter(p);
    for (std::size_t v = 0; v < variables; ++v) copy->add_variable(m.variables[v]);
    return copy;
}

/// The formula as a node of a copy of the model: read as one more equation of it.
struct ModelWithFormula {
    std::shared_ptr<model::Model> model;
    NodeId formula;
};
Expected<ModelWithFormula> read_formula(const Model& model, const std::string& formula) {
    std::string text = model.to_modelica();
    std::string name = "cost_";
    while (text.find(name) != std::string::npos) name += "_";
    const std::size_t equation = text.find("\nequation\n"), end = text.rfind("\nend ");
    if (equation == std::string::npos || end == std::string::npos)
        return fail(make_error("no-equations", "the model has no equations"));
    text.insert(end, fmt::format("\n{} = {};", name, formula));
    text.insert(equation, fmt::format("\nReal {};", name));
    auto parsed = Model::from_string(text, "cost");
    if (!parsed) return Unexpected{std::move(parsed.error())};
    // The variable that carries the formula is the last one, so that no other number changes without it.
    const model::Model& m = *parsed->impl().model;
    ModelWithFormula result{copy_of(m, m.variables.size() - 1), m.equations.back().right};
    result.model->equations.assign(m.equations.begin(), m.equations.end() - 1);
    return result;
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
    auto with = read_formula(model, cost);
    if (!with) return Unexpected{std::move(with.error())};
    std::shared_ptr<model::Model> shared = std::move(with->model);
    model::Model& m = *shared;
    expr::Graph& g = *m.graph;
    const std::set<int> states = differentiated(m);
    const auto unknowns = static_cast<int>(m.variables.size());
    NodeId hamiltonian = with->formula;
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
    const model::Model& source = *model.impl().model;
    const auto epsilon = source.find_parameter(parameter);
    constexpr int most = 12; // orders; expressions grow with each
    if (!epsilon)
        return fail(make_error("unknown-parameter", fmt::format("{} has no parameter {}", source.name, parameter)));
    if (order < 0 || order > most)
        return fail(make_error("bad-option", fmt::format("the order of an expansion is a number from 0 to {}", most)));
    std::shared_ptr<model::Model> shared = copy_of(source, 0);
    model::Model& m = *shared;
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
    for (std::size_t k = 0; k < terms; ++k)
        for (const model::Variable& v : source.variables) {
            model::Variable term = v;
            term.name = fmt::format("{}_{}", v.name, k);
            if (k > 0) term.start = g.constant(0.0);
            if (k > 0) term.description = fmt::format("factor of {}^{} in {}", parameter, k, v.name);
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
    expr::Substitution at_zero(g, [&](NodeId leaf) { return leaf == eps ? g.constant(0.0) : leaf; });
    std::vector<NodeId> rows;
    for (const model::Equation& e : source.equations) rows.push_back(expand(g.sub(e.left, e.right)));
    double factorial = 1.0;
    for (int k = 0; k <= order; ++k, factorial *= k)
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (k > 0) rows[i] = expr::partial(g, rows[i], eps);
            const NodeId row = g.mul(g.constant(1.0 / factorial), at_zero(rows[i]));
            if (g.is_constant(row) && !std::isfinite(g.constant_value(row)))
                return fail(
                    make_error("not-expandable", fmt::format("{} has no expansion at {} = 0",
                                                             source.text(source.equations[i], 120), parameter)));
            m.equations.push_back(
                {row, g.constant(0.0), fmt::format("terms with {}^{}", parameter, k), source.equations[i].span});
        }
    return make(std::move(shared));
}

} // namespace daedalus
