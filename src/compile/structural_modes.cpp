#include "compile/structural_modes.hpp"

#include "expr/substitute.hpp"
#include "structure/signature_method.hpp"
#include "transform/system.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

namespace daedalus::compile {

using expr::NodeId;
using expr::Op;
using transform::JetEntry;

namespace {

using Entries = std::vector<JetEntry>; ///< ascending

/// Conditions that can change during a run.
bool varies(const model::Model& m, NodeId condition) {
    const expr::Graph& g = *m.graph;
    const NodeId below[] = {condition};
    const std::vector<NodeId> nodes = g.reachable(below);
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeId n) {
        return g.op(n) == Op::variable || g.op(n) == Op::time ||
               (g.op(n) == Op::parameter && m.parameters[static_cast<std::size_t>(g.parameter_id(n))].is_held);
    });
}

/// What occurs in an expression whatever its conditions say, and what may occur besides.
class Occurrence {
public:
    Occurrence(const model::Model& m, NodeId expression) {
        const expr::Graph& g = *m.graph;
        const NodeId below[] = {expression};
        for (const NodeId node : g.reachable(below)) { // operands before their users
            const Op op = g.op(node);
            Both& here = of_[expr::index(node)];
            if (op == Op::variable) {
                here.surely = here.possibly = {{g.variable_id(node), g.derivative_order(node)}};
            } else if (op == Op::select && varies(m, g.operand(node, 0))) {
                const Both &a = of_[expr::index(g.operand(node, 1))], &b = of_[expr::index(g.operand(node, 2))];
                std::set_intersection(a.surely.begin(), a.surely.end(), b.surely.begin(), b.surely.end(),
                                      std::back_inserter(here.surely));
                here.possibly = merged(a.possibly, b.possibly);
                if (a.surely != b.surely || a.possibly != b.possibly) conditions_.push_back(g.operand(node, 0));
            } else {
                for (int k = 0; k < g.arity(node); ++k) {
                    const Both& operand = of_[expr::index(g.operand(node, k))];
                    here.surely = merged(here.surely, operand.surely);
                    here.possibly = merged(here.possibly, operand.possibly);
                }
            }
        }
        root_ = expr::index(expression);
    }
    [[nodiscard]] const Entries& surely() const { return of_.at(root_).surely; }
    [[nodiscard]] const Entries& possibly() const { return of_.at(root_).possibly; }
    /// Whose branches differ in what occurs.
    [[nodiscard]] const std::vector<NodeId>& conditions() const { return conditions_; }

private:
    struct Both {
        Entries surely, possibly;
    };
    static Entries merged(const Entries& a, const Entries& b) {
        Entries both;
        std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
        return both;
    }
    std::unordered_map<std::uint32_t, Both> of_;
    std::vector<NodeId> conditions_;
    std::uint32_t root_ = 0;
};

bool has_branches(const model::Model& m) {
    std::vector<NodeId> all;
    for (const model::Equation& e : m.equations) all.insert(all.end(), {e.left, e.right});
    const std::vector<NodeId> nodes = m.graph->reachable(all);
    return std::any_of(nodes.begin(), nodes.end(), [&](NodeId n) { return m.graph->op(n) == Op::select; });
}

bool has_varying_branches(const model::Model& m, NodeId expression) {
    const expr::Graph& g = *m.graph;
    const NodeId below[] = {expression};
    const std::vector<NodeId> nodes = g.reachable(below);
    return std::any_of(nodes.begin(), nodes.end(),
                       [&](NodeId n) { return g.op(n) == Op::select && varies(m, g.operand(n, 0)); });
}

std::unordered_set<int> variables_below(const expr::Graph& g, std::span<const NodeId> expressions) {
    std::unordered_set<int> ids;
    for (const NodeId node : g.reachable(expressions))
        if (g.op(node) == Op::variable) ids.insert(g.variable_id(node));
    return ids;
}

/// Unknowns of these rows that are not differentiated anywhere: what a mode determines, not what it begins with.
bool decides_itself(const model::Model& m, const std::vector<NodeId>& rows, const std::vector<NodeId>& conditions) {
    const expr::Graph& g = *m.graph;
    std::vector<NodeId> all;
    for (const model::Equation& e : m.equations) all.insert(all.end(), {e.left, e.right});
    std::unordered_set<int> differentiated;
    for (const NodeId node : g.reachable(all))
        if (g.op(node) == Op::variable && g.derivative_order(node) > 0) differentiated.insert(g.variable_id(node));
    const std::unordered_set<int> of_rows = variables_below(g, rows);
    const std::unordered_set<int> asked = variables_below(g, conditions);
    return std::any_of(asked.begin(), asked.end(),
                       [&](int v) { return of_rows.contains(v) && !differentiated.contains(v); });
}

} // namespace

