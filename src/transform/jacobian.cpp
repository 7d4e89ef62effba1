#include "transform/jacobian.hpp"

namespace daedalus::transform {

std::vector<JacobianEntry> jacobian(expr::Graph& graph, std::span<const expr::NodeId> residuals) {
    std::vector<JacobianEntry> entries;
    for (std::size_t i = 0; i < residuals.size(); ++i)
        for (const expr::Partial& p : expr::gradient(graph, residuals[i]))
            entries.push_back({static_cast<int>(i), p.leaf, p.value});
    return entries;
}

} // namespace daedalus::transform
