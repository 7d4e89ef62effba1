#include "transform/leading_elimination.hpp"

#include "expr/substitute.hpp"
#include "transform/sampled_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace daedalus::transform {

namespace {

using expr::Graph;
using expr::Op;

// What hides in more equations than this has grown beyond what elimination by symbols keeps short.
constexpr std::size_t most_rows = 40;
constexpr std::size_t most_nodes = 200'000;

/// Equation `row` of the set, differentiated as often as the set asks.
struct Member {
    int row = 0;
    NodeId residual = expr::no_node;
    bool replaceable = false; ///< it is in the set as written: what it becomes can take its place
};

/// residual = slope · leaf + rest.
struct Pivot {
    std::size_t member = 0;
    NodeId leaf = expr::no_node, slope = expr::no_node;
    int cost = 0; ///< constants divide best, then parameters, then what has no leading derivative in it
};

class LeadingElimination {
public:
    LeadingElimination(System& system, const ReducedSystem& r, std::span<const int> rows)
        : system_(system), g_(system.graph()), r_(r), column_of_(system.columns()),
          block_(r.blocks.block_of_equation[static_cast<std::size_t>(rows.front())]) {
        for (const int row : rows) {
            const int c = r.analysis.c[static_cast<std::size_t>(row)];
            c_min_ = c_min_ < 0 ? c : std::min(c_min_, c);
        }
        for (const int row : rows) {
            const int order = r.analysis.c[static_cast<std::size_t>(row)] - c_min_;
            members_.push_back(
                {row, r.equations[static_cast<std::size_t>(r.first[static_cast<std::size_t>(row)] + order)].residual,
                 order == 0});
        }
    }

    /// The member that is left, without leading derivatives.
    [[nodiscard]] std::optional<Member> run(std::string& why_not) {
        const std::size_t nodes = g_.size();
        while (members_.size() > 1) {
            const std::optional<Pivot> pivot = best();
            if (!pivot) {
                why_not = "leading derivatives occur in them nonlinearly";
                return std::nullopt;
            }
            eliminate(*pivot);
            if (g_.size() - nodes > most_nodes) {
                why_not = "what is left after eliminating leading derivatives is too long";
                return std::nullopt;
            }
        }
        Member& last = members_.front();
        last.residual = without_vanishing(system_, last.residual);
        if (!leading_in(last.residual).empty()) {
            why_not = "a leading derivative stays in what elimination leaves";
            return std::nullopt;
        }
        return last;
    }

private:
    /// Only columns of the block count: what the rows take from other blocks is known by then.
    [[nodiscard]] bool leading(NodeId leaf) const {
        if (g_.op(leaf) != Op::variable) return false;
        const int j = column_of_[static_cast<std::size_t>(g_.variable_id(leaf))];
        return j >= 0 && r_.blocks.block_of_variable[static_cast<std::size_t>(j)] == block_ &&
               g_.derivative_order(leaf) >= r_.analysis.d[static_cast<std::size_t>(j)] - c_min_;
    }
    [[nodiscard]] std::set<NodeId> leading_in(NodeId expression) const {
        std::set<NodeId> found;
        const NodeId roots[] = {expression};
        for (const NodeId node : g_.reachable(roots))
            if (leading(node)) found.insert(node);
        return found;
    }

    [[nodiscard]] std::optional<Pivot> best() {
        const auto replaceable =
            std::count_if(members_.begin(), members_.end(), [](const Member& m) { return m.replaceable; });
        std::optional<Pivot> chosen;
        for (std::size_t k = 0; k < members_.size(); ++k) {
            if (members_[k].replaceable && replaceable == 1) continue;
            for (const expr::Partial& p : expr::gradient(g_, members_[k].residual)) {
                if (!leading(p.leaf)) continue;
                // Leading derivatives in the slope would be divided by, and may vanish with what they multiply.
                if (!leading_in(p.value).empty()) continue;
                const int cost = g_.is_constant(p.value) ? 0 : g_.op(p.value) == Op::parameter ? 1 : 2;
                if (chosen && cost >= chosen->cost) continue;
                if (cost == 2 && vanish_everywhere(system_, {p.value})[0]) continue;
                chosen = Pivot{k, p.leaf, p.value, cost};
            }
        }
        return chosen;
    }

    void eliminate(const Pivot& pivot) {
        expr::Substitution without(g_, [&](NodeId leaf) { return leaf == pivot.leaf ? g_.constant(0.0) : leaf; });
        const NodeId value = g_.neg(g_.div(without(members_[pivot.member].residual), pivot.slope));
        members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(pivot.member));
        expr::Substitution into(g_, [&](NodeId leaf) { return leaf == pivot.leaf ? value : leaf; });
        // Again and again: a leading derivative that has cancelled must not be solved for.
        for (Member& m : members_) m.residual = without_vanishing(system_, into(m.residual));
    }

    System& system_;
    Graph& g_;
    const ReducedSystem& r_;
    std::vector<int> column_of_;
    int block_;
    int c_min_ = -1;
    std::vector<Member> members_;
};

} // namespace

std::optional<Repair> eliminate_leading(System& system, std::span<const int> rows, std::string& why_not) {
    if (rows.empty() || rows.size() > most_rows) {
        why_not = "too many equations depend on each other";
        return std::nullopt;
    }
    structure::SignatureMatrix sigma = system.signature();
    structure::SignatureAnalysis analysis = structure::signature_method(sigma);
    if (!analysis.regular) return std::nullopt;
    const ReducedSystem r = reduce_index(system, std::move(sigma), std::move(analysis));
    for (const int row : rows)
        if (r.blocks.block_of_equation[static_cast<std::size_t>(row)] !=
            r.blocks.block_of_equation[static_cast<std::size_t>(rows.front())]) {
            why_not = "the dependent equations lie in different blocks";
            return std::nullopt;
        }
    const std::optional<Member> left = LeadingElimination(system, r, rows).run(why_not);
    if (!left) return std::nullopt;
    Repair repair;
    repair.method = RepairMethod::leading_elimination;
    repair.row = left->row;
    repair.combined.assign(rows.begin(), rows.end());
    std::string others;
    for (const int row : rows)
        if (row != left->row) others += fmt::format("{}({})", others.empty() ? "" : ", ", system.text(row, 60));
    repair.text = fmt::format("{} with {} put into it", system.text(left->row, 80), others);
    Graph& g = system.graph();
    SystemEquation& replaced = system.equations[static_cast<std::size_t>(left->row)];
    system.replaced.push_back({left->row, system.residual(left->row), true});
    replaced.left = left->residual;
    replaced.right = g.constant(0.0);
    replaced.derived = repair.text;
    return repair;
}

} // namespace daedalus::transform
