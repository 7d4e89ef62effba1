// A spanning forest that grows edge by edge: components by union and find, and the paths that edges close.
#pragma once

#include <utility>
#include <vector>

namespace daedalus::circuit {

class Forest {
public:
    explicit Forest(int nodes);

    /// Whether the edge joined two trees; else it closes a loop.
    bool add(int edge, int a, int b);
    [[nodiscard]] bool together(int a, int b) { return root(a) == root(b); }
    [[nodiscard]] int root(int node);

    /// Edges on the way from a to b, which are in one tree. Walks are possible once all edges are in.
    [[nodiscard]] std::vector<int> path(int a, int b);
    /// Nodes of the part of the tree that hangs below edge, on the side away from `anchor`.
    [[nodiscard]] std::vector<int> beyond(int edge, int anchor);

private:
    void hang(); ///< every tree from a root of its own: parents and depths

    struct Half {
        int to, edge;
    };
    std::vector<int> parent_; ///< of union and find
    std::vector<std::vector<Half>> neighbours_;
    std::vector<std::pair<int, int>> ends_; ///< by edge number that was added; −1: not in the forest
    std::vector<int> above_, edge_above_, depth_;
    bool hung_ = false;
};

} // namespace daedalus::circuit
