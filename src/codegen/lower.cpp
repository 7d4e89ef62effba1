#include "codegen/lower.hpp"

#include "codegen/lowering.hpp"

#include <algorithm>
#include <numeric>

namespace daedalus::codegen {

tape::Tape lower(const expr::Graph& graph, const Segments& segments, std::span<const expr::NodeId> outputs, Hold hold) {
    Lowering l(graph, segments, outputs, hold);
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
