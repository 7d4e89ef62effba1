#include "transform/inline_definitions.hpp"

#include "expr/substitute.hpp"

#include <algorithm>

namespace daedalus::transform {

namespace {

using expr::Op;

constexpr int most_fill = 20; ///< entries of the Jacobian that one unknown less may cost
/// … where it has come into other rows through a definition before. Along a line of definitions, i_k = c_k + i_{k+1},
/// each of which costs little, the sums would grow until each costs most_fill: 21 entries of a factor per unknown of an
/// RC ladder. Fitted, not derived: docs/experiments/large_models.md.
constexpr int most_fill_of_chains = 8;

struct Row {
    std::vector<int> mentions;       ///< unknowns, sorted
    std::vector<int> may_define;     ///< unknowns that stand alone, with the factor 1 or -1
    std::vector<int> through_others; ///< unknowns that came in with what another row defines, sorted
    bool derivatives = false;        ///< mentions an x'
    bool used = false;               ///< defines an unknown that was taken out
};

void insert(std::vector<int>& sorted, int value) {
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), value);
    if (at == sorted.end() || *at != value) sorted.insert(at, value);
}

bool contains(const std::vector<int>& sorted, int value) {
    return std::binary_search(sorted.begin(), sorted.end(), value);
}

class Inliner {
public:
    Inliner(const System& system, Formulation& f) : g_(system.graph()), f_(f) {}

    int run(std::span<const NodeId> integrands, const std::function<bool(int)>& stays) {
        find_candidates(stays);
        for (const DifferentiatedEquation& e : f_.rows) rows_.push_back(read(e.residual));
        for (const NodeId integrand : integrands) { // below the rows: they mention unknowns and define none
            rows_.push_back(read(integrand));
            rows_.back().may_define.clear();
            row_block_.push_back(never);
        }
        users_.resize(f_.unknowns.size());
        for (std::size_t r = 0; r < rows_.size(); ++r)
            for (const int y : rows_[r].mentions) users_[static_cast<std::size_t>(y)].push_back(static_cast<int>(r));
        for (bool again = true; again;) {
            again = false;
            for (std::size_t r = 0; r < rows_.size(); ++r)
                if (const int y = best(r); y >= 0) {
                    take_out(y, static_cast<int>(r));
                    again = true;
                }
            again = take_out_chain() || again;
        }
        if (defined_.empty()) return 0;
        rewrite();
        return static_cast<int>(defined_.size());
    }

private:
    void find_candidates(const std::function<bool(int)>& stays) {
        candidate_.assign(f_.unknowns.size(), outside);
        row_block_.assign(f_.rows.size(), outside);
        chain_from_.assign(f_.unknowns.size(), {outside, -1});
        const auto keep = [&](int unknown) { candidate_[static_cast<std::size_t>(unknown)] = never; };
        for (const problem::Link& link : f_.permanent_links) {
            keep(link.state);
            keep(link.derivative);
        }
        for (std::size_t b = 0; b < f_.choices.size(); ++b) {
            const problem::ChoiceBlock& block = f_.choices[b];
            if (settled(block)) continue;
            for (std::size_t j = 0; j < block.chain.size(); ++j)
                chain_from_[static_cast<std::size_t>(block.chain[j].front())] = {static_cast<int>(b),
                                                                                 static_cast<int>(j)};
            // Where nothing is differentiated, neither row nor unknown takes part in the choice of states.
            for (const std::vector<int>& chain : block.chain)
                for (const int i : chain)
                    candidate_[static_cast<std::size_t>(i)] = chain.size() == 1 ? static_cast<int>(b) : never;
            for (std::size_t i = 0; i < block.top_row.size(); ++i)
                for (int k = 0; k <= block.differentiations[i]; ++k)
                    row_block_[static_cast<std::size_t>(block.top_row[i] - k)] =
                        block.differentiations[i] == 0 ? static_cast<int>(b) : never;
        }
        stays_.resize(f_.unknowns.size());
        for (std::size_t i = 0; i < f_.unknowns.size(); ++i) {
            stays_[i] =
                i + static_cast<std::size_t>(f_.multipliers) >= f_.unknowns.size() || stays(f_.unknowns[i].variable);
            if (stays_[i] != 0) keep(static_cast<int>(i));
        }
    }

    /// The constraints determine everything: there are no states.
    static bool settled(const problem::ChoiceBlock& block) {
        long free = 0;
        for (const std::vector<int>& chain : block.chain) free += std::max(0L, static_cast<long>(chain.size()) - 1);
        for (const int c : block.differentiations) free -= c;
        return free == 0;
    }

