// Last steps: derivatives that only initial equations mention become part of the system, and variables that nothing but
// their own definition mentions, and whose definition is not smooth (the angle of a phasor that may vanish), are
// computed from the solution instead of with it.
#include "expr/substitute.hpp"
#include "modelica/translator.hpp"

namespace daedalus::modelica {

using expr::NodeId;
using expr::Op;

namespace {

bool can_fail(Op op) {
    return op == Op::sqrt || op == Op::atan2 || op == Op::pow || op == Op::asin || op == Op::acos || op == Op::log ||
           op == Op::log10 || op == Op::div;
}

} // namespace

// der(y) = 0 at the start, where y is no state: with a name for der(y) the equations that y follows from are
// differentiated.
void Translator::name_initial_derivatives() {
    std::unordered_set<std::uint32_t> present;
    std::vector<NodeId> roots;
    for (const model::Equation& e : model_.equations) roots.insert(roots.end(), {e.left, e.right});
    for (const NodeId leaf : g_.reachable(roots))
        if (g_.op(leaf) == Op::variable && g_.derivative_order(leaf) > 0) present.insert(expr::index(leaf));
    roots.clear();
    for (const model::Equation& e : model_.initial_equations) roots.insert(roots.end(), {e.left, e.right});
    for (const NodeId e : model_.past_expressions()) roots.push_back(e);
    for (const NodeId leaf : g_.reachable(roots)) {
        if (g_.op(leaf) != Op::variable || g_.derivative_order(leaf) == 0 || present.contains(expr::index(leaf)))
            continue;
        model::Variable v;
        v.name = model_.variable_name(g_.variable_id(leaf), g_.derivative_order(leaf));
        v.description = "named for the initial equations";
        v.span = model_.variables[static_cast<std::size_t>(g_.variable_id(leaf))].span;
        const SourceSpan span = v.span;
        model_.equations.push_back(
            {g_.variable(model_.add_variable(std::move(v))), leaf, "named for the initial equations", span});
    }
}

/// Whether all that it has are variables, or it is a flat text made of classes: then what is computed afterwards is
/// said.
bool Translator::is_flat() const {
    for (const ast::Modification& annotation : top_->definition->annotation)
        if (annotation.name.text() == "__Daedalus")
            for (const ast::Modification& written : annotation.arguments)
                if (written.name.text() == "flat") return true;
    return std::all_of(top_->elements.begin(), top_->elements.end(), [](const Element* e) {
        return !e->is_class() && (e->made == nullptr || e->made->kind != Kind::none);
    });
}

void Translator::compute_outputs_afterwards() {
    const bool flat = is_flat();
    if (flat && afterwards_.empty()) return;
    const std::size_t n = model_.variables.size();
    std::vector<int> uses(n, 0);
    std::vector<std::vector<std::size_t>> inside(model_.equations.size());
    const auto variables_in = [&](const std::vector<NodeId>& roots) {
        std::vector<std::size_t> list;
        for (const NodeId leaf : g_.reachable(roots))
            if (g_.op(leaf) == Op::variable) list.push_back(static_cast<std::size_t>(g_.variable_id(leaf)));
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        return list;
    };
    for (std::size_t k = 0; k < model_.equations.size(); ++k) {
        inside[k] = variables_in({model_.equations[k].left, model_.equations[k].right});
        for (const std::size_t v : inside[k]) ++uses[v];
    }
    std::vector<NodeId> others;
    for (const model::Equation& e : model_.initial_equations) others.insert(others.end(), {e.left, e.right});
    for (const model::Equation& e : model_.equations)
        if (e.homotopy != expr::no_node) others.push_back(e.homotopy);
    for (const model::When& clause : model_.clauses)
        for (const model::WhenBranch& branch : clause.branches) {
            others.insert(others.end(), branch.conditions.begin(), branch.conditions.end());
            for (const auto& s : branch.settings) others.push_back(s.value);
            for (const auto& r : branch.reinits) others.insert(others.end(), {r.variable, r.value});
            for (const auto& a : branch.assertions) others.push_back(a.holds);
        }
    for (const model::Memory& memory : model_.memories) others.push_back(memory.value);
    for (const NodeId e : model_.past_expressions()) others.push_back(e);
    for (const model::DiscreteVariable& v : model_.discrete) others.push_back(v.value);
    for (const std::size_t v : variables_in(others)) ++uses[v];
    std::vector<char> gone(n, 0), dropped(model_.equations.size(), 0);
    std::vector<NodeId> value(n, expr::no_node);
    std::vector<std::size_t> order, defined_by(n, 0);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t k = 0; k < model_.equations.size(); ++k) {
            if (dropped[k]) continue;
            const model::Equation& e = model_.equations[k];
            for (const auto& [left, right] : {std::pair(e.left, e.right), std::pair(e.right, e.left)}) {
                if (g_.op(left) != Op::variable || g_.derivative_order(left) != 0) continue;
                const auto v = static_cast<std::size_t>(g_.variable_id(left));
                const model::Variable& variable = model_.variables[v];
                if (flat && !afterwards_.contains(variable.name)) continue;
                if (uses[v] != 1 || variable.fixed || variable.is_input || variable.is_parameter ||
                    variable.state_select > model::StateSelect::default_)
                    continue;
                const NodeId roots[1] = {right};
                bool plain = true;
                for (const NodeId node : g_.reachable(roots)) {
                    if (g_.op(node) == Op::variable)
                        plain = plain && node != left && static_cast<std::size_t>(g_.variable_id(node)) != v &&
                                g_.derivative_order(node) == 0;
                }
                if (!plain) continue;
                gone[v] = dropped[k] = 1;
                value[v] = right;
                order.push_back(v);
                defined_by[v] = k;
                for (const std::size_t used : inside[k]) --uses[used];
                changed = true;
                break;
            }
        }
    }
    // Of these, those that are not smooth and what is computed from them; the rest stays in the system.
    std::vector<std::size_t> chosen;
    std::vector<char> apart(n, 0);
    for (std::size_t k = order.size(); k-- > 0;) {
        const std::size_t v = order[k];
        const NodeId roots[1] = {value[v]};
        if (flat) apart[v] = 1;
        for (const NodeId node : g_.reachable(roots)) {
            if (can_fail(g_.op(node))) apart[v] = 1;
            if (g_.op(node) == Op::variable && apart[static_cast<std::size_t>(g_.variable_id(node))]) apart[v] = 1;
        }
        if (!apart[v]) gone[v] = dropped[defined_by[v]] = 0;
    }
    for (const std::size_t v : order)
        if (apart[v]) chosen.push_back(v);
    order = std::move(chosen);
    if (order.empty()) return;
    // Those found later are used by those found earlier: definitions of the last first.
    model::Model kept;
    kept.graph = model_.graph;
    std::vector<int> number(n, -1);
    for (std::size_t v = 0; v < n; ++v)
        if (!gone[v]) number[v] = kept.add_variable(model_.variables[v]);
    for (model::Parameter& p : model_.parameters) (void)kept.add_parameter(std::move(p));
    expr::Substitution renumber(g_, [&](NodeId leaf) {
        if (g_.op(leaf) != Op::variable) return leaf;
        const auto v = static_cast<std::size_t>(g_.variable_id(leaf));
        return gone[v] ? value[v] : g_.variable(number[v], g_.derivative_order(leaf));
    });
    for (std::size_t k = order.size(); k-- > 0;) {
        expr::Substitution one(g_, [&](NodeId leaf) {
            if (g_.op(leaf) != Op::variable) return leaf;
            const auto v = static_cast<std::size_t>(g_.variable_id(leaf));
            return gone[v] ? value[v] : g_.variable(number[v], g_.derivative_order(leaf));
        });
        value[order[k]] = one(value[order[k]]);
    }
    const auto change = [&](NodeId& node) {
        if (node != expr::no_node) node = renumber(node);
    };
    for (std::size_t k = 0; k < model_.equations.size(); ++k)
        if (!dropped[k]) kept.equations.push_back(std::move(model_.equations[k]));
    kept.initial_equations = std::move(model_.initial_equations);
    for (auto* list : {&kept.equations, &kept.initial_equations})
        for (model::Equation& e : *list) {
            change(e.left);
            change(e.right);
            change(e.homotopy);
        }
    expr::rewrite_derivatives(g_, [&](NodeId e) { return renumber(e); });
    kept.clauses = std::move(model_.clauses);
    for (model::When& clause : kept.clauses)
        for (model::WhenBranch& branch : clause.branches) {
            for (NodeId& node : branch.conditions) change(node);
            for (auto& s : branch.settings) change(s.value);
            for (auto& r : branch.reinits) {
                change(r.variable);
                change(r.value);
            }
            for (auto& a : branch.assertions) change(a.holds);
        }
    kept.memories = std::move(model_.memories);
    for (model::Memory& memory : kept.memories) change(memory.value);
    kept.delays = std::move(model_.delays);
    kept.transports = std::move(model_.transports);
    kept.visit_past(change);
    kept.history = model_.history;
    kept.discrete = std::move(model_.discrete);
    for (model::DiscreteVariable& v : kept.discrete) change(v.value);
    for (std::size_t v = 0; v < n; ++v)
        if (gone[v])
            kept.discrete.push_back({model_.variables[v].name, value[v], model_.variables[v].unit,
                                     model_.variables[v].description, model_.variables[v].span,
                                     model_.variables[v].is_protected});
    kept.name = model_.name;
    kept.description = model_.description;
    kept.samples = std::move(model_.samples);
    kept.terminal_flag = model_.terminal_flag;
    kept.initial_flag = model_.initial_flag;
    kept.homotopy = model_.homotopy;
    kept.experiment = model_.experiment;
    kept.warnings = std::move(model_.warnings);
    model_ = std::move(kept);
}

} // namespace daedalus::modelica
