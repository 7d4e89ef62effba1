#include "transform/alias_elimination.hpp"

#include "expr/substitute.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace daedalus::transform {

namespace {

using expr::Graph;
using expr::Op;

// A residual read as a sum of at most two signed variable leaves and a part without variables.
struct SignedSum {
    std::array<NodeId, 2> leaf{expr::no_node, expr::no_node};
    std::array<bool, 2> negative{false, false};
    int leaves = 0;
    NodeId known = expr::no_node; ///< sum of the terms without variables; no_node: none
};

bool has_variable(const Graph& g, NodeId node) {
    constexpr std::size_t largest = 200; // a longer known part is not worth looking at
    const NodeId roots[] = {node};
    const std::vector<NodeId> below = g.reachable(roots);
    return below.size() > largest ||
           std::any_of(below.begin(), below.end(), [&](NodeId n) { return g.op(n) == Op::variable; });
}

std::optional<SignedSum> read(Graph& g, NodeId residual) {
    constexpr int most_terms = 8;
    SignedSum sum;
    std::vector<std::pair<NodeId, bool>> todo{{residual, false}};
    for (int terms = 0; !todo.empty();) {
        const auto [node, negative] = todo.back();
        todo.pop_back();
        if (++terms > most_terms) return std::nullopt;
        switch (g.op(node)) {
        case Op::neg: todo.emplace_back(g.operand(node, 0), !negative); break;
        case Op::add:
            todo.emplace_back(g.operand(node, 0), negative);
            todo.emplace_back(g.operand(node, 1), negative);
            break;
        case Op::sub:
            if (!has_variable(g, node)) { // keep the author's form of a known part
                const NodeId part = negative ? g.neg(node) : node;
                sum.known = sum.known == expr::no_node ? part : g.add(sum.known, part);
                break;
            }
            todo.emplace_back(g.operand(node, 0), negative);
            todo.emplace_back(g.operand(node, 1), !negative);
            break;
        case Op::variable:
            if (sum.leaves == 2) return std::nullopt;
            sum.leaf[static_cast<std::size_t>(sum.leaves)] = node;
            sum.negative[static_cast<std::size_t>(sum.leaves)] = negative;
            ++sum.leaves;
            break;
        default: {
            if (has_variable(g, node)) return std::nullopt;
            const NodeId part = negative ? g.neg(node) : node;
            sum.known = sum.known == expr::no_node ? part : g.add(sum.known, part);
        }
        }
    }
    if (sum.known != expr::no_node && g.is_constant(sum.known, 0.0)) sum.known = expr::no_node;
    return sum;
}

class Eliminator {
public:
    Eliminator(System& system, KnownValues known)
        : system_(system), known_(known), g_(system.graph()), value_(system.model->variables.size(), expr::no_node),
          pinned_(system.model->variables.size(), 0), differentiated_(system.model->variables.size(), 0), ddt_(g_) {
        std::vector<NodeId> roots;
        for (std::size_t i = 0; i < system.equations.size(); ++i) roots.push_back(system.residual(static_cast<int>(i)));
        for (const NodeId node : g_.reachable(roots))
            if (g_.op(node) == Op::variable && g_.derivative_order(node) > 0) differentiated_[id(node)] = 1;
    }

    AliasCounts run() {
        // A derivative alias must leave its derivative in some equation; where it does not, the variable is kept.
        for (;;) {
            reset();
            collect();
            apply();
            if (!pin_lost_derivatives()) break;
        }
        system_.index_aliases();
        return counts_;
    }

private:
    void reset() {
        if (original_.equations.empty() && original_.variables.empty()) original_ = system_;
        system_ = original_;
        counts_ = {};
        std::fill(value_.begin(), value_.end(), expr::no_node);
        order_.clear();
        used_.assign(system_.equations.size(), 0);
    }

    // The leaf with every elimination so far applied. What a variable was found to stand for is remembered (path
    // compression), so that long chains of aliases cost linear time.
    NodeId resolve(NodeId leaf) {
        trail_.clear();
        NodeId result = leaf;
        bool negative = false;
        while (g_.op(result) == Op::variable && value_[id(result)] != expr::no_node) {
            if (g_.derivative_order(result) == 0) trail_.push_back({id(result), negative});
            NodeId v = value_[id(result)];
            for (int k = g_.derivative_order(result); k > 0; --k) v = ddt_(v);
            if (g_.op(v) == Op::neg) {
                negative = !negative;
                v = g_.operand(v, 0);
            }
            result = v;
        }
        for (const auto& [variable, sign] : trail_) value_[variable] = sign == negative ? result : g_.neg(result);
        return negative ? g_.neg(result) : result;
    }

    [[nodiscard]] std::size_t id(NodeId leaf) const { return static_cast<std::size_t>(g_.variable_id(leaf)); }

    void collect() {
        std::vector<int> candidates;
        for (std::size_t i = 0; i < system_.equations.size(); ++i)
            if (!stays(static_cast<int>(i)) && read(g_, system_.residual(static_cast<int>(i))))
                candidates.push_back(static_cast<int>(i));
        // Earlier eliminations can turn later candidates into aliases; a few sweeps find nearly all of them.
        for (int sweep = 0; sweep < 3; ++sweep) {
            bool changed = false;
            for (const int i : candidates)
                if (!used_[static_cast<std::size_t>(i)]) changed = consider(i) || changed;
            if (!changed) break;
        }
    }