    [[nodiscard]] Formulation::Place place(NodeId leaf) const {
        return f_.place({g_.variable_id(leaf), g_.derivative_order(leaf)});
    }

    /// A definition has the unknown alone on one side.
    [[nodiscard]] Row read(NodeId residual) {
        Row row;
        std::vector<NodeId> rest;
        std::vector<int> alone;
        for (const auto& [side, sign] : sides(residual))
            if (g_.op(side) == Op::variable && !place(side).derivative)
                alone.push_back(place(side).unknown);
            else
                rest.push_back(side);
        for (const NodeId node : g_.reachable(rest)) {
            if (g_.op(node) != Op::variable) continue;
            const Formulation::Place where = place(node);
            if (where.derivative) {
                row.derivatives = true;
                candidate_[static_cast<std::size_t>(where.unknown)] = never; // a differential unknown
            } else {
                insert(row.mentions, where.unknown);
            }
        }
        for (const int y : alone)
            if (!contains(row.mentions, y) && std::count(alone.begin(), alone.end(), y) == 1)
                row.may_define.push_back(y);
        for (const int y : alone) insert(row.mentions, y);
        return row;
    }

    /// The unknown that is best taken out by this row; -1: none.
    [[nodiscard]] int best(std::size_t r) const {
        const Row& row = rows_[r];
        if (row.used || row.derivatives || row_block_[r] == never) return -1;
        int chosen = -1;
        long least = most_fill + 1;
        for (const int y : row.may_define) {
            if (candidate_[static_cast<std::size_t>(y)] != row_block_[r] || contains(row.through_others, y)) continue;
            if (users_[static_cast<std::size_t>(y)].size() == 1) continue; // nobody would notice that it has no value
            const long made = fill(y, row);
            if (made > most_fill_of_chains && is_chained(y)) continue;
            if (made < least) {
                least = made;
                chosen = y;
            }
        }
        return chosen;
    }

    /// Mentioned where another definition has brought it.
    [[nodiscard]] bool is_chained(int y) const {
        const std::vector<int>& users = users_[static_cast<std::size_t>(y)];
        return std::any_of(users.begin(), users.end(),
                           [&](int r) { return contains(rows_[static_cast<std::size_t>(r)].through_others, y); });
    }

    [[nodiscard]] long fill(int y, const Row& row) const {
        const auto k = static_cast<long>(users_[static_cast<std::size_t>(y)].size()) - 1;
        const auto m = static_cast<long>(row.mentions.size()) - 1;
        return k * m - (k + m + 1);
    }

    /// A coordinate that follows from others, with its derivatives: an equation that is differentiated as often defines
    /// all of them, and the choice of states is among the others.
    bool take_out_chain() {
        for (std::size_t b = 0; b < f_.choices.size(); ++b) {
            const problem::ChoiceBlock& block = f_.choices[b];
            if (settled(block)) continue;
            for (std::size_t i = 0; i < block.top_row.size(); ++i) {
                const int c = block.differentiations[i], first = block.top_row[i] - c;
                if (c == 0) continue;
                const int j = chain_defined_by(first, c, static_cast<int>(b));
                if (j < 0) continue;
                const std::vector<int>& chain = block.chain[static_cast<std::size_t>(j)];
                for (int k = 0; k <= c; ++k) take_out(chain[static_cast<std::size_t>(k)], first + k);
                return true;
            }
        }
        return false;
    }
    /// The first chain of the block that this row defines with the c rows behind it; -1: none. Only what the row may
    /// define is looked at: blocks with thousands of rows have thousands of chains.
    [[nodiscard]] int chain_defined_by(int first, int c, int b) const {
        const problem::ChoiceBlock& block = f_.choices[static_cast<std::size_t>(b)];
        int chosen = -1;
        for (const int y : rows_[static_cast<std::size_t>(first)].may_define) {
            const auto [owner, j] = chain_from_[static_cast<std::size_t>(y)];
            if (owner != b || (chosen >= 0 && j > chosen)) continue;
            const std::vector<int>& chain = block.chain[static_cast<std::size_t>(j)];
            if (static_cast<int>(chain.size()) != c + 1 || block.preference[static_cast<std::size_t>(j)] != 0) continue;
            if (defines(first, chain)) chosen = j;
        }
        return chosen;
    }
    [[nodiscard]] bool defines(int first, const std::vector<int>& chain) const {
        long filled = 0;
        for (std::size_t k = 0; k < chain.size(); ++k) {
            const Row& row = rows_[static_cast<std::size_t>(first) + k];
            const int y = chain[k];
            if (row.used || row.derivatives || stays_[static_cast<std::size_t>(y)] != 0 ||
                std::find(row.may_define.begin(), row.may_define.end(), y) == row.may_define.end() ||
                contains(row.through_others, y))
                return false;
            filled += fill(y, row);
        }
        return filled <= most_fill * static_cast<long>(chain.size());
    }

