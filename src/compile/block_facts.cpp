// What can be said about solving each diagonal block: is it linear in the derivatives that it determines, and which of
// them would have to be guessed for the others to follow one by one.
#include "compile/compilation.hpp"
#include "expr/evaluate.hpp"
#include "structure/tearing.hpp"

#include <algorithm>
#include <cmath>

namespace daedalus::compile {

namespace {

using expr::NodeId;
using expr::Op;

class BlockJudge {
public:
    BlockJudge(const transform::System& system, const transform::ReducedSystem& reduced)
        : s_(system), r_(reduced), g_(system.graph()), column_(system.columns()) {}

    /// Linearity of the block, and which entries of its pattern can be solved for (by block-local row, column).
    Linearity judge(int block, std::vector<std::pair<std::pair<int, int>, bool>>* solvable) {
        Linearity worst = Linearity::linear;
        for (const int i : r_.blocks.equations(block)) {
            const int c = r_.analysis.c[static_cast<std::size_t>(i)];
            for (const expr::Partial& p : expr::gradient(
                     g_, r_.equations[static_cast<std::size_t>(r_.first[static_cast<std::size_t>(i)])].residual)) {
                if (!leading(block, p.leaf, c)) continue;
                const int j = column(p.leaf);
                bool depends = false, on_leading = false;
                if (!g_.is_constant(p.value)) {
                    const NodeId roots[] = {p.value};
                    for (const NodeId node : g_.reachable(roots)) {
                        if (g_.op(node) != Op::variable) continue;
                        depends = true;
                        on_leading = on_leading || leading(block, node, c);
                    }
                }
                // A differentiated equation is linear in its leading derivatives, whatever it was (Griewank's lemma).
                if (on_leading && c == 0)
                    worst = Linearity::nonlinear;
                else if (depends && worst == Linearity::linear)
                    worst = Linearity::quasilinear;
                if (solvable) solvable->push_back({{i, j}, !depends && !vanishes(p.value)});
            }
        }
        return worst;
    }

private:
    [[nodiscard]] int column(NodeId leaf) const { return column_[static_cast<std::size_t>(g_.variable_id(leaf))]; }
    [[nodiscard]] bool leading(int block, NodeId leaf, int c) const {
        const auto j = static_cast<std::size_t>(column(leaf));
        return r_.blocks.block_of_variable[j] == block && g_.derivative_order(leaf) == r_.analysis.d[j] - c;
    }
    // Of time and parameters only; a coefficient of time may pass through zero.
    [[nodiscard]] bool vanishes(NodeId coefficient) const {
        bool on_time = false;
        const double value = expr::evaluate(g_, coefficient, [&](NodeId leaf) {
            on_time = on_time || g_.op(leaf) == Op::time;
            return g_.op(leaf) == Op::parameter ? s_.parameters[static_cast<std::size_t>(g_.parameter_id(leaf))] : 0.0;
        });
        return on_time || value == 0.0 || !std::isfinite(value);
    }

    const transform::System& s_;
    const transform::ReducedSystem& r_;
    expr::Graph& g_;
    std::vector<int> column_;
};

void tear_block(const transform::ReducedSystem& r, int b,
                const std::vector<std::pair<std::pair<int, int>, bool>>& solvable, Block& block) {
    const auto rows = r.blocks.equations(b);
    const auto cols = r.blocks.variables(b);
    const structure::Incidence pattern = r.analysis.system_jacobian.submatrix(rows, cols);
    std::vector<char> flags(pattern.column.size(), 0);
    std::vector<std::pair<std::pair<int, int>, bool>> sorted = solvable;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (int k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k) {
            const std::pair<int, int> at{rows[i],
                                         cols[static_cast<std::size_t>(pattern.column[static_cast<std::size_t>(k)])]};
            const auto it = std::lower_bound(sorted.begin(), sorted.end(), std::pair(at, false));
            flags[static_cast<std::size_t>(k)] = it != sorted.end() && it->first == at && it->second ? 1 : 0;
        }
    const structure::Tearing tearing = structure::tear(pattern, flags);
    for (const int j : tearing.torn_variables) block.torn.push_back(cols[static_cast<std::size_t>(j)]);
    for (const int i : tearing.residual_equations)
        block.residual_equations.push_back(rows[static_cast<std::size_t>(i)]);
}

} // namespace

Blocks describe_blocks(const transform::System& s, const transform::ReducedSystem& r, bool tear) {
    BlockJudge judge(s, r);
    Blocks blocks;
    for (int b = 0; b < r.blocks.count(); ++b) {
        Block block;
        block.equations.assign(r.blocks.equations(b).begin(), r.blocks.equations(b).end());
        block.variables.assign(r.blocks.variables(b).begin(), r.blocks.variables(b).end());
        for (const int i : block.equations)
            block.differentiations = std::max(block.differentiations, r.analysis.c[static_cast<std::size_t>(i)]);
        std::vector<std::pair<std::pair<int, int>, bool>> solvable;
        const bool torn = tear && block.equations.size() > 1;
        block.linearity = judge.judge(b, torn ? &solvable : nullptr);
        if (torn) tear_block(r, b, solvable, block);
        // What a repair introduced has no number in the author's model.
        const auto introduced_equation = [&](int i) { return s.equations[static_cast<std::size_t>(i)].origin < 0; };
        const auto introduced_variable = [&](int j) {
            return j >= static_cast<int>(s.variables.size()) - s.introduced;
        };
        std::erase_if(block.equations, introduced_equation);
        std::erase_if(block.residual_equations, introduced_equation);
        std::erase_if(block.variables, introduced_variable);
        std::erase_if(block.torn, introduced_variable);
        if (!block.equations.empty() || !block.variables.empty()) blocks.add(block);
    }
    return blocks;
}

} // namespace daedalus::compile