    /// What it replaced is found by its number.
    [[nodiscard]] bool stays(int row) const {
        return std::any_of(system_.replaced.begin(), system_.replaced.end(),
                           [&](const System::Replaced& old) { return old.row == row; });
    }

    bool consider(int row) {
        expr::Substitution now(g_, [this](NodeId leaf) { return g_.op(leaf) == Op::variable ? resolve(leaf) : leaf; });
        const auto sum = read(g_, now(system_.residual(row)));
        if (!sum || sum->leaves == 0) return false;
        if (sum->leaves == 1) return known_ == KnownValues::eliminate && eliminate_known(row, *sum);
        return sum->known == expr::no_node && eliminate_alias(row, *sum);
    }

    bool eliminate_known(int row, const SignedSum& sum) {
        const NodeId leaf = sum.leaf[0];
        if (g_.derivative_order(leaf) != 0 || pinned_[id(leaf)]) return false;
        const NodeId known = sum.known == expr::no_node ? g_.constant(0.0) : sum.known;
        record(row, leaf, sum.negative[0] ? known : g_.neg(known));
        ++counts_.known;
        return true;
    }

    bool eliminate_alias(int row, const SignedSum& sum) {
        const NodeId a = sum.leaf[0], b = sum.leaf[1];
        if (id(a) == id(b)) return false;
        const bool can_a = removable(a, b), can_b = removable(b, a);
        if (!can_a && !can_b) return false;
        const bool drop_a = can_a && (!can_b || worth(id(a)) < worth(id(b)));
        const NodeId drop = drop_a ? a : b, keep = drop_a ? b : a;
        record(row, drop, sum.negative[0] == sum.negative[1] ? g_.neg(keep) : keep);
        ++(g_.derivative_order(keep) > 0 ? counts_.derivatives : counts_.aliases);
        return true;
    }

    // u = der(x) is only another name where u is differentiated itself (x' = u, u' = … abbreviates a second-order
    // equation). An algebraic u = der(x) stays: without it a semi-explicit system would become a fully implicit one.
    [[nodiscard]] bool removable(NodeId drop, NodeId keep) const {
        if (g_.derivative_order(drop) != 0 || pinned_[id(drop)]) return false;
        return g_.derivative_order(keep) == 0 || differentiated_[id(drop)];
    }

    // Of two names for one thing, the one about which more was said stays.
    [[nodiscard]] int worth(std::size_t variable) const {
        const model::Variable& v = system_.model->variables[variable];
        return 4 * static_cast<int>(v.fixed) + 2 * static_cast<int>(v.start != expr::no_node) +
               8 * static_cast<int>(v.state_select);
    }

    void record(int row, NodeId leaf, NodeId value) {
        value_[id(leaf)] = value;
        order_.push_back({static_cast<int>(id(leaf)), value, system_.equations[static_cast<std::size_t>(row)].origin});
        used_[static_cast<std::size_t>(row)] = 1;
    }

    void apply() {
        expr::Substitution all(g_, [this](NodeId leaf) { return g_.op(leaf) == Op::variable ? resolve(leaf) : leaf; });
        std::vector<SystemEquation> left;
        std::vector<int> new_row(system_.equations.size(), -1);
        for (std::size_t i = 0; i < system_.equations.size(); ++i) {
            if (used_[i]) continue;
            new_row[i] = static_cast<int>(left.size());
            SystemEquation e = system_.equations[i];
            e.left = all(e.left);
            e.right = all(e.right);
            left.push_back(std::move(e));
        }
        system_.equations = std::move(left);
        for (System::Replaced& old : system_.replaced)
            old = {new_row[static_cast<std::size_t>(old.row)], all(old.residual), old.by_constraint};
        std::erase_if(system_.variables,
                      [this](int v) { return value_[static_cast<std::size_t>(v)] != expr::no_node; });
        system_.eliminations = order_;
        for (Elimination& e : system_.eliminations) e.value = all(e.value);
    }

    bool pin_lost_derivatives() {
        std::vector<int> highest(value_.size(), 0);
        std::vector<NodeId> roots;
        for (std::size_t i = 0; i < system_.equations.size(); ++i)
            roots.push_back(system_.residual(static_cast<int>(i)));
        for (const NodeId node : g_.reachable(roots))
            if (g_.op(node) == Op::variable) highest[id(node)] = std::max(highest[id(node)], g_.derivative_order(node));
        bool pinned = false;
        for (const Elimination& e : system_.eliminations) {
            const NodeId leaf = g_.op(e.value) == Op::neg ? g_.operand(e.value, 0) : e.value;
            if (g_.op(leaf) != Op::variable || g_.derivative_order(leaf) <= highest[id(leaf)]) continue;
            pinned_[static_cast<std::size_t>(e.variable)] = 1;
            pinned = true;
        }
        return pinned;
    }

    System& system_;
    KnownValues known_;
    System original_;
    Graph& g_;
    std::vector<NodeId> value_;
    std::vector<char> pinned_;
    std::vector<char> differentiated_;
    std::vector<char> used_;
    std::vector<Elimination> order_;
    std::vector<std::pair<std::size_t, bool>> trail_; ///< variables met by resolve(), and the sign up to there
    expr::TimeDerivative ddt_;
    AliasCounts counts_;
};

} // namespace

AliasCounts eliminate_aliases(System& system, KnownValues known) { return Eliminator(system, known).run(); }

} // namespace daedalus::transform