    void take_out(int y, int by) {
        Row& definition = rows_[static_cast<std::size_t>(by)];
        definition.used = true;
        candidate_[static_cast<std::size_t>(y)] = never;
        stays_[static_cast<std::size_t>(y)] = 1; // nothing defines it again
        defined_.emplace_back(y, by);
        std::vector<int> others = definition.mentions;
        others.erase(std::lower_bound(others.begin(), others.end(), y));
        for (const int z : others) std::erase(users_[static_cast<std::size_t>(z)], by);
        for (const int r : users_[static_cast<std::size_t>(y)]) {
            if (r == by) continue;
            Row& row = rows_[static_cast<std::size_t>(r)];
            row.mentions.erase(std::lower_bound(row.mentions.begin(), row.mentions.end(), y));
            for (const int z : others) {
                if (!contains(row.mentions, z)) users_[static_cast<std::size_t>(z)].push_back(r);
                insert(row.mentions, z);
                insert(row.through_others, z);
            }
        }
        users_[static_cast<std::size_t>(y)].clear();
    }

    /// Values in the unknowns that are left, and everything else in them.
    void rewrite() {
        std::vector<NodeId> value(f_.unknowns.size(), expr::no_node);
        std::vector<int> by(f_.unknowns.size(), -1);
        for (const auto& [y, row] : defined_) by[static_cast<std::size_t>(y)] = row;
        expr::Substitution substitute(g_, [&](NodeId leaf) {
            if (g_.op(leaf) != Op::variable) return leaf;
            const Formulation::Place where = place(leaf);
            if (where.unknown < 0 || where.derivative) return leaf;
            const NodeId known = value[static_cast<std::size_t>(where.unknown)];
            return known == expr::no_node ? leaf : known;
        });
        for (const int y : in_order(by)) {
            const NodeId residual = f_.rows[static_cast<std::size_t>(by[static_cast<std::size_t>(y)])].residual;
            const NodeId leaf = leaf_of(y);
            expr::Substitution without(g_, [&](NodeId l) { return l == leaf ? g_.constant(0.0) : l; });
            value[static_cast<std::size_t>(y)] = substitute(solved(residual, leaf, without(residual)));
        }
        const auto rewritten = [&](std::vector<DifferentiatedEquation>& list) {
            for (DifferentiatedEquation& e : list) e.residual = substitute(e.residual);
        };
        for (Formulation::Inlined& before : f_.inlined) before.value = substitute(before.value);
        for (const auto& [y, row] : defined_)
            f_.inlined.push_back({f_.unknowns[static_cast<std::size_t>(y)], value[static_cast<std::size_t>(y)]});
        rewritten(f_.rows);
        rewritten(f_.hidden);
        rewritten(f_.constraints);
        remove(by);
    }

    [[nodiscard]] NodeId leaf_of(int y) const {
        const JetEntry& e = f_.unknowns[static_cast<std::size_t>(y)];
        return g_.variable(e.variable, e.order);
    }

    /// What the residual is the sum or difference of, and whether it counts positive.
    [[nodiscard]] std::vector<std::pair<NodeId, bool>> sides(NodeId residual) const {
        std::vector<std::pair<NodeId, bool>> list;
        const auto add = [&](NodeId side, bool positive) {
            if (g_.op(side) == Op::neg) {
                side = g_.operand(side, 0);
                positive = !positive;
            }
            list.emplace_back(side, positive);
        };
        const bool positive = g_.op(residual) != Op::neg;
        const NodeId sum = positive ? residual : g_.operand(residual, 0);
        const Op op = g_.op(sum);
        if (op == Op::add || op == Op::sub) {
            add(g_.operand(sum, 0), positive);
            add(g_.operand(sum, 1), op == Op::add ? positive : !positive);
        } else {
            add(sum, positive);
        }
        return list;
    }

    /// ±y + rest = 0 for y.
    [[nodiscard]] NodeId solved(NodeId residual, NodeId leaf, NodeId rest) {
        bool positive = true;
        for (const auto& [side, sign] : sides(residual))
            if (side == leaf) positive = sign;
        return positive ? g_.neg(rest) : rest;
    }

