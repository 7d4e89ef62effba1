// The system Jacobian of the signature method at a point, block by block.
#include "compile/compilation.hpp"
#include "expr/evaluate.hpp"

#include <unordered_map>

namespace daedalus::compile {

std::vector<JacobianBlock> jacobian_blocks(const CompiledModel& compiled, double t, const std::vector<double>& u,
                                           int largest) {
    using expr::NodeId;
    using expr::Op;
    const Compilation& c = *compiled.compilation;
    const transform::ReducedSystem& r = c.reduced;
    expr::Graph& g = c.system.graph();
    const std::vector<int> column = c.system.columns();
    std::vector<JacobianBlock> blocks;
    std::vector<NodeId> entries;
    std::vector<std::pair<std::size_t, std::size_t>> places; // block and position in it
    for (int b = 0; b < r.blocks.count(); ++b) {
        const int n = r.blocks.size(b);
        if (n > largest) continue;
        const auto rows = r.blocks.equations(b);
        const auto cols = r.blocks.variables(b);
        std::unordered_map<int, std::size_t> local;
        for (std::size_t j = 0; j < cols.size(); ++j) local.emplace(cols[j], j);
        const std::size_t first = entries.size();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const auto row = static_cast<std::size_t>(rows[i]);
            for (const expr::Partial& p :
                 expr::gradient(g, r.equations[static_cast<std::size_t>(r.first[row])].residual)) {
                const int j = column[static_cast<std::size_t>(g.variable_id(p.leaf))];
                const auto found = local.find(j);
                if (found == local.end() ||
                    g.derivative_order(p.leaf) != r.analysis.d[static_cast<std::size_t>(j)] - r.analysis.c[row])
                    continue;
                entries.push_back(p.value);
                places.emplace_back(blocks.size(), found->second * static_cast<std::size_t>(n) + i);
            }
        }
        if (n == 1 && entries.size() == first + 1 && g.is_constant(entries.back())) {
            entries.pop_back();
            places.pop_back();
            continue;
        }
        JacobianBlock block;
        block.size = n;
        block.values.assign(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 0.0);
        for (const int i : rows) {
            block.equations.push_back(transform::differentiated_text(c.system, i, 0, 120));
            const SourceSpan span = c.system.span(i);
            block.where.push_back(span.known() ? std::optional(span.locate()) : std::nullopt);
        }
        for (const int j : cols)
            block.variables.push_back(c.system.name(
                {c.system.variables[static_cast<std::size_t>(j)], r.analysis.d[static_cast<std::size_t>(j)]}));
        blocks.push_back(std::move(block));
    }
    const std::vector<double> values = expr::evaluate(g, entries, [&](NodeId leaf) {
        if (g.op(leaf) == Op::time) return t;
        if (g.op(leaf) == Op::parameter) return c.parameters[static_cast<std::size_t>(g.parameter_id(leaf))];
        const int k = c.initial.unknown({g.variable_id(leaf), g.derivative_order(leaf)});
        return k < 0 ? 0.0 : u[static_cast<std::size_t>(k)];
    });
    for (std::size_t k = 0; k < values.size(); ++k) blocks[places[k].first].values[places[k].second] = values[k];
    return blocks;
}

} // namespace daedalus::compile
