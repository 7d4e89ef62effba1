#include "codegen/lower.hpp"

#include "expr/functions/function.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <optional>
#include <unordered_map>

namespace daedalus::codegen {

namespace {

using expr::NodeId;
using expr::Op;
using tape::Code;
using tape::Instruction;
using tape::Tape;

constexpr int largest_unrolled_power = 64; // above, std::pow is no slower than the products

double power(double a, double b) { return std::pow(a, b); }

struct Lowering {
    const expr::Graph& g;
    Tape tape;
    std::unordered_map<std::uint64_t, std::uint32_t> constant_slot; ///< by bits
    std::vector<std::uint32_t> slot;                                ///< by position in `order`
    std::vector<std::uint32_t> uses;                                ///< remaining uses, by position
    std::vector<char> is_static;                                    ///< depends on parameters and constants only
    std::vector<std::uint32_t> free_temporaries;
    std::array<int, expr::op_count> called{}; ///< one more than the index in tape.functions
    std::uint32_t next_slot = 0;
    std::vector<Instruction>* code = nullptr;

    // Node id → position in the ascending list of reachable nodes.
    std::vector<NodeId> order;
    std::vector<std::uint32_t> position_of;
    [[nodiscard]] std::size_t position(NodeId id) const { return position_of[expr::index(id)]; }

    std::uint32_t constant(double value) {
        const auto [it, is_new] = constant_slot.try_emplace(std::bit_cast<std::uint64_t>(value),
                                                            static_cast<std::uint32_t>(tape.constants.size()));
        if (is_new) tape.constants.push_back(value);
        return it->second;
    }

    void emit(Code c, std::uint32_t d, std::uint32_t a, std::uint32_t b = 0) { code->push_back({c, 0, d, a, b}); }

    void call(Op op, std::uint32_t d, const std::uint32_t* operands) {
        int& entry = called[static_cast<std::size_t>(op)];
        if (entry == 0) {
            tape.functions.push_back(op == Op::pow ? tape::Function{.name = "pow", .two = power}
                                                   : tape::Function{.name = expr::function(op).name,
                                                                    .one = expr::function(op).value1,
                                                                    .two = expr::function(op).value2});
            entry = static_cast<int>(tape.functions.size());
        }
        const bool binary = expr::arity(op) == 2;
        code->push_back({binary ? Code::call2 : Code::call1, static_cast<std::uint8_t>(entry - 1), d, operands[0],
                         binary ? operands[1] : 0});
    }

