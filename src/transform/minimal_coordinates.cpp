#include "transform/minimal_coordinates.hpp"

#include "expr/substitute.hpp"
#include "transform/random_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace daedalus::transform {

namespace {

constexpr int twice = 2; ///< constraints on positions are differentiated so often

class CoordinateElimination {
public:
    CoordinateElimination(const System& s, const ReducedSystem& r, const EquationsOfMotion& m, Formulation& f)
        : s_(s), r_(r), g_(s.graph()), m_(m), f_(f), column_(s.columns()) {
        for (int b = 0; b < r.blocks.count(); ++b) {
            for (const int i : r.blocks.equations(b)) block_of_row_[i] = b;
            for (const int j : r.blocks.variables(b)) block_of_column_[j] = b;
        }
    }
    void run() {
        for (std::size_t i = 0; i < m_.g.size(); ++i) define(m_.rows[i], m_.g[i]);
        if (!value_.empty()) {
            rewrite();
            remove();
        }
        describe();
    }

private:
    struct Defined {
        int variable, row; ///< of the model, of the system
    };

    [[nodiscard]] NodeId put(NodeId e) const {
        return expr::Substitution(g_, [&](NodeId leaf) {
            const auto it = value_.find(leaf);
            return it == value_.end() ? leaf : it->second;
        })(e);
    }
    [[nodiscard]] bool varies(NodeId e) const {
        const NodeId roots[] = {e};
        const auto below = g_.reachable(roots);
        return std::any_of(below.begin(), below.end(),
                           [&](NodeId n) { return g_.op(n) == expr::Op::variable || g_.op(n) == expr::Op::time; });
    }
    [[nodiscard]] bool may_go(NodeId leaf, int row) const {
        const int v = g_.variable_id(leaf);
        if (g_.derivative_order(leaf) != 0) return false;
        const int j = column_[static_cast<std::size_t>(v)];
        const auto& variable = s_.model->variables[static_cast<std::size_t>(v)];
        return r_.analysis.d[static_cast<std::size_t>(j)] == twice && f_.unknown({v, twice}) >= 0 &&
               block_of_column_.at(j) == block_of_row_.at(row) && variable.min == expr::no_node &&
               variable.max == expr::no_node && static_cast<int>(variable.state_select) == 0;
    }

    /// The coordinate with the largest constant factor is the one that the constraint defines.
    void define(int row, NodeId constraint) {
        if (r_.analysis.c[static_cast<std::size_t>(row)] != twice) return;
        const NodeId g = put(constraint);
        const expr::Partial* best = nullptr;
        double largest = 0.0;
        const auto partials = expr::gradient(g_, g);
        for (const expr::Partial& p : partials) {
            if (varies(p.value) || !may_go(p.leaf, row)) continue;
            const double size = std::abs(at_random_point(s_, p.value, 1));
            if (!(size > largest)) continue;
            largest = size;
            best = &p;
        }
        if (best == nullptr) return;
        const NodeId rest =
            expr::Substitution(g_, [&](NodeId leaf) { return leaf == best->leaf ? g_.constant(0.0) : leaf; })(g);
        const NodeId leaf = best->leaf, phi = g_.neg(g_.div(rest, best->value));
        expr::Substitution replace(g_, [&](NodeId l) { return l == leaf ? phi : l; });
        for (auto& [other, value] : value_) value = replace(value);
        value_[leaf] = phi;
        defined_.push_back({g_.variable_id(leaf), row});
    }

    /// φ' and φ'' too, and all that mentions them.
    void rewrite() {
        expr::TimeDerivative derivative(g_);
        const std::map<NodeId, NodeId> positions = value_;
        for (const auto& [leaf, phi] : positions) {
            NodeId value = phi;
            for (int k = 1; k <= twice; ++k) value_[g_.variable(g_.variable_id(leaf), k)] = value = derivative(value);
        }
        for (DifferentiatedEquation& e : f_.rows) e.residual = put(e.residual);
        for (DifferentiatedEquation& e : f_.hidden) e.residual = put(e.residual);
        for (const Defined& d : defined_)
            for (int k = 0; k <= twice; ++k)
                f_.inlined.push_back({{d.variable, k}, value_.at(g_.variable(d.variable, k))});
    }

