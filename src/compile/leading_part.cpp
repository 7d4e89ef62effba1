#include "compile/leading_part.hpp"

#include <algorithm>
#include <vector>

namespace daedalus::compile {

using expr::NodeId;

LeadingPart find_leading_part(const expr::Graph& graph, const transform::Formulation& formulation,
                              const SparsityPattern& pattern, std::span<const NodeId> entries,
                              std::span<const NodeId> x, std::span<const NodeId> dx) {
    const auto n = static_cast<std::size_t>(pattern.cols), nonzeros = static_cast<std::size_t>(pattern.nonzeros());
    std::vector<char> given(n, 0), differential(n, 0), below(static_cast<std::size_t>(pattern.rows), 0);
    for (const problem::Link& link : formulation.permanent_links) given[static_cast<std::size_t>(link.state)] = 1;
    for (const problem::ChoiceBlock& block : formulation.choices) {
        for (const std::vector<int>& chain : block.chain)
            for (std::size_t k = 0; k + 1 < chain.size(); ++k) given[static_cast<std::size_t>(chain[k])] = 1;
        for (std::size_t i = 0; i < block.top_row.size(); ++i)
            for (int k = 1; k <= block.differentiations[i]; ++k)
                below[static_cast<std::size_t>(block.top_row[i] - k)] = 1;
    }
    for (std::size_t j = 0; j < n; ++j)
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k)
            if (!graph.is_constant(entries[nonzeros + static_cast<std::size_t>(k)], 0.0)) differential[j] = 1;

    LeadingPart part;
    std::vector<NodeId> leading, matrix;
    for (int i = 0; i < pattern.rows; ++i)
        if (below[static_cast<std::size_t>(i)] == 0) part.rows.push_back(i);
    for (std::size_t j = 0; j < n; ++j) {
        if (given[j] != 0) continue;
        leading.push_back(differential[j] != 0 ? dx[j] : x[j]);
        for (int k = pattern.column_start[j]; k < pattern.column_start[j + 1]; ++k) {
            const auto at = static_cast<std::size_t>(k) + (differential[j] != 0 ? nonzeros : 0);
            const int row = pattern.row_index[static_cast<std::size_t>(k)];
            if (below[static_cast<std::size_t>(row)] != 0 || graph.is_constant(entries[at])) continue;
            matrix.push_back(entries[at]);
            part.entries.push_back(static_cast<int>(at));
        }
    }
    std::sort(leading.begin(), leading.end());
    const std::vector<NodeId> nodes = graph.reachable(matrix);
    part.linear = std::none_of(nodes.begin(), nodes.end(),
                               [&](NodeId node) { return std::binary_search(leading.begin(), leading.end(), node); });
    return part;
}

} // namespace daedalus::compile