std::vector<NodeId> structural_conditions(const model::Model& model) {
    if (model.known_index >= 0 || !has_branches(model)) return {}; // what is known holds for every branch
    model::Model m = model;                                        // residuals are new nodes
    m.graph = model.copy_of_graph();
    const transform::System system = transform::make_system(m, {});
    std::vector<int> branching; // rows
    for (std::size_t i = 0; i < system.equations.size(); ++i)
        if (has_varying_branches(m, system.equations[i].left) || has_varying_branches(m, system.equations[i].right))
            branching.push_back(static_cast<int>(i));
    if (branching.empty()) return {};
    // The structure of all modes together, without what only a condition mentions.
    structure::SignatureMatrix sigma = system.signature();
    std::vector<structure::SignatureEntry> entries;
    std::vector<char> branches(system.equations.size(), 0);
    std::unordered_map<int, Occurrence> occurrence;
    for (const int row : branching) {
        branches[static_cast<std::size_t>(row)] = 1;
        const Occurrence& here = occurrence.emplace(row, Occurrence(m, system.residual(row))).first->second;
        for (const JetEntry& e : here.possibly()) entries.push_back({row, e.variable, e.order});
    }
    for (int i = 0; i < sigma.equations(); ++i) {
        if (branches[static_cast<std::size_t>(i)]) continue;
        for (std::size_t k = 0; k < sigma.variables_of(i).size(); ++k)
            entries.push_back({i, sigma.variables_of(i)[k], sigma.orders_of(i)[k]});
    }
    sigma = structure::SignatureMatrix::from_entries(sigma.equations(), sigma.variables(), entries);
    if (sigma.equations() != sigma.variables()) return {};
    const structure::SignatureAnalysis analysis = structure::signature_method(sigma);
    if (!analysis.regular) return {};
    std::vector<std::vector<int>> sure(system.equations.size());
    std::vector<NodeId> conditions, rows;
    for (int i = 0; i < sigma.equations(); ++i) {
        const auto row = static_cast<std::size_t>(i);
        const std::span<const int> tight = analysis.system_jacobian.row(i);
        if (!branches[row]) {
            sure[row].assign(tight.begin(), tight.end());
            continue;
        }
        const Occurrence& here = occurrence.at(i);
        for (const int j : tight) {
            const JetEntry entry{j, analysis.d[static_cast<std::size_t>(j)] - analysis.c[row]};
            if (std::binary_search(here.surely().begin(), here.surely().end(), entry)) sure[row].push_back(j);
        }
        if (sure[row].size() == tight.size()) continue;
        rows.push_back(system.residual(i));
        conditions.insert(conditions.end(), here.conditions().begin(), here.conditions().end());
    }
    if (structure::maximum_matching(structure::Incidence::from_rows(sigma.variables(), sure)).perfect()) return {};
    std::vector<NodeId> distinct;
    for (const NodeId c : conditions)
        if (std::find(distinct.begin(), distinct.end(), c) == distinct.end()) distinct.push_back(c);
    if (decides_itself(m, rows, distinct)) return {};
    return distinct;
}

std::shared_ptr<model::Model> model_in_mode(const model::Model& m, std::span<const NodeId> conditions,
                                            const std::vector<bool>& truth, Beginning beginning) {
    auto copy = std::make_shared<model::Model>(m);
    copy->graph = m.copy_of_graph();
    copy->as_read.reset();
    expr::Graph& g = *copy->graph;
    std::unordered_map<std::uint32_t, bool> value;
    for (std::size_t k = 0; k < conditions.size(); ++k) value.emplace(expr::index(conditions[k]), truth[k]);
    std::unordered_map<std::uint32_t, NodeId> taken; // nodes as they are in this mode
    const auto in_mode = [&](NodeId expression) {
        const NodeId below[] = {expression};
        for (const NodeId node : g.reachable(below)) {
            if (taken.contains(expr::index(node))) continue;
            const Op op = g.op(node);
            NodeId& here = taken[expr::index(node)];
            here = node;
            if (op == Op::select) {
                if (const auto known = value.find(expr::index(g.operand(node, 0))); known != value.end()) {
                    here = taken.at(expr::index(g.operand(node, known->second ? 1 : 2)));
                    continue;
                }
            }
            const NodeId made = g.rebuilt(node, [&](NodeId old) { return taken.at(expr::index(old)); });
            taken[expr::index(node)] = made;
        }
        return taken.at(expr::index(expression));
    };
    for (model::Equation& e : copy->equations) {
        e.left = in_mode(e.left);
        e.right = in_mode(e.right);
    }
    if (beginning == Beginning::continued) {
        copy->initial_equations.clear();
        for (model::Variable& v : copy->variables) v.fixed = false;
    } else {
        for (model::Equation& e : copy->initial_equations) {
            e.left = in_mode(e.left);
            e.right = in_mode(e.right);
        }
    }
    for (std::size_t k = 0; k < conditions.size(); ++k) {
        model::WhenBranch branch;
        // A change of structure cannot be stepped over: it is an event whatever the author says of its condition.
        const NodeId condition = expr::with_events(g, conditions[k]);
        branch.conditions = {truth[k] ? g.unary(Op::logical_not, condition) : condition};
        branch.terminates = true;
        branch.also_at_start = true;
        branch.message = std::string(structure_changes);
        copy->clauses.push_back({{std::move(branch)}});
    }
    return copy;
}

} // namespace daedalus::compile
