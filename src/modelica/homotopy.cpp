// homotopy(actual, simplified) (specification 3.7.4.2): the equations say `actual`. Beside them every equation that has
// one keeps what it says on the way from `simplified` to there, with which the start is looked for
// (simulation/homotopy_start).
#include "expr/substitute.hpp"
#include "modelica/translator.hpp"

namespace daedalus::modelica {

using expr::NodeId;
using expr::Op;

namespace {
constexpr int first_homotopy = (1 << 29) + (1 << 28) + (1 << 27); // beyond the leaves of clocked operators
}

int Translator::homotopy_number(NodeId node) const {
    if (g_.op(node) != Op::parameter || g_.parameter_id(node) < first_homotopy) return -1;
    return g_.parameter_id(node) - first_homotopy;
}

/// A leaf for each number, until all equations are known.
Quantity Translator::homotopy(const Context& c, const ast::Expr& e) {
    const ast::Call& call = c.unit->tree.call(e);
    const auto argument = [&](std::size_t place, std::string_view name) -> const ast::Argument* {
        for (const ast::Argument& a : call.arguments)
            if (a.name == name) return &a;
        return place < call.arguments.size() && call.arguments[place].name.empty() ? &call.arguments[place] : nullptr;
    };
    const ast::Argument *actual = argument(0, "actual"), *simplified = argument(1, "simplified");
    if (actual == nullptr || simplified == nullptr)
        fail("argument-count", c.unit, e.span, "'homotopy' takes 2 arguments, 'actual' and 'simplified'");
    Quantity a = evaluate(c, actual->value);
    if (!simulating_ || in_function_ > 0 || !is_number(a.kind)) return a;
    const Quantity b = evaluate(c, simplified->value);
    if (!is_number(b.kind) || b.dimensions != a.dimensions)
        fail("type", c.unit, e.span, "the arguments of 'homotopy' must be numbers or arrays of the same size");
    for (std::size_t k = 0; k < a.nodes.size(); ++k) {
        if (a.nodes[k] == b.nodes[k] || fold(a.nodes[k])) continue;
        homotopies_.push_back({a.nodes[k], b.nodes[k]});
        a.nodes[k] = g_.parameter(first_homotopy + static_cast<int>(homotopies_.size()) - 1);
    }
    return a;
}

/// With `actual` in the place of every leaf.
NodeId Translator::actual(NodeId node) {
    if (homotopies_.empty()) return node;
    expr::Substitution substitute(g_, [&](NodeId leaf) {
        const int k = homotopy_number(leaf);
        return k < 0 ? leaf : actual(homotopies_[static_cast<std::size_t>(k)].actual);
    });
    return substitute(node);
}

void Translator::resolve_homotopies() {
    if (homotopies_.empty()) return;
    model::Parameter s;
    s.name = "homotopy()";
    s.binding = g_.constant(1.0);
    s.is_constant = true;
    model_.homotopy = model_.add_parameter(std::move(s));
    std::vector<NodeId> ends, between; // inner ones come first
    const auto leaves = [&](const std::vector<NodeId>& values) {
        return expr::Substitution(g_, [this, &values](NodeId leaf) {
            const int k = homotopy_number(leaf);
            return k < 0 ? leaf : values[static_cast<std::size_t>(k)];
        });
    };
    expr::Substitution by_end = leaves(ends), on_the_way = leaves(between);
    for (const Homotopy& h : homotopies_) {
        ends.push_back(by_end(h.actual));
        const NodeId a = on_the_way(h.actual), b = on_the_way(h.simplified);
        between.push_back(g_.add(b, g_.mul(g_.parameter(model_.homotopy), g_.sub(a, b))));
    }
    const auto replace = [&](NodeId& node) {
        if (node != expr::no_node) node = by_end(node);
    };
    for (auto* list : {&model_.equations, &model_.initial_equations})
        for (model::Equation& e : *list) {
            const NodeId difference = g_.sub(e.left, e.right), way = on_the_way(difference);
            if (way == difference) continue;
            e.homotopy = way;
            replace(e.left);
            replace(e.right);
        }
    for (ClockedEquation& e : clocked_equations_) {
        replace(e.left);
        replace(e.right);
    }
    for (ClockedLeaf& leaf : clocked_) replace(leaf.argument);
    for (auto* list : {&discrete_equations_, &discrete_initial_})
        for (DiscreteEquation& e : *list) {
            replace(e.left);
            replace(e.right);
        }
    for (model::When& clause : model_.clauses)
        for (model::WhenBranch& branch : clause.branches) {
            for (NodeId& node : branch.conditions) replace(node);
            for (auto& setting : branch.settings) replace(setting.value);
            for (auto& r : branch.reinits) replace(r.value);
            for (auto& a : branch.assertions) replace(a.holds);
        }
    for (model::Memory& memory : model_.memories) replace(memory.value);
    model_.visit_past(replace);
}

} // namespace daedalus::modelica
