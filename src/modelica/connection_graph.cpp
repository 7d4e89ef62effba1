// Overconstrained connections (specification 3.5, section 9.4): a spanning forest of the connection graph, rooted where
// the model says; connections outside it are given by equalityConstraint.
#include "modelica/translator.hpp"

#include <algorithm>
#include <numeric>

namespace daedalus::modelica {

std::size_t Translator::graph_node(Component* c) {
    const auto [it, is_new] = graph_ids_.try_emplace(c, graph_nodes_.size());
    if (is_new) graph_nodes_.push_back({c});
    return it->second;
}

Component* Translator::overdetermined(const Context& c, ast::ExprId id) {
    if (c.at(id).kind != ast::ExprKind::reference)
        fail("connections", c.unit, c.at(id).span, "the name of an overdetermined record of a connector is needed");
    const Selected found = select_connector(c, c.unit->tree.reference(c.at(id)), nullptr);
    if (found.items.size() != 1) return nullptr;
    return found.items[0].component;
}

void Translator::connections_call(const Context& c, const ast::Expr& e, const std::string& name) {
    const ast::Call& call = c.unit->tree.call(e);
    const auto argument = [&](std::size_t k) -> Component* {
        if (k >= call.arguments.size()) fail("argument-count", c.unit, e.span, "'" + name + "' needs more arguments");
        return overdetermined(c, call.arguments[k].value);
    };
    if (name == "Connections.branch") {
        Component* a = argument(0);
        Component* b = argument(1);
        if (a && b) branches_.emplace_back(graph_node(a), graph_node(b));
    } else if (name == "Connections.root") {
        if (Component* a = argument(0)) graph_nodes_[graph_node(a)].root = true;
    } else if (name == "Connections.potentialRoot") {
        Component* a = argument(0);
        if (a == nullptr) return;
        GraphNode& node = graph_nodes_[graph_node(a)];
        node.potential = true;
        if (call.arguments.size() > 1)
            node.priority = number(c, evaluate(c, call.arguments[1].value), e.span, "the priority");
    } else if (name == "Connections.uniqueRoot") {
        unsupported(c.unit, e.span, "'" + name + "(…)'");
    }
}

void Translator::solve_connection_graph() {
    const std::size_t n = graph_nodes_.size();
    std::vector<std::size_t> parent(n + 1); // one more: what all roots hang from
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    const auto find_set = [&](std::size_t k) {
        while (parent[k] != k) k = parent[k] = parent[parent[k]];
        return k;
    };
    const auto join = [&](std::size_t a, std::size_t b) {
        a = find_set(a);
        b = find_set(b);
        if (a == b) return false;
        parent[a] = b;
        return true;
    };
    for (std::size_t k = 0; k < n; ++k)
        if (graph_nodes_[k].root) (void)join(k, n);
    for (const auto& [a, b] : branches_) (void)join(a, b);
    std::vector<std::vector<std::size_t>> neighbours(n);
    for (const auto& [a, b] : branches_) {
        neighbours[a].push_back(b);
        neighbours[b].push_back(a);
    }
    for (Edge& edge : edges_) {
        edge.broken = !join(edge.a, edge.b);
        if (edge.broken) continue;
        neighbours[edge.a].push_back(edge.b);
        neighbours[edge.b].push_back(edge.a);
    }
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return graph_nodes_[a].priority < graph_nodes_[b].priority; });
    for (const std::size_t k : order)
        if (graph_nodes_[k].potential && join(k, n)) graph_nodes_[k].chosen = true;
    for (std::size_t k = 0; k < n; ++k) {
        if (find_set(k) == find_set(n)) continue;
        // Nothing here asks to be the root; the first is.
        graph_nodes_[k].chosen = true;
        (void)join(k, n);
    }
    std::vector<std::size_t> queue;
    for (std::size_t k = 0; k < n; ++k)
        if (graph_nodes_[k].root || graph_nodes_[k].chosen) {
            graph_nodes_[k].distance = 0;
            queue.push_back(k);
        }
    for (std::size_t next = 0; next < queue.size(); ++next)
        for (const std::size_t other : neighbours[queue[next]])
            if (graph_nodes_[other].distance < 0) {
                graph_nodes_[other].distance = graph_nodes_[queue[next]].distance + 1;
                queue.push_back(other);
            }
}

} // namespace daedalus::modelica
