#include "transform/structural_repair.hpp"

#include "expr/substitute.hpp"
#include "transform/expression_substitution.hpp"
#include "transform/sampled_block.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace daedalus::transform {

namespace {

using expr::Graph;
using expr::Op;

constexpr int largest_block = 200; // elimination above this size costs more than it can repair
// Symbolic elimination fills in: a combination that needs more than this many nodes helps nobody.
constexpr std::size_t most_nodes = 200'000;

// Replaces one equation by the combination; false where the method does not apply.
bool combine(System& system, const ReducedSystem& r, const std::vector<int>& column_of, int block,
             const std::vector<NodeId>& u, RepairOutcome& outcome) {
    Graph& g = system.graph();
    const auto rows = r.blocks.equations(block);
    std::vector<std::size_t> used;
    int c_min = -1;
    for (std::size_t i = 0; i < u.size(); ++i) {
        if (g.is_constant(u[i], 0.0)) continue;
        used.push_back(i);
        const int c = r.analysis.c[static_cast<std::size_t>(rows[i])];
        c_min = c_min < 0 ? c : std::min(c_min, c);
    }
    // Leading derivatives, d_j − c_min, must occur in the equations linearly and not in u: then they cancel.
    // Only columns of the block cancel; what the rows take from other blocks stays.
    const auto leading = [&](NodeId leaf) {
        if (g.op(leaf) != Op::variable) return false;
        const int j = column_of[static_cast<std::size_t>(g.variable_id(leaf))];
        return r.blocks.block_of_variable[static_cast<std::size_t>(j)] == block &&
               g.derivative_order(leaf) >= r.analysis.d[static_cast<std::size_t>(j)] - c_min;
    };
    for (const std::size_t i : used) {
        const NodeId roots[] = {u[i]};
        for (const NodeId node : g.reachable(roots))
            if (leading(node)) {
                outcome.why_not = "the multipliers of the dependent equations contain leading derivatives";
                return false;
            }
    }
    NodeId sum = g.constant(0.0);
    std::string text;
    Repair repair;
    repair.row = -1;
    for (const std::size_t i : used) {
        const auto row = static_cast<std::size_t>(rows[i]);
        const int order = r.analysis.c[row] - c_min;
        const NodeId f = r.equations[static_cast<std::size_t>(r.first[row] + order)].residual;
        // f is affine in its leading derivatives unless a coefficient depends on them.
        for (const expr::Partial& p : expr::gradient(g, f)) {
            if (!leading(p.leaf)) continue;
            const NodeId roots[] = {p.value};
            for (const NodeId node : g.reachable(roots))
                if (leading(node)) {
                    outcome.why_not =
                        "a leading derivative occurs nonlinearly in " + system.text(static_cast<int>(row), 80);
                    return false;
                }
        }
        expr::Substitution drop(g, [&](NodeId leaf) { return leading(leaf) ? g.constant(0.0) : leaf; });
        sum = g.add(sum, g.mul(u[i], drop(f)));
        repair.combined.push_back(static_cast<int>(row));
        const std::string weight = expr::to_string(g, u[i], system.names(), expr::Notation::plain, 40);
        text += fmt::format("{}{}({}{})", text.empty() ? "" : " + ",
                            weight == "1"    ? ""
                            : weight == "-1" ? "-"
                                             : (g.is_constant(u[i]) ? weight : "(" + weight + ")") + "*",
                            order > 0 ? fmt::format("d{}/dt{} ", order, order) : "",
                            system.text(static_cast<int>(row), 60));
    }
    // Equivalent wherever the multiplier of the replaced equation is not zero; a constant never is.
    bool constant = false;
    for (auto it = used.rbegin(); it != used.rend() && !constant; ++it) {
        if (r.analysis.c[static_cast<std::size_t>(rows[*it])] != c_min) continue;
        constant = g.is_constant(u[*it]);
        if (constant || repair.row < 0) repair.row = rows[*it];
    }
    repair.text = text;
    SystemEquation& replaced = system.equations[static_cast<std::size_t>(repair.row)];
    system.replaced.push_back({repair.row, system.residual(repair.row), true});
    replaced.left = sum;
    replaced.right = g.constant(0.0);
    replaced.derived = text;
    outcome.repairs.push_back(std::move(repair));
    return true;
}

bool combine_rows(System& system, const ReducedSystem& r, const std::vector<int>& column_of, int block,
                  SampledBlock& jacobian, RepairOutcome& outcome) {
    const std::size_t nodes_before = system.graph().size();
    const std::vector<NodeId> u = jacobian.vanishing(Dependency::of_rows);
    if (u.empty()) {
        outcome.why_not = "no combination of its equations was found that cancels everywhere";
        return false;
    }
    if (system.graph().size() - nodes_before > most_nodes) {
        outcome.why_not = "the multipliers of the dependent equations are too long";
        return false;
    }
    return combine(system, r, column_of, block, u, outcome);
}

} // namespace

RepairOutcome repair_structure(System& system) {
    RepairOutcome outcome;
    std::int64_t value = 0; // of the transversal: each conversion lowers it, so it ends
    for (;;) {
        structure::SignatureMatrix sigma = system.signature();
        structure::SignatureAnalysis analysis = structure::signature_method(sigma);
        const bool stuck = !outcome.repairs.empty() && analysis.value >= value;
        if (analysis.regular && stuck) {
            outcome.regular = false;
            outcome.why_not = "a conversion did not bring the analysis forward";
            return outcome;
        }
        value = analysis.value;
        if (!analysis.regular) {
            outcome.regular = false;
            outcome.why_not = "after combining equations the system is structurally singular";
            return outcome;
        }
        const ReducedSystem r = reduce_index(system, std::move(sigma), std::move(analysis));
        const std::vector<int> column_of = system.columns();
        bool repaired = false;
        // Blocks share no equations: all that can be are repaired before the structure is analysed again. What cannot
        // waits: a repair elsewhere may give its variables to another block.
        int waiting = -1;
        outcome.unchecked = 0;
        for (int b = 0; b < r.blocks.count(); ++b) {
            if (r.blocks.size(b) > largest_block) {
                ++outcome.unchecked;
                continue;
            }
            SampledBlock jacobian(system, r, column_of, b);
            if (!jacobian.singular()) continue;
            if (combine_rows(system, r, column_of, b, jacobian, outcome))
                repaired = true;
            else if (waiting < 0)
                waiting = b;
        }
        if (repaired) continue;
        if (waiting < 0) {
            outcome.why_not.clear();
            return outcome;
        }
        SampledBlock jacobian(system, r, column_of, waiting);
        const std::vector<NodeId> v = jacobian.vanishing(Dependency::of_columns);
        if (auto repair = v.empty() ? std::nullopt : substitute_expressions(system, r, column_of, waiting, v)) {
            outcome.repairs.push_back(*std::move(repair));
            continue;
        }
        outcome.regular = false;
        outcome.singular_rows.assign(r.blocks.equations(waiting).begin(), r.blocks.equations(waiting).end());
        return outcome;
    }
}

} // namespace daedalus::transform
