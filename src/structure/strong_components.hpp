// Strongly connected components of a directed graph (Tarjan 1972), without recursion, linear time.
#pragma once

#include "structure/incidence.hpp"

#include <span>
#include <vector>

namespace daedalus::structure {

/// Components are numbered so that every edge i → j has component_of[i] ≥ component_of[j]: if an edge means
/// "needs", ascending order is the order of solving.
struct StrongComponents {
    std::vector<int> component_of;
    std::vector<int> start{0}; ///< size count() + 1
    std::vector<int> vertex;   ///< vertices grouped by component

    [[nodiscard]] int count() const { return static_cast<int>(start.size()) - 1; }
    [[nodiscard]] std::span<const int> component(int b) const {
        return {vertex.data() + start[static_cast<std::size_t>(b)],
                vertex.data() + start[static_cast<std::size_t>(b) + 1]};
    }
};

/// `successors` is square: row i lists the heads of the edges that leave vertex i. An entry −1 is ignored.
[[nodiscard]] StrongComponents strong_components(const Incidence& successors);

} // namespace daedalus::structure
