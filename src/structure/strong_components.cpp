#include "structure/strong_components.hpp"

#include <algorithm>
#include <cassert>

namespace daedalus::structure {

StrongComponents strong_components(const Incidence& successors) {
    assert(successors.rows == successors.cols);
    const int n = successors.rows;
    constexpr int unseen = -1;
    StrongComponents result;
    result.component_of.assign(static_cast<std::size_t>(n), unseen);
    result.vertex.reserve(static_cast<std::size_t>(n));

    std::vector<int> number(static_cast<std::size_t>(n), unseen); // order of discovery
    std::vector<int> low(static_cast<std::size_t>(n), 0);         // smallest number reachable within the open part
    std::vector<int> cursor(static_cast<std::size_t>(n), 0);
    std::vector<int> path; // the depth-first path
    std::vector<int> open; // vertices not yet in a component
    int discovered = 0;
    const auto enter = [&](int v) {
        number[v] = low[v] = discovered++;
        cursor[v] = successors.row_start[v];
        path.push_back(v);
        open.push_back(v);
    };

    for (int root = 0; root < n; ++root) {
        if (number[root] != unseen) continue;
        enter(root);
        while (!path.empty()) {
            const int v = path.back();
            if (cursor[v] < successors.row_start[v + 1]) {
                const int w = successors.column[cursor[v]++];
                if (w < 0) continue;
                if (number[w] == unseen)
                    enter(w);
                else if (result.component_of[w] == unseen)
                    low[v] = std::min(low[v], number[w]);
                continue;
            }
            path.pop_back();
            if (!path.empty()) low[path.back()] = std::min(low[path.back()], low[v]);
            if (low[v] != number[v]) continue;
            const int id = result.count();
            int w;
            do {
                w = open.back();
                open.pop_back();
                result.component_of[w] = id;
                result.vertex.push_back(w);
            } while (w != v);
            result.start.push_back(static_cast<int>(result.vertex.size()));
        }
    }
    return result;
}

} // namespace daedalus::structure
