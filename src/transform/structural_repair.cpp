#include "transform/structural_repair.hpp"

#include "expr/substitute.hpp"
#include "transform/expression_substitution.hpp"
#include "transform/leading_elimination.hpp"
#include "transform/sampled_block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace daedalus::transform {

namespace {

using expr::Graph;
using expr::Op;

// Symbolic elimination fills in: a combination that needs more than this many nodes helps nobody.
constexpr std::size_t most_nodes = 200'000;

// Replaces one equation by the combination; false where the method does not apply.
bool combine(System& system, const ReducedSystem& r, const std::vector<int>& column_of, int block,
             const Vanishing& vanishing, RepairOutcome& outcome) {
    Graph& g = system.graph();
    const auto block_rows = r.blocks.equations(block);
    const std::vector<NodeId>& u = vanishing.multipliers;
    std::vector<int> rows;
    int c_min = -1;
    for (const std::size_t member : vanishing.members) {
        rows.push_back(block_rows[member]);
        const int c = r.analysis.c[static_cast<std::size_t>(rows.back())];
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
    for (const NodeId multiplier : u) {
        const NodeId roots[] = {multiplier};
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
    for (std::size_t i = 0; i < rows.size(); ++i) {
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
    sum = without_vanishing(system, sum);
    // Equivalent wherever the multiplier of the replaced equation is not zero; a constant never is.
    bool constant = false;
    for (std::size_t i = rows.size(); i-- > 0 && !constant;) {
        if (r.analysis.c[static_cast<std::size_t>(rows[i])] != c_min) continue;
        constant = g.is_constant(u[i]);
        if (constant || repair.row < 0) repair.row = rows[i];
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

/// A dependency of rows that no combination removes: what is known of it, for the report.
struct Waiting {
    int block = -1;
    std::vector<std::size_t> members;
    std::optional<Vanishing> vanishing;
};

std::optional<Vanishing> multipliers(System& system, SampledBlock& jacobian, const std::vector<std::size_t>& members,
                                     RepairOutcome& outcome) {
    const std::size_t nodes_before = system.graph().size();
    std::optional<Vanishing> u = jacobian.vanishing(Dependency::of_rows, members);
    if (!u) {
        outcome.why_not = "no combination of its equations was found that cancels everywhere";
    } else if (system.graph().size() - nodes_before > most_nodes) {
        outcome.why_not = "the multipliers of the dependent equations are too long";
        u.reset();
    }
    return u;
}

// All sets of dependent rows that share none: each is a repair of its own. True if one was made.
bool combine_rows(System& system, const ReducedSystem& r, const std::vector<int>& column_of, int block,
                  SampledBlock& jacobian, Waiting& waiting, RepairOutcome& outcome) {
    std::set<std::size_t> used;
    bool repaired = false;
    for (const std::vector<std::size_t>& members : jacobian.dependent(Dependency::of_rows)) {
        if (std::any_of(members.begin(), members.end(), [&](std::size_t i) { return used.contains(i); })) continue;
        std::optional<Vanishing> u = multipliers(system, jacobian, members, outcome);
        if (u && combine(system, r, column_of, block, *u, outcome)) {
            used.insert(members.begin(), members.end());
            repaired = true;
        } else if (waiting.block < 0) {
            waiting = {block, members, std::move(u)};
        }
    }
    return repaired;
}

bool substitute_columns(System& system, const ReducedSystem& r, const std::vector<int>& column_of, int block,
                        RepairOutcome& outcome) {
    SampledBlock jacobian(system, r, column_of, block);
    for (const std::vector<std::size_t>& members : jacobian.dependent(Dependency::of_columns)) {
        const std::optional<Vanishing> v = jacobian.vanishing(Dependency::of_columns, members);
        if (!v) continue;
        if (auto repair = substitute_expressions(system, r, column_of, block, *v)) {
            outcome.repairs.push_back(*std::move(repair));
            return true;
        }
    }
    return false;
}

void report_unrepaired(const System& system, const ReducedSystem& r, const Waiting& waiting, RepairOutcome& outcome) {
    outcome.regular = false;
    const auto rows = r.blocks.equations(waiting.block);
    for (const std::size_t member : waiting.members) outcome.singular_rows.push_back(rows[member]);
    if (!waiting.vanishing) return;
    for (std::size_t k = 0; k < waiting.vanishing->members.size(); ++k) {
        const int row = rows[waiting.vanishing->members[k]];
        const std::string weight = expr::to_string(system.graph(), waiting.vanishing->multipliers[k], system.names(),
                                                   expr::Notation::plain, 60);
        outcome.singular_combination +=
            fmt::format("{}({})·[{}]", k > 0 ? " + " : "", weight,
                        differentiated_text(system, row, r.analysis.c[static_cast<std::size_t>(row)], 80));
    }
}

} // namespace

namespace {

/// An equation that is a block of its own, and what it determines.
struct Alone {
    NodeId residual;
    JetEntry unknown;
};
std::optional<Alone> alone_in_block(const System& system, const ReducedSystem& r, int block) {
    if (r.blocks.size(block) != 1) return std::nullopt;
    const auto row = static_cast<std::size_t>(r.blocks.equations(block).front()),
               column = static_cast<std::size_t>(r.blocks.variables(block).front());
    return Alone{r.equations[static_cast<std::size_t>(r.first[row])].residual,
                 {system.variables[column], r.analysis.d[column] - r.analysis.c[row]}};
}
/// Its entry was looked at in another analysis of the model. What is random there comes from the entry.
bool is_known_regular(const System& system, const Alone& alone) {
    if (!system.regular_alone) return false;
    const auto known = system.regular_alone->find(alone.residual);
    return known != system.regular_alone->end() && known->second == alone.unknown;
}

RepairOutcome repair_everywhere(System& system) {
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
        Waiting waiting;
        outcome.unchecked = 0;
        for (int b = 0; b < r.blocks.count(); ++b) {
            const std::optional<Alone> alone = alone_in_block(system, r, b);
            if (alone && is_known_regular(system, *alone)) continue;
            SampledBlock jacobian(system, r, column_of, b);
            const bool combined = combine_rows(system, r, column_of, b, jacobian, waiting, outcome);
            repaired = combined || repaired;
            outcome.unchecked += !jacobian.decided();
            if (alone && system.regular_alone && !combined && waiting.block < 0 && jacobian.decided())
                system.regular_alone->insert_or_assign(alone->residual, alone->unknown);
        }
        if (repaired) continue;
        if (waiting.block < 0) {
            outcome.why_not.clear();
            return outcome;
        }
        if (substitute_columns(system, r, column_of, waiting.block, outcome)) continue;
        report_unrepaired(system, r, waiting, outcome);
        return outcome;
    }
}

} // namespace

RepairOutcome repair_structure(System& system, const std::vector<std::vector<int>>& dependent) {
    RepairOutcome outcome = repair_everywhere(system);
    for (const std::vector<int>& origins : dependent) {
        if (!outcome.regular) return outcome;
        std::vector<int> rows;
        for (std::size_t i = 0; i < system.equations.size(); ++i)
            if (std::find(origins.begin(), origins.end(), system.equations[i].origin) != origins.end())
                rows.push_back(static_cast<int>(i));
        std::optional<Repair> repair = eliminate_leading(system, rows, outcome.why_not);
        if (!repair) return outcome;
        outcome.why_not.clear();
        outcome.repairs.push_back(*std::move(repair));
        ++outcome.eliminated;
        RepairOutcome further = repair_everywhere(system); // what was hidden may hide more
        further.repairs.insert(further.repairs.begin(), outcome.repairs.begin(), outcome.repairs.end());
        further.eliminated = outcome.eliminated;
        outcome = std::move(further);
    }
    return outcome;
}

} // namespace daedalus::transform
