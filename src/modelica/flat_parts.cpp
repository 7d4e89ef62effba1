// Expressions that are small as graphs can be huge as texts: parts that would be written many times get names. And
// which variables are computed from the solution rather than with it, since their place in the text depends on that.
#include "modelica/flat_writer.hpp"

#include <cmath>

namespace daedalus::modelica {

std::vector<NodeId> FlatText::roots(bool with_outputs) {
    std::vector<NodeId> all;
    const auto add = [&](NodeId node) {
        if (node != expr::no_node) all.push_back(value_of(node));
    };
    for (const auto* list : {&m_.equations, &m_.initial_equations})
        for (const model::Equation& e : *list) {
            add(e.left);
            add(e.right);
        }
    for (const model::DiscreteVariable& d : m_.discrete)
        if (with_outputs || d.type != ValueType::real || is_held(d)) add(d.value);
    for (const model::When& clause : m_.clauses)
        for (const model::WhenBranch& branch : clause.branches) {
            for (const NodeId condition : branch.conditions) add(condition);
            for (const auto& s : branch.settings) add(s.value);
            for (const auto& r : branch.reinits) add(r.value);
            for (const auto& a : branch.assertions) add(a.holds);
        }
    return all;
}

std::vector<NodeId> FlatText::written(NodeId node) const {
    if (const auto it = derivatives_.find(node); it != derivatives_.end()) return {it->second};
    if (is_eventless(node)) {
        const auto [a, b] = sides(node);
        return {a, b};
    }
    std::vector<NodeId> operands;
    operands.reserve(static_cast<std::size_t>(g_.arity(node)));
    for (int k = 0; k < g_.arity(node); ++k) operands.push_back(g_.operand(node, k));
    return operands;
}

double FlatText::length(NodeId node, std::unordered_map<NodeId, double>& of) const {
    if (shorter_.contains(node)) return 0;
    double n = 1;
    for (const NodeId operand : written(node)) n += of[operand];
    return n;
}

void FlatText::name_large_parts() {
    constexpr double large_text = 2000, large_part = 32; // operations
    const std::vector<NodeId> from = roots(true);
    std::vector<NodeId> all = from;
    std::unordered_set<NodeId> seen(from.begin(), from.end());
    for (std::size_t k = 0; k < all.size(); ++k)
        for (const NodeId operand : written(all[k]))
            if (seen.insert(operand).second) all.push_back(operand);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::unordered_map<NodeId, int> uses;
    std::unordered_map<NodeId, double> operations; // as a text, in which parts that have names count once
    std::unordered_set<NodeId> differentiated;
    for (const NodeId root : from) ++uses[root];
    for (const NodeId node : all) {
        for (const NodeId operand : written(node)) ++uses[operand];
        if (const auto it = derivatives_.find(node); it != derivatives_.end()) {
            const NodeId roots[1] = {it->second};
            for (const NodeId inside : g_.reachable(roots)) differentiated.insert(inside);
        }
    }
    double largest = 0;
    for (const NodeId node : all) {
        const double n = length(node, operations);
        operations[node] = n;
        largest = std::max(largest, n);
    }
    if (largest <= large_text) return;
    int number = 0;
    for (const NodeId node : all) { // operands before their users: the smallest first
        double n = length(node, operations);
        if (n > large_part && uses[node] > 1 && !differentiated.contains(node) && !is_whole(node)) {
            std::string name;
            do name = "part" + std::to_string(++number);
            while (is_taken(name));
            shorter_.emplace(node, name);
            parts_.push_back(node);
            n = 1;
        }
        operations[node] = n;
    }
}

bool FlatText::is_whole(NodeId node) {
    if (const auto known = whole_.find(node); known != whole_.end()) return known->second;
    const NodeId roots[1] = {node};
    for (const NodeId one : g_.reachable(roots)) { // operands before their users
        const Op op = g_.op(one);
        const auto operand = [&](int k) { return whole_[g_.operand(one, k)]; };
        bool whole = op == Op::floor || op == Op::ceil || op == Op::sign || expr::is_boolean(op);
        if (op == Op::constant) whole = std::floor(g_.constant_value(one)) == g_.constant_value(one);
        if (op == Op::parameter) whole = parameter(g_.parameter_id(one)).type != ValueType::real;
        if (op == Op::select) whole = operand(1) && operand(2);
        if (op == Op::neg || op == Op::abs) whole = operand(0);
        if (op == Op::add || op == Op::sub || op == Op::mul || op == Op::min || op == Op::max)
            whole = operand(0) && operand(1);
        whole_[one] = whole;
    }
    return whole_[node];
}

std::vector<NodeId> FlatText::mentioned(std::vector<NodeId> from, NodeId itself) const {
    std::unordered_set<NodeId> seen(from.begin(), from.end());
    for (std::size_t k = 0; k < from.size(); ++k) {
        if (from[k] != itself && shorter_.contains(from[k])) continue;
        for (const NodeId operand : written(from[k]))
            if (seen.insert(operand).second) from.push_back(operand);
    }
    return from;
}

void FlatText::find_outputs() {
    std::unordered_set<NodeId> needed;
    for (const NodeId node : mentioned(roots(false))) needed.insert(node);
    for (std::size_t k = parts_.size(); k-- > 0;) // users before what they use
        if (needed.contains(parts_[k]))
            for (const NodeId node : mentioned({parts_[k]}, parts_[k])) needed.insert(node);
        else
            of_outputs_.insert(parts_[k]);
}

std::vector<NodeId> FlatText::parts(bool of_outputs) const {
    std::vector<NodeId> some;
    for (const NodeId part : parts_)
        if (!is_parameter(part) && of_outputs_.contains(part) == of_outputs) some.push_back(part);
    return some;
}

bool FlatText::is_parameter(NodeId node) const {
    const NodeId roots[1] = {node};
    const auto all = g_.reachable(roots);
    return std::none_of(all.begin(), all.end(), [&](NodeId n) {
        const Op op = g_.op(n);
        return op == Op::variable || op == Op::time || (op == Op::parameter && parameter(g_.parameter_id(n)).is_held);
    });
}

} // namespace daedalus::modelica
