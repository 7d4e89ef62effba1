#include "codegen/lowering.hpp"

#include <algorithm>
#include <cassert>
#include <unordered_map>

namespace daedalus::codegen {

using expr::NodeId;
using expr::Op;
using tape::Code;

Lowering::Lowering(const expr::Graph& g, const Segments& segments, std::vector<NodeId> order, std::size_t outputs,
                   Hold hold)
    : graph(g), emitter(g, tape), order_(std::move(order)) {
    if (!order_.empty())
        position_of_.resize(expr::index(*std::max_element(order_.begin(), order_.end())) + std::size_t{1});
    for (std::size_t i = 0; i < order_.size(); ++i)
        position_of_[expr::index(order_[i])] = static_cast<std::uint32_t>(i);
    tape.outputs = static_cast<std::uint32_t>(outputs);
    slot.assign(order_.size(), 0);
    phase_.assign(order_.size(), Phase::main);
    uses_.assign(order_.size(), 0);
    part_.assign(order_.size(), 0);
    number_inputs(segments);
    find_phases(hold);
}

void Lowering::number_inputs(const Segments& segments) {
    for (const NodeId node : order_)
        if (graph.is_constant(node)) static_cast<void>(emitter.constant(graph.constant_value(node)));
    static_cast<void>(emitter.constant(1.0)); // for reciprocals
    emitter.next_slot = static_cast<std::uint32_t>(tape.constants.size());
    const auto known = [&](NodeId leaf) {
        return expr::index(leaf) < position_of_.size() && position(leaf) < order_.size() &&
               order_[position(leaf)] == leaf;
    };
    std::vector<char> given(order_.size(), 0);
    for (const auto& segment : segments) {
        tape.segment_begin.push_back(emitter.next_slot);
        for (const NodeId leaf : segment) {
            if (known(leaf) && !given[position(leaf)]) { // the first mention counts
                slot[position(leaf)] = emitter.next_slot;
                given[position(leaf)] = 1;
            }
            ++emitter.next_slot;
        }
    }
    tape.segment_begin.push_back(emitter.next_slot);
    for (std::size_t i = 0; i < order_.size(); ++i) {
        if (graph.is_constant(order_[i])) slot[i] = emitter.constant(graph.constant_value(order_[i]));
        assert(!expr::is_leaf(graph.op(order_[i])) || graph.is_constant(order_[i]) || given[i]);
    }
}

void Lowering::find_phases(Hold hold) {
    for (std::size_t i = 0; i < order_.size(); ++i) {
        const Op op = graph.op(order_[i]);
        Phase latest = Phase::parameters;
        if (op == Op::time) latest = hold == Hold::parameters_and_time ? Phase::time : Phase::main;
        if (op == Op::variable) latest = Phase::main;
        for (int k = 0; k < graph.arity(order_[i]); ++k)
            latest = std::max(latest, phase_[position(graph.operand(order_[i], k))]);
        phase_[i] = latest;
    }
}

void Lowering::lower_node(Emitter& e, std::size_t i) {
    const auto operand = [&](int k) { return slot[position(graph.operand(order_[i], k))]; };
    if (graph.op(order_[i]) == Op::call) return e.routine(order_[i], slot[i], operand);
    std::uint32_t s[3] = {0, 0, 0};
    for (int k = 0; k < graph.arity(order_[i]); ++k) s[k] = operand(k);
    e.operation(order_[i], slot[i], s);
}

// Held nodes keep their slots for ever; they are few compared with what they save.
void Lowering::lower_held() {
    for (const Phase phase : {Phase::parameters, Phase::time}) {
        std::vector<tape::Instruction>& code = phase == Phase::parameters ? tape.static_part : tape.time_part;
        emitter.write_to(code);
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const int n = graph.arity(order_[i]);
            if (n == 0 || phase_[i] != phase) continue;
            slot[i] = emitter.next_slot++;
            lower_node(emitter, i);
        }
        if (phase == Phase::parameters || !code.empty()) emitter.emit(Code::halt, 0, 0);
        emitter.forget_free_slots();
    }
}

void Lowering::lower_nodes(Emitter& e, std::span<const std::uint32_t> nodes, std::span<const Store> stores,
                           std::vector<tape::Instruction>& code) {
    e.write_to(code);
    ++parts_;
    for (const std::uint32_t i : nodes) {
        uses_[i] = 0;
        if (is_work(i)) part_[i] = parts_;
    }
    for (const std::uint32_t i : nodes)
        if (is_work(i))
            for (int k = 0; k < graph.arity(order_[i]); ++k) ++uses_[position(graph.operand(order_[i], k))];
    std::size_t next = 0;
    for (std::uint32_t at = 0; at < nodes.size(); ++at) {
        const std::uint32_t i = nodes[at];
        if (is_work(i)) {
            const int n = graph.arity(order_[i]);
            // The result gets a slot before the operands' slots are released: no instruction overwrites an operand
            // that a later one of the same node still reads (select, powers).
            slot[i] = e.take();
            lower_node(e, i);
            for (int k = 0; k < n; ++k)
                if (const std::uint32_t p = position(graph.operand(order_[i], k));
                    part_[p] == parts_ && --uses_[p] == 0)
                    e.release(slot[p]);
        }
        for (; next < stores.size() && stores[next].at == at; ++next) e.emit(Code::store, stores[next].to, slot[i]);
        if (is_work(i) && uses_[i] == 0) e.release(slot[i]); // only stored
    }
    assert(next == stores.size());
}

} // namespace daedalus::codegen
