// The system Jacobian of the signature method at a point, block by block.
#include "compile/compilation.hpp"
#include "expr/round_off.hpp"

#include <cmath>
#include <map>
#include <unordered_map>

namespace daedalus::compile {

using expr::NodeId;
using expr::Op;

SystemJacobian system_jacobian(const Compilation& c) {
    const transform::ReducedSystem& r = c.reduced;
    expr::Graph& g = c.system.graph();
    const std::vector<int> column = c.system.columns();
    std::vector<JacobianBlock> blocks;
    std::vector<NodeId> entries;
    for (int b = 0; b < r.blocks.count(); ++b) {
        const auto rows = r.blocks.equations(b);
        const auto cols = r.blocks.variables(b);
        std::unordered_map<int, int> local;
        for (std::size_t j = 0; j < cols.size(); ++j) local.emplace(cols[j], static_cast<int>(j));
        const std::size_t first = entries.size();
        JacobianBlock block;
        block.number = b;
        block.values.resize(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto row = static_cast<std::size_t>(rows[i]);
            std::map<int, NodeId> ascending;
            for (const expr::Partial& p :
                 expr::gradient(g, r.equations[static_cast<std::size_t>(r.first[row])].residual)) {
                const int j = column[static_cast<std::size_t>(g.variable_id(p.leaf))];
                const auto found = local.find(j);
                if (found != local.end() &&
                    g.derivative_order(p.leaf) == r.analysis.d[static_cast<std::size_t>(j)] - r.analysis.c[row])
                    ascending.emplace(found->second, p.value);
            }
            for (const auto& [j, value] : ascending) {
                block.values[i].push_back({j, 0.0});
                entries.push_back(value);
            }
        }
        if (rows.size() == 1 && entries.size() == first + 1 && g.is_constant(entries.back())) {
            entries.pop_back();
            continue;
        }
        blocks.push_back(std::move(block));
    }
    return {std::move(blocks), std::move(entries)};
}

std::vector<JacobianBlock> jacobian_blocks(const CompiledModel& compiled, double t, const std::vector<double>& u) {
    const Compilation& c = *compiled.compilation;
    const expr::Graph& g = c.system.graph();
    const problem::Environment& environment = compiled.problem.environment();
    std::vector<JacobianBlock> blocks = c.system_jacobian.blocks;
    // An entry that vanishes on all solutions does so only as well as u was found; it is zero all the same.
    const std::vector<expr::RoundedValue> values =
        expr::evaluate_rounded(g, c.system_jacobian.entries, [&](NodeId leaf) -> expr::RoundedValue {
            if (g.op(leaf) == Op::time) return {t};
            if (g.op(leaf) == Op::parameter) return {environment[static_cast<std::size_t>(g.parameter_id(leaf))]};
            const int k = c.initial.unknown({g.variable_id(leaf), g.derivative_order(leaf)});
            const double value = k < 0 ? 0.0 : u[static_cast<std::size_t>(k)];
            return {value, point_accuracy * std::abs(value)};
        });
    std::size_t at = 0;
    for (JacobianBlock& block : blocks) {
        block.errors.clear();
        for (auto& row : block.values) {
            std::vector<double>& errors = block.errors.emplace_back();
            for (auto& entry : row) {
                entry.value = values[at].vanishes() ? 0.0 : values[at].value;
                errors.push_back(values[at].error);
                ++at;
            }
        }
    }
    return blocks;
}

BlockEquation block_equation(const CompiledModel& compiled, int block, int row) {
    const Compilation& c = *compiled.compilation;
    const int i = c.reduced.blocks.equations(block)[static_cast<std::size_t>(row)];
    const SourceSpan span = c.system.span(i);
    return {transform::differentiated_text(c.system, i, 0, 120),
            span.known() ? std::optional(span.locate()) : std::nullopt,
            c.system.equations[static_cast<std::size_t>(i)].origin};
}

std::string block_variable(const CompiledModel& compiled, int block, int column) {
    const Compilation& c = *compiled.compilation;
    const int j = c.reduced.blocks.variables(block)[static_cast<std::size_t>(column)];
    return c.system.name(
        {c.system.variables[static_cast<std::size_t>(j)], c.reduced.analysis.d[static_cast<std::size_t>(j)]});
}

} // namespace daedalus::compile
