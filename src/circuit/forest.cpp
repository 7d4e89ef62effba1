#include "circuit/forest.hpp"

#include <algorithm>
#include <numeric>

namespace daedalus::circuit {

Forest::Forest(int nodes) : parent_(static_cast<std::size_t>(nodes)), neighbours_(static_cast<std::size_t>(nodes)) {
    std::iota(parent_.begin(), parent_.end(), 0);
}

int Forest::root(int node) {
    auto at = static_cast<std::size_t>(node);
    while (parent_[at] != static_cast<int>(at)) {
        parent_[at] = parent_[static_cast<std::size_t>(parent_[at])]; // halving keeps paths short
        at = static_cast<std::size_t>(parent_[at]);
    }
    return static_cast<int>(at);
}

bool Forest::add(int edge, int a, int b) {
    const int ra = root(a), rb = root(b);
    if (ra == rb) return false;
    parent_[static_cast<std::size_t>(std::max(ra, rb))] = std::min(ra, rb); // ground is the root of its tree
    neighbours_[static_cast<std::size_t>(a)].push_back({b, edge});
    neighbours_[static_cast<std::size_t>(b)].push_back({a, edge});
    if (ends_.size() <= static_cast<std::size_t>(edge)) ends_.resize(static_cast<std::size_t>(edge) + 1, {-1, -1});
    ends_[static_cast<std::size_t>(edge)] = {a, b};
    hung_ = false;
    return true;
}

void Forest::hang() {
    if (hung_) return;
    const std::size_t n = parent_.size();
    above_.assign(n, -1);
    edge_above_.assign(n, -1);
    depth_.assign(n, -1);
    std::vector<int> waiting;
    for (std::size_t start = 0; start < n; ++start) {
        if (depth_[start] >= 0) continue;
        depth_[start] = 0;
        waiting.assign(1, static_cast<int>(start));
        while (!waiting.empty()) {
            const auto node = static_cast<std::size_t>(waiting.back());
            waiting.pop_back();
            for (const Half& h : neighbours_[node]) {
                const auto to = static_cast<std::size_t>(h.to);
                if (depth_[to] >= 0) continue;
                depth_[to] = depth_[node] + 1;
                above_[to] = static_cast<int>(node);
                edge_above_[to] = h.edge;
                waiting.push_back(h.to);
            }
        }
    }
    hung_ = true;
}

std::vector<int> Forest::path(int a, int b) {
    hang();
    std::vector<int> up, down;
    auto x = static_cast<std::size_t>(a), y = static_cast<std::size_t>(b);
    while (x != y) {
        if (depth_[x] >= depth_[y]) {
            up.push_back(edge_above_[x]);
            x = static_cast<std::size_t>(above_[x]);
        } else {
            down.push_back(edge_above_[y]);
            y = static_cast<std::size_t>(above_[y]);
        }
    }
    up.insert(up.end(), down.rbegin(), down.rend());
    return up;
}

std::vector<int> Forest::beyond(int edge, int anchor) {
    const auto [a, b] = ends_[static_cast<std::size_t>(edge)];
    // The side of a; where it holds the anchor, the other one.
    const auto side = [&](int from) {
        std::vector<int> nodes{from};
        std::vector<char> seen(parent_.size(), 0);
        seen[static_cast<std::size_t>(from)] = 1;
        for (std::size_t k = 0; k < nodes.size(); ++k)
            for (const Half& h : neighbours_[static_cast<std::size_t>(nodes[k])])
                if (h.edge != edge && seen[static_cast<std::size_t>(h.to)] == 0) {
                    seen[static_cast<std::size_t>(h.to)] = 1;
                    nodes.push_back(h.to);
                }
        return nodes;
    };
    std::vector<int> nodes = side(a);
    if (std::find(nodes.begin(), nodes.end(), anchor) != nodes.end()) nodes = side(b);
    std::sort(nodes.begin(), nodes.end());
    return nodes;
}

} // namespace daedalus::circuit