    void remove() {
        std::set<int> variables, rows;
        for (const Defined& d : defined_) {
            variables.insert(d.variable);
            rows.insert(d.row);
        }
        std::vector<int> unknown(f_.unknowns.size(), -1), row(f_.rows.size(), -1);
        std::vector<JetEntry> unknowns;
        for (std::size_t i = 0; i < unknown.size(); ++i) {
            if (variables.count(f_.unknowns[i].variable) != 0) continue;
            unknown[i] = static_cast<int>(unknowns.size());
            unknowns.push_back(f_.unknowns[i]);
        }
        std::vector<DifferentiatedEquation> left;
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (rows.count(f_.rows[i].row) != 0) continue;
            row[i] = static_cast<int>(left.size());
            left.push_back(f_.rows[i]);
        }
        f_.unknowns = std::move(unknowns);
        f_.rows = std::move(left);
        for (problem::Link& link : f_.permanent_links)
            link = {unknown[static_cast<std::size_t>(link.state)], unknown[static_cast<std::size_t>(link.derivative)]};
        std::vector<problem::ChoiceBlock> blocks;
        for (const problem::ChoiceBlock& block : f_.choices) {
            problem::ChoiceBlock now = renumbered(block, unknown, row);
            const auto& c = now.differentiations;
            if (std::any_of(c.begin(), c.end(), [](int times) { return times > 0; }))
                blocks.push_back(std::move(now));
            else // nothing is left to choose: all of them are states
                for (const std::vector<int>& chain : now.chain)
                    for (std::size_t k = 0; k + 1 < chain.size(); ++k)
                        f_.permanent_links.push_back({chain[k], chain[k + 1]});
        }
        f_.choices = std::move(blocks);
        f_.index_unknowns();
    }
    [[nodiscard]] static problem::ChoiceBlock renumbered(const problem::ChoiceBlock& block,
                                                         const std::vector<int>& unknown, const std::vector<int>& row) {
        problem::ChoiceBlock now;
        for (std::size_t i = 0; i < block.top_row.size(); ++i) {
            const int top = row[static_cast<std::size_t>(block.top_row[i])];
            if (top < 0) continue;
            now.top_row.push_back(top);
            now.differentiations.push_back(block.differentiations[i]);
        }
        for (std::size_t j = 0; j < block.chain.size(); ++j) {
            std::vector<int> chain;
            for (const int i : block.chain[j])
                if (unknown[static_cast<std::size_t>(i)] >= 0) chain.push_back(unknown[static_cast<std::size_t>(i)]);
            if (chain.empty() && !block.chain[j].empty()) continue;
            now.chain.push_back(std::move(chain));
            now.preference.push_back(block.preference[j]);
        }
        return now;
    }

    void describe() {
        std::string names;
        for (const Defined& d : defined_) names += (names.empty() ? "" : ", ") + s_.name({d.variable, 0});
        const std::size_t left = m_.w.size() - defined_.size();
        f_.remark = names.empty() ? std::string("no constraint defines a coordinate") : "eliminated: " + names;
        if (left > 0)
            f_.remark += fmt::format("; {} {} solved for dependent coordinates along the way", left,
                                     left == 1 ? "constraint is" : "constraints are");
    }

    const System& s_;
    const ReducedSystem& r_;
    expr::Graph& g_;
    const EquationsOfMotion& m_;
    Formulation& f_;
    std::vector<int> column_;
    std::map<int, int> block_of_row_, block_of_column_;
    std::map<NodeId, NodeId> value_; ///< of eliminated coordinates and their derivatives
    std::vector<Defined> defined_;
};

} // namespace

void eliminate_coordinates(const System& system, const ReducedSystem& reduced, const EquationsOfMotion& motion,
                           Formulation& formulation) {
    CoordinateElimination(system, reduced, motion, formulation).run();
}

} // namespace daedalus::transform
