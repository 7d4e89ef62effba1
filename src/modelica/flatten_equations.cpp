// Equation sections: equalities, if-equations, and clear words for what is not there yet.
#include "expr/evaluate.hpp"
#include "modelica/flatten.hpp"

#include <algorithm>

namespace daedalus::modelica {

using ast::EquationKind;
using ast::given;
using expr::NodeId;
using expr::Op;

void Flattener::equations(const std::vector<ast::Equation>& list, std::vector<model::Equation>& out) {
    for (const ast::Equation& one : list) equation(one, out);
}

void Flattener::equation(const ast::Equation& written, std::vector<model::Equation>& out) {
    if (std::find(definitions_.begin(), definitions_.end(), &written) != definitions_.end()) return;
    switch (written.kind) {
    case EquationKind::equality: return equality(written, out);
    case EquationKind::if_: return if_equation(written, out);
    case EquationKind::for_: return unsupported(written.span, "for-equations");
    case EquationKind::when: return when_equation(written);
    case EquationKind::connect: return unsupported(written.span, "connect");
    case EquationKind::call: return call_equation(written);
    case EquationKind::invalid: return;
    }
}

void Flattener::equality(const ast::Equation& written, std::vector<model::Equation>& out) {
    if (!given(written.left) || !given(written.right)) return;
    const Value left = lower_(written.left);
    const Value right = lower_(written.right);
    if (!left.ok() || !right.ok()) return;
    if (!is_numeric(left.type) || !is_numeric(right.type)) {
        const Value& odd = is_numeric(left.type) ? right : left;
        if (left.type == right.type && left.type == Type::boolean)
            return unsupported(written.span, "equations between Booleans that define neither side by its name");
        return report_.error("type", odd.span,
                             "both sides of an equation must be numbers, but this is a " +
                                 std::string(spelling(odd.type)),
                             odd.type == Type::boolean ? "turn it into a number with (if b then 1 else 0)" : "");
    }
    add_equation(left, right, written.span, written.description, out);
}

void Flattener::add_equation(const Value& left, const Value& right, Span span, std::string description,
                             std::vector<model::Equation>& out) {
    if (left.varies != Varies::with_time && right.varies != Varies::with_time) {
        const Value* assigned = nullptr;
        for (const Value* side : {&left, &right})
            if (model_.graph->op(side->node) == Op::parameter && assigned == nullptr) assigned = side;
        if (assigned != nullptr) {
            const auto id = static_cast<std::size_t>(model_.graph->parameter_id(assigned->node));
            const std::string& name = model_.parameters[id].name;
            report_.error("equation-for-parameter", span, "this equation sets the parameter '" + name + "'",
                          "a parameter gets its value where it is declared: parameter Real " + name + " = …;");
            if (const Symbol* symbol = scope_.find(name)) report_.note(symbol->span, "'" + name + "' is declared here");
        } else {
            report_.error("equation-without-unknown", span, "no unknown occurs in this equation",
                          "an equation relates variables; parameters and numbers alone determine nothing");
        }
        return;
    }
    out.push_back({left.node, right.node, std::move(description), report_.place(span)});
}

void Flattener::call_equation(const ast::Equation& written) {
    const ast::Expr& e = tree_[written.left];
    const ast::Call& call = tree_.call(e);
    const std::string name = call.function.text();
    if (name == "assert") { // when the condition does not hold, at the start or later
        model::WhenBranch branch;
        branch.span = report_.place(written.span);
        branch.also_at_start = true;
        assertion(call, written.span, expr::no_node, branch);
        if (branch.assertions.empty()) return;
        branch.conditions.push_back(model_.graph->unary(expr::Op::logical_not, branch.assertions.front().holds));
        model_.clauses.push_back({{std::move(branch)}});
        return;
    }
    if (name == "terminate" || name == "reinit")
        return report_.error("outside-when", written.span, "'" + name + "(…)' stands outside a when-clause",
                             "it happens at an event: when … then " + name + "(…); end when;");
    if (name.starts_with("Connections.")) return unsupported(written.span, "'" + name + "(…)'");
    const Value value = lower_(written.left);
    if (value.ok())
        report_.error("expression-as-equation", written.span, "an expression is not an equation",
                      "equations are written left = right");
}

std::optional<double> Flattener::evaluate_now(const Value& value, std::string_view why) {
    const expr::Graph& graph = *model_.graph;
    if (graph.is_constant(value.node)) return graph.constant_value(value.node);
    if (value.varies == Varies::with_time) {
        report_.error("varies", value.span, std::string(why) + " must not vary in time");
        return std::nullopt;
    }
    if (!parameters_ && !parameters_failed_) {
        auto values = model::parameter_values(model_);
        parameters_failed_ = !values.has_value();
        if (values) parameters_ = std::move(*values);
        if (parameters_failed_)
            for (const Diagnostic& problem : values.error())
                report_.error("needed-now", value.span, std::string(why) + " cannot be evaluated: " + problem.message,
                              "give it a value where it is declared");
    }
    if (!parameters_) return std::nullopt;
    // What was decided here is part of the structure: the parameters behind it are constants from now on.
    std::vector<NodeId> work{value.node};
    while (!work.empty()) {
        const NodeId root = work.back();
        work.pop_back();
        for (const NodeId leaf : graph.reachable(std::span(&root, 1))) {
            if (graph.op(leaf) != Op::parameter) continue;
            model::Parameter& parameter = model_.parameters[static_cast<std::size_t>(graph.parameter_id(leaf))];
            if (!parameter.is_constant && parameter.binding != expr::no_node) work.push_back(parameter.binding);
            parameter.is_constant = true;
        }
    }
    return expr::evaluate(graph, value.node, [&](NodeId leaf) {
        return (*parameters_)[static_cast<std::size_t>(graph.parameter_id(leaf))];
    });
}

// Conditions in parameters choose their branch now; from the first one that varies in time on, the branches are
// merged into if-expressions, equation by equation.
void Flattener::if_equation(const ast::Equation& written, std::vector<model::Equation>& out) {
    std::vector<Value> conditions;
    for (const ast::Branch& branch : written.branches) {
        if (!given(branch.condition)) break;
        conditions.push_back(lower_.boolean(branch.condition, "the condition of 'if'"));
        if (!conditions.back().ok()) return;
    }
    for (std::size_t k = 0; k < written.branches.size(); ++k) {
        if (k >= conditions.size()) return equations(written.branches[k].equations, out);
        if (conditions[k].varies == Varies::with_time) return merge_branches(written, conditions, k, out);
        const auto chosen = evaluate_now(conditions[k], "the condition of this if-equation");
        if (!chosen) return;
        if (*chosen != 0.0) return equations(written.branches[k].equations, out);
    }
}

void Flattener::merge_branches(const ast::Equation& written, const std::vector<Value>& conditions, std::size_t first,
                               std::vector<model::Equation>& out) {
    expr::Graph& graph = *model_.graph;
    if (given(written.branches.back().condition))
        return report_.error("if-without-else", written.span,
                             "an if-equation whose condition varies in time needs an 'else' branch",
                             "every branch must determine the same number of unknowns");
    const int errors_before = report_.error_count();
    std::vector<std::vector<model::Equation>> branches;
    for (std::size_t k = first; k < written.branches.size(); ++k)
        equations(written.branches[k].equations, branches.emplace_back());
    if (report_.error_count() != errors_before) return;
    for (const auto& branch : branches)
        if (branch.size() != branches[0].size())
            return report_.error("if-branches-differ", written.span,
                                 "the branches of this if-equation have different numbers of equations: " +
                                     std::to_string(branches[0].size()) + " and " + std::to_string(branch.size()),
                                 "every branch must determine the same number of unknowns");
    for (std::size_t i = 0; i < branches[0].size(); ++i) {
        bool same_left = true;
        for (const auto& branch : branches) same_left = same_left && branch[i].left == branches[0][i].left;
        const auto side = [&](const model::Equation& e) { return same_left ? e.right : graph.sub(e.left, e.right); };
        NodeId right = side(branches.back()[i]);
        for (std::size_t k = branches.size() - 1; k-- > 0;)
            right = graph.select(conditions[first + k].node, side(branches[k][i]), right);
        model::Equation merged = branches[0][i];
        merged.left = same_left ? merged.left : graph.constant(0.0);
        merged.right = right;
        if (branches.size() > 1) merged.span = report_.place(written.span);
        out.push_back(std::move(merged));
    }
}

} // namespace daedalus::modelica