    std::uint32_t take() {
        if (free_temporaries.empty()) return next_slot++;
        const std::uint32_t s = free_temporaries.back();
        free_temporaries.pop_back();
        return s;
    }
};

std::optional<int> integer_exponent(const expr::Graph& g, NodeId exponent) {
    if (!g.is_constant(exponent)) return std::nullopt;
    const double value = g.constant_value(exponent);
    if (value != std::floor(value) || std::abs(value) > largest_unrolled_power || value == 0) return std::nullopt;
    return static_cast<int>(value);
}

// x^n by repeated squaring; a negative power is the reciprocal of the positive one.
void lower_power(Lowering& l, std::uint32_t d, std::uint32_t x, int n) {
    auto rest = static_cast<unsigned>(std::abs(n));
    const std::uint32_t square = l.take();
    std::uint32_t base = x;
    bool started = false;
    while (rest != 0) {
        if (rest & 1U) {
            if (started)
                l.emit(Code::mul, d, d, base);
            else
                l.emit(Code::copy, d, base);
            started = true;
        }
        rest >>= 1U;
        if (rest != 0) {
            if (rest == 1 && !started) { // the highest bit alone: its square is the result
                l.emit(Code::mul, d, base, base);
                break;
            }
            l.emit(Code::mul, square, base, base);
            base = square;
        }
    }
    if (n < 0) l.emit(Code::div, d, l.constant(1.0), d);
    l.free_temporaries.push_back(square);
}

void lower_operation(Lowering& l, NodeId node, std::uint32_t d, const std::uint32_t* s) {
    const Op op = l.g.op(node);
    switch (op) {
    case Op::neg: return l.emit(Code::neg, d, s[0]);
    case Op::add: return l.emit(Code::add, d, s[0], s[1]);
    case Op::sub: return l.emit(Code::sub, d, s[0], s[1]);
    case Op::mul: return l.emit(Code::mul, d, s[0], s[1]);
    case Op::div: return l.emit(Code::div, d, s[0], s[1]);
    case Op::sqrt: return l.emit(Code::sqrt, d, s[0]);
    case Op::abs: return l.emit(Code::abs, d, s[0]);
    case Op::min: return l.emit(Code::min, d, s[0], s[1]);
    case Op::max: return l.emit(Code::max, d, s[0], s[1]);
    case Op::lt: return l.emit(Code::lt, d, s[0], s[1]);
    case Op::le: return l.emit(Code::le, d, s[0], s[1]);
    case Op::gt: return l.emit(Code::lt, d, s[1], s[0]);
    case Op::ge: return l.emit(Code::le, d, s[1], s[0]);
    case Op::eq: return l.emit(Code::eq, d, s[0], s[1]);
    case Op::ne: return l.emit(Code::ne, d, s[0], s[1]);
    case Op::logical_and: return l.emit(Code::logical_and, d, s[0], s[1]);
    case Op::logical_or: return l.emit(Code::logical_or, d, s[0], s[1]);
    case Op::logical_not: return l.emit(Code::logical_not, d, s[0]);
    case Op::select: l.emit(Code::copy, d, s[2]); return l.emit(Code::select, d, s[0], s[1]);
    case Op::pow:
        if (const auto n = integer_exponent(l.g, l.g.operand(node, 1))) return lower_power(l, d, s[0], *n);
        return l.call(op, d, s);
    default: return l.call(op, d, s);
    }
}

void number_inputs(Lowering& l, const Segments& segments) {
    l.next_slot = 0;
    for (const NodeId node : l.order)
        if (l.g.is_constant(node)) static_cast<void>(l.constant(l.g.constant_value(node)));
    static_cast<void>(l.constant(1.0)); // for reciprocals
    l.next_slot = static_cast<std::uint32_t>(l.tape.constants.size());
    std::unordered_map<std::uint32_t, std::uint32_t> input;
    for (const auto& segment : segments) {
        l.tape.segment_begin.push_back(l.next_slot);
        for (const NodeId leaf : segment) input.emplace(expr::index(leaf), l.next_slot++);
    }
    l.tape.segment_begin.push_back(l.next_slot);
    for (std::size_t i = 0; i < l.order.size(); ++i) {
        const Op op = l.g.op(l.order[i]);
        if (op == Op::constant) {
            l.slot[i] = l.constant(l.g.constant_value(l.order[i]));
            l.is_static[i] = 1;
        } else if (expr::is_leaf(op)) {
            assert(input.contains(expr::index(l.order[i])));
            l.slot[i] = input.at(expr::index(l.order[i]));
            l.is_static[i] = op == Op::parameter;
        }
    }
}

} // namespace

Tape lower(const expr::Graph& graph, const Segments& segments, std::span<const NodeId> outputs) {
    Lowering l{.g = graph,
               .tape = {},
               .constant_slot = {},
               .slot = {},
               .uses = {},
               .is_static = {},
               .free_temporaries = {},
               .called = {},
               .order = graph.reachable(outputs),
               .position_of = {}};
    if (!l.order.empty()) l.position_of.resize(expr::index(l.order.back()) + std::size_t{1});
    for (std::size_t i = 0; i < l.order.size(); ++i)
        l.position_of[expr::index(l.order[i])] = static_cast<std::uint32_t>(i);
    l.tape.outputs = static_cast<std::uint32_t>(outputs.size());
    const std::size_t count = l.order.size();
    l.slot.assign(count, 0);
    l.uses.assign(count, 0);
    l.is_static.assign(count, 0);
    number_inputs(l, segments);

    // Static nodes keep their slots for ever; they are few compared with what they save.
    for (std::size_t i = 0; i < count; ++i) {
        const NodeId node = l.order[i];
        const int n = expr::arity(graph.op(node));
        if (n == 0) continue;
        bool all_static = true;
        for (int k = 0; k < n; ++k) all_static = all_static && l.is_static[l.position(graph.operand(node, k))];
        l.is_static[i] = all_static;
    }
    l.code = &l.tape.static_part;
    for (std::size_t i = 0; i < count; ++i) {
        const NodeId node = l.order[i];
        const int n = expr::arity(graph.op(node));
        if (n == 0 || !l.is_static[i]) continue;
        std::uint32_t s[3] = {0, 0, 0};
        for (int k = 0; k < n; ++k) s[k] = l.slot[l.position(graph.operand(node, k))];
        l.slot[i] = l.next_slot++;
        lower_operation(l, node, l.slot[i], s);
    }
    l.emit(Code::halt, 0, 0);
    l.free_temporaries.clear();

    // Outputs by node, so that each is stored as soon as it is known.
    std::vector<std::pair<std::size_t, std::uint32_t>> stores;
    stores.reserve(outputs.size());
    for (std::uint32_t k = 0; k < outputs.size(); ++k) stores.emplace_back(l.position(outputs[k]), k);
    std::sort(stores.begin(), stores.end());
    for (std::size_t i = 0; i < count; ++i) {
        if (l.is_static[i]) continue;
        for (int k = 0; k < expr::arity(graph.op(l.order[i])); ++k) ++l.uses[l.position(graph.operand(l.order[i], k))];
    }

    l.code = &l.tape.main_part;
    std::size_t next_store = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const NodeId node = l.order[i];
        const int n = expr::arity(graph.op(node));
        if (n > 0 && !l.is_static[i]) {
            std::uint32_t s[3] = {0, 0, 0};
            std::size_t p[3] = {0, 0, 0};
            for (int k = 0; k < n; ++k) {
                p[k] = l.position(graph.operand(node, k));
                s[k] = l.slot[p[k]];
            }
            // The result gets a slot before the operands' slots are released: no instruction overwrites an operand
            // that a later one of the same node still reads (select, powers).
            l.slot[i] = l.take();
            lower_operation(l, node, l.slot[i], s);
            for (int k = 0; k < n; ++k)
                if (--l.uses[p[k]] == 0 && !l.is_static[p[k]] && !expr::is_leaf(graph.op(l.order[p[k]])))
                    l.free_temporaries.push_back(s[k]);
        }
        for (; next_store < stores.size() && stores[next_store].first == i; ++next_store)
            l.emit(Code::store, stores[next_store].second, l.slot[i]);
        if (n > 0 && !l.is_static[i] && l.uses[i] == 0) l.free_temporaries.push_back(l.slot[i]); // output only
    }
    l.emit(Code::halt, 0, 0);
    l.tape.memory = l.next_slot;
    return std::move(l.tape);
}

} // namespace daedalus::codegen
