#include "compile/mode_activity.hpp"

#include "compile/compilation.hpp"

#include <algorithm>
#include <unordered_map>

namespace daedalus::compile {

using expr::NodeId;
using expr::Op;

ModeActivity::ModeActivity(const Compilation& c, const std::vector<NodeId>& expressions) {
    const expr::Graph& g = c.system.graph();
    always_.assign(c.root_relations.size(), 0);
    std::unordered_map<std::uint32_t, int> root_of, entry_of;
    std::unordered_map<std::uint32_t, NodeId> relation_of;
    for (std::size_t k = 0; k < c.root_relations.size(); ++k)
        root_of.emplace(expr::index(c.root_relations[k]), static_cast<int>(k));
    for (const Kink& kink : c.kinks)
        if (root_of.contains(expr::index(kink.relation))) relation_of.emplace(expr::index(kink.node), kink.relation);
    std::vector<NodeId> rows = expressions;
    for (const IntegerPart& part : c.discrete.integers) {
        always_[part.above] = always_[part.below] = 1;
        rows.push_back(c.root_relations[part.above]);
        rows.push_back(c.root_relations[part.below]);
    }
    for (const PastReader& reader : c.discrete.readers)
        for (const std::size_t root : {reader.ahead, reader.back.value_or(reader.ahead)}) {
            always_[root] = 1;
            rows.push_back(c.root_relations[root]);
        }
    // Depth first, operands and the relations of kinks before their users; -1: nothing to decide below.
    bool branches = false;
    std::vector<std::pair<NodeId, int>> stack;
    for (const NodeId row : rows) {
        stack.emplace_back(row, 0);
        while (!stack.empty()) {
            auto& [node, next] = stack.back();
            const Op op = g.op(node);
            const int arity = g.arity(node);
            const auto kink = relation_of.find(expr::index(node));
            const int below = arity + (kink != relation_of.end() ? 1 : 0);
            if (next == 0 && entry_of.contains(expr::index(node))) {
                stack.pop_back();
                continue;
            }
            if (next < below) {
                const NodeId child = next < arity ? g.operand(node, next) : kink->second;
                ++next;
                if (!entry_of.contains(expr::index(child))) stack.emplace_back(child, 0);
                continue;
            }
            Entry e;
            e.op = op;
            bool matters = false;
            for (int k = 0; k < arity; ++k) {
                const int below_it = entry_of.at(expr::index(g.operand(node, k)));
                matters = matters || below_it >= 0;
                if (op == Op::call) { // all of its operands count: a chain of entries
                    if (below_it >= 0) e.operand[0] = chained(e.operand[0], below_it);
                } else {
                    e.operand[k] = below_it;
                }
            }
            if (kink != relation_of.end()) e.decided_by = entry_of.at(expr::index(kink->second));
            if (const auto root = root_of.find(expr::index(node)); root != root_of.end()) {
                e.root = root->second;
                e.above = op == Op::gt || op == Op::ge;
            }
            matters = matters || e.root >= 0 || e.decided_by >= 0;
            branches = branches || (matters && (op == Op::select || op == Op::logical_and || op == Op::logical_or));
            entry_of[expr::index(node)] = matters ? static_cast<int>(entries_.size()) : -1;
            if (matters) entries_.push_back(e);
            stack.pop_back();
        }
        if (const int entry = entry_of.at(expr::index(row)); entry >= 0) rows_.push_back(entry);
    }
    if (!branches) entries_.clear();
}

int ModeActivity::chained(int rest, int entry) {
    if (rest < 0) return entry;
    Entry both;
    both.op = Op::call;
    both.operand[0] = rest;
    both.operand[1] = entry;
    entries_.push_back(both);
    return static_cast<int>(entries_.size()) - 1;
}

ModeActivity::Truth ModeActivity::truth(const Entry& e, const signed char* side, const std::vector<Truth>& below) {
    const auto of = [&](int k) {
        return e.operand[k] >= 0 ? below[static_cast<std::size_t>(e.operand[k])] : Truth::unknown;
    };
    if (e.root >= 0) return (side[e.root] > 0) == e.above ? Truth::yes : Truth::no;
    switch (e.op) {
    case Op::logical_not:
        return of(0) == Truth::unknown ? Truth::unknown : of(0) == Truth::yes ? Truth::no : Truth::yes;
    case Op::logical_and:
        if (of(0) == Truth::no || of(1) == Truth::no) return Truth::no;
        return of(0) == Truth::yes && of(1) == Truth::yes ? Truth::yes : Truth::unknown;
    case Op::logical_or:
        if (of(0) == Truth::yes || of(1) == Truth::yes) return Truth::yes;
        return of(0) == Truth::no && of(1) == Truth::no ? Truth::no : Truth::unknown;
    default: return Truth::unknown;
    }
}

void ModeActivity::operator()(const signed char* side, char* active) const {
    std::vector<Truth> truth_of(entries_.size());
    std::vector<char> reached(entries_.size(), 0);
    std::copy(always_.begin(), always_.end(), active);
    for (std::size_t i = 0; i < entries_.size(); ++i) truth_of[i] = truth(entries_[i], side, truth_of);
    for (const int row : rows_) reached[static_cast<std::size_t>(row)] = 1;
    const auto reach = [&](int entry) {
        if (entry >= 0) reached[static_cast<std::size_t>(entry)] = 1;
    };
    for (std::size_t i = entries_.size(); i-- > 0;) {
        if (!reached[i]) continue;
        const Entry& e = entries_[i];
        if (e.root >= 0) active[e.root] = 1;
        reach(e.decided_by);
        const Truth first = e.operand[0] >= 0 ? truth_of[static_cast<std::size_t>(e.operand[0])] : Truth::unknown;
        reach(e.operand[0]);
        const bool skip_second = (e.op == Op::select && first == Truth::no) ||
                                 (e.op == Op::logical_and && first == Truth::no) ||
                                 (e.op == Op::logical_or && first == Truth::yes);
        if (!skip_second) reach(e.operand[1]);
        if (!(e.op == Op::select && first == Truth::yes)) reach(e.operand[2]);
    }
}

} // namespace daedalus::compile
