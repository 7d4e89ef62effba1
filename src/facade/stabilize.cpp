#include "daedalus/stabilize.hpp"

#include "base/expected.hpp"
#include "expr/differentiate.hpp"
#include "expr/substitute.hpp"
#include "facade/access.hpp"
#include "facade/refuse_events.hpp"
#include "simulation/private_copy.hpp"

#include <fmt/format.h>

#include <unordered_map>

namespace daedalus {

namespace {

using expr::NodeId;
using expr::Op;

bool is_derivative(const expr::Graph& g, NodeId n) { return g.op(n) == Op::variable && g.derivative_order(n) == 1; }

bool mentions_derivative(const expr::Graph& g, std::initializer_list<NodeId> sides) {
    const std::vector<NodeId> roots(sides);
    for (const NodeId n : g.reachable(roots))
        if (g.op(n) == Op::variable && g.derivative_order(n) > 0) return true;
    return false;
}

} // namespace

Expected<Model> stabilized(const Model& model) {
    if (auto refused = facade::refuse_events(*model.impl().model, "the stabilised system"))
        return fail(*std::move(refused));
    const std::shared_ptr<model::Model> shared = simulation::private_copy(*model.impl().model);
    model::Model& m = *shared;
    expr::Graph& g = *m.graph;
    std::unordered_map<int, std::size_t> equation_of; // differential variable → its equation
    std::vector<std::size_t> constraints;
    for (std::size_t i = 0; i < m.equations.size(); ++i) {
        model::Equation& e = m.equations[i];
        if (is_derivative(g, e.right) && !is_derivative(g, e.left)) std::swap(e.left, e.right);
        if (is_derivative(g, e.left) && !mentions_derivative(g, {e.right}) &&
            equation_of.emplace(g.variable_id(e.left), i).second)
            continue;
        if (mentions_derivative(g, {e.left, e.right})) {
            Diagnostic d = make_error("not-semi-explicit", fmt::format("{} is neither of the form der(x) = f nor free "
                                                                       "of derivatives",
                                                                       m.text(e, 120)));
            d.hint = "solve it for one derivative";
            if (e.span.known()) d.where = e.span.locate();
            return fail(std::move(d));
        }
        constraints.push_back(i);
    }
    expr::TimeDerivative ddt(g);
    expr::Substitution insert(g, [&](NodeId leaf) {
        if (!is_derivative(g, leaf)) return leaf;
        const auto found = equation_of.find(g.variable_id(leaf));
        return found == equation_of.end() ? leaf : m.equations[found->second].right;
    });
    std::vector<model::Equation> differentiated;
    std::vector<std::pair<std::size_t, NodeId>> multipliers; // of equation, g_xᵀ μ
    for (std::size_t k = 0; k < constraints.size(); ++k) {
        const model::Equation& c = m.equations[constraints[k]];
        const NodeId residual = g.sub(c.left, c.right);
        differentiated.push_back(
            {insert(ddt(residual)), g.constant(0.0), "derivative of a constraint, der(x) replaced", c.span});
        model::Variable mu;
        mu.name = fmt::format("mu{}", k + 1);
        while (m.find_variable(mu.name) || m.find_parameter(mu.name)) mu.name += "_";
        mu.start = g.constant(0.0);
        mu.description = "multiplier of the differentiated constraint; zero but for errors";
        const NodeId multiplier = g.variable(m.add_variable(std::move(mu)));
        for (const expr::Partial& p : expr::gradient(g, residual)) {
            const auto found = equation_of.find(g.variable_id(p.leaf));
            if (g.derivative_order(p.leaf) == 0 && found != equation_of.end())
                multipliers.emplace_back(found->second, g.mul(p.value, multiplier));
        }
    }
    for (const auto& [i, term] : multipliers) m.equations[i].right = g.add(m.equations[i].right, term);
    m.equations.insert(m.equations.end(), differentiated.begin(), differentiated.end());
    m.name += "Stabilized";
    auto impl = std::make_shared<Model::Impl>();
    impl->model = shared;
    return Model::make(std::move(impl));
}

} // namespace daedalus