    /// Unknowns that others are defined by, first.
    [[nodiscard]] std::vector<int> in_order(const std::vector<int>& by) const {
        std::vector<int> order;
        std::vector<char> state(f_.unknowns.size(), 0); // 1: waits for others, 2: done
        for (const auto& [first, row] : defined_) {
            std::vector<int> stack{first};
            while (!stack.empty()) {
                const int y = stack.back();
                char& now = state[static_cast<std::size_t>(y)];
                if (now != 0) {
                    if (now == 1) order.push_back(y);
                    now = 2;
                    stack.pop_back();
                    continue;
                }
                now = 1;
                const NodeId roots[] = {f_.rows[static_cast<std::size_t>(by[static_cast<std::size_t>(y)])].residual};
                for (const NodeId node : g_.reachable(roots)) {
                    if (g_.op(node) != Op::variable || place(node).derivative) continue;
                    const int z = place(node).unknown;
                    if (z != y && by[static_cast<std::size_t>(z)] >= 0 && state[static_cast<std::size_t>(z)] == 0)
                        stack.push_back(z);
                }
            }
        }
        return order;
    }

    /// Rows, unknowns, and the numbers of what is left.
    void remove(const std::vector<int>& by) {
        std::vector<int> unknown(f_.unknowns.size(), -1), row(f_.rows.size(), -1);
        int count = 0;
        for (std::size_t i = 0; i < unknown.size(); ++i)
            if (by[i] < 0) {
                f_.unknowns[static_cast<std::size_t>(count)] = f_.unknowns[i];
                unknown[i] = count++;
            }
        f_.unknowns.resize(static_cast<std::size_t>(count));
        count = 0;
        for (std::size_t r = 0; r < row.size(); ++r)
            if (!rows_[r].used) {
                f_.rows[static_cast<std::size_t>(count)] = f_.rows[r];
                row[r] = count++;
            }
        f_.rows.resize(static_cast<std::size_t>(count));
        for (problem::Link& link : f_.permanent_links)
            link = {unknown[static_cast<std::size_t>(link.state)], unknown[static_cast<std::size_t>(link.derivative)]};
        const auto gone = [&](int i) { return unknown[static_cast<std::size_t>(i)] < 0; };
        // A settled block that gave a row or an unknown away has no states either: there is nothing to choose.
        std::erase_if(f_.choices, [&](const problem::ChoiceBlock& block) {
            if (!settled(block)) return false;
            for (std::size_t i = 0; i < block.top_row.size(); ++i)
                for (int k = 0; k <= block.differentiations[i]; ++k)
                    if (rows_[static_cast<std::size_t>(block.top_row[i] - k)].used) return true;
            return std::any_of(block.chain.begin(), block.chain.end(),
                               [&](const auto& chain) { return std::any_of(chain.begin(), chain.end(), gone); });
        });
        for (problem::ChoiceBlock& block : f_.choices) {
            problem::ChoiceBlock left;
            for (std::size_t i = 0; i < block.top_row.size(); ++i) {
                const int top = row[static_cast<std::size_t>(block.top_row[i])];
                if (top < 0) continue;
                left.top_row.push_back(top);
                left.differentiations.push_back(block.differentiations[i]);
            }
            for (std::size_t j = 0; j < block.chain.size(); ++j) {
                if (std::any_of(block.chain[j].begin(), block.chain[j].end(), gone)) continue;
                for (int& i : block.chain[j]) i = unknown[static_cast<std::size_t>(i)];
                left.chain.push_back(std::move(block.chain[j]));
                left.preference.push_back(block.preference[j]);
            }
            block = std::move(left);
        }
        f_.index_unknowns();
    }

    expr::Graph& g_;
    Formulation& f_;
    static constexpr int outside = -1, never = -2; ///< of all blocks with a choice; must stay
    std::vector<int> candidate_;                   ///< per unknown: the block that it may be taken out of
    std::vector<std::pair<int, int>> chain_from_;  ///< per unknown: the block and the chain in it that begins there
    std::vector<char> stays_;                      ///< per unknown: somebody wants it to
    std::vector<int> row_block_;                   ///< per entry of rows_: the block that it may take something out of
    std::vector<Row> rows_;
    std::vector<std::vector<int>> users_;      ///< rows that mention an unknown, per unknown
    std::vector<std::pair<int, int>> defined_; ///< unknown and the row that defines it
};

} // namespace

int inline_definitions(const System& system, Formulation& formulation, std::span<const NodeId> integrands,
                       const std::function<bool(int variable)>& stays) {
    return Inliner(system, formulation).run(integrands, stays);
}

} // namespace daedalus::transform
