#include "codegen/lower.hpp"

#include "codegen/lowering.hpp"

#include <algorithm>
#include <numeric>

namespace daedalus::codegen {

namespace {

using expr::NodeId;

/// Nodes below the outputs as they are needed, depth first and group by group: a value is made shortly before its
/// first use.
std::vector<NodeId> as_needed(const expr::Graph& g, std::span<const NodeId> outputs,
                              std::span<const std::uint32_t> groups) {
    std::vector<std::uint32_t> turn(outputs.size());
    std::iota(turn.begin(), turn.end(), 0U);
    if (!groups.empty())
        std::stable_sort(turn.begin(), turn.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return groups[a] < groups[b]; });
    std::vector<char> met(g.size(), 0);
    std::vector<NodeId> order;
    std::vector<std::pair<NodeId, int>> stack;
    const auto meet = [&](NodeId node) {
        if (met[expr::index(node)]) return;
        met[expr::index(node)] = 1;
        stack.emplace_back(node, 0);
    };
    for (const std::uint32_t k : turn)
        for (meet(outputs[k]); !stack.empty();) {
            auto& [node, next] = stack.back();
            if (next < g.arity(node)) {
                meet(g.operand(node, next++));
            } else {
                order.push_back(node);
                stack.pop_back();
            }
        }
    return order;
}

/// No register survives a call: within a stretch of code, calls and what they need come first, so that little is alive
/// around them.
void calls_first(const expr::Graph& g, std::vector<NodeId>& order) {
    constexpr std::size_t stretch = 1024; // what lives that long is still in the nearest cache
    std::vector<char> needed(g.size(), 0);
    for (std::size_t begin = 0; begin < order.size(); begin += stretch) {
        const auto first = order.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = order.begin() + static_cast<std::ptrdiff_t>(std::min(order.size(), begin + stretch));
        for (auto node = last; node != first;) {
            char& needs = needed[expr::index(*--node)];
            if (!needs) needs = is_called(g, *node);
            if (needs)
                for (int k = 0; k < g.arity(*node); ++k) needed[expr::index(g.operand(*node, k))] = 1;
        }
        std::stable_partition(first, last, [&](NodeId node) { return needed[expr::index(node)] != 0; });
    }
}

} // namespace

tape::Tape lower(const expr::Graph& graph, const Segments& segments, std::span<const NodeId> outputs, Hold hold,
                 std::span<const std::uint32_t> groups) {
    std::vector<NodeId> order = as_needed(graph, outputs, groups);
    calls_first(graph, order);
    Lowering l(graph, segments, std::move(order), outputs.size(), hold);
    l.lower_held();
    std::vector<std::uint32_t> all(l.size());
    std::iota(all.begin(), all.end(), 0U);
    // Each output is stored as soon as it is known; those that are known before come last, side by side.
    std::vector<Lowering::Store> stores;
    stores.reserve(outputs.size());
    for (std::uint32_t k = 0; k < outputs.size(); ++k)
        if (l.is_work(l.position(outputs[k]))) stores.push_back({l.position(outputs[k]), k});
    std::sort(stores.begin(), stores.end());
    l.lower_nodes(l.emitter, all, stores, l.tape.main_part);
    for (std::uint32_t k = 0; k < outputs.size(); ++k)
        if (!l.is_work(l.position(outputs[k]))) l.emitter.emit(tape::Code::store, k, l.slot[l.position(outputs[k])]);
    l.emitter.emit(tape::Code::halt, 0, 0);
    l.tape.memory = l.emitter.next_slot;
    return std::move(l.tape);
}

} // namespace daedalus::codegen
