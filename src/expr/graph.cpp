#include "expr/graph.hpp"

#include "expr/evaluate.hpp"
#include "expr/routine.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace daedalus::expr {

namespace {

std::uint64_t mix(std::uint64_t h) { // finaliser of MurmurHash3
    h ^= h >> 33U;
    h *= 0xff51afd7ed558ccdULL;
    h ^= h >> 33U;
    h *= 0xc4ceb9fe1a85ec53ULL;
    h ^= h >> 33U;
    return h;
}

/// a + b and b + a are one node: equal hashes, so that one search finds it.
std::uint64_t hash(const Node& n) {
    const bool turn = is_commutative(n.op) && n.b < n.a;
    return mix(mix((static_cast<std::uint64_t>(turn ? n.b : n.a) << 32U) | (turn ? n.a : n.b)) ^
               (static_cast<std::uint64_t>(n.c) << 8U | static_cast<std::uint64_t>(n.op)));
}

constexpr std::size_t smallest_table = 1024;

/// Places in the table are chosen by the lower half.
std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32U); }

} // namespace

Graph::Graph() : table_(smallest_table) {}

/// Nodes that are made together have operands that were made together. Each node's first place is in the cache lines
/// that belong to the later of its operands, so that a pass over a large graph finds its lines in the cache; where
/// that line is full, as for a factor that all equations share, the node goes anywhere.
std::size_t Graph::slot_of(const Node& n, std::uint64_t h) const {
    constexpr std::size_t line = 16;        // entries of two cache lines
    constexpr std::uint32_t neighbours = 4; // nodes per line; at most half of the table is taken
    const Node turned = is_commutative(n.op) ? Node{n.op, n.b, n.a, n.c} : n;
    const std::size_t last = table_.size() - 1;
    const auto ends = [&](std::size_t slot) {
        const Entry& entry = table_[slot];
        if (entry.node == 0) return true;
        if (entry.tag != tag_of(h)) return false;
        const Node& at = nodes_[entry.node - 1];
        return at == n || at == turned;
    };
    if (n.op != Op::constant) {
        const std::size_t begin = std::max(n.a, n.b) / neighbours * line & last;
        for (std::size_t k = 0; k < line; ++k) {
            const std::size_t slot = begin + ((h + k) & (line - 1));
            if (ends(slot)) return slot;
        }
    }
    // Lines in use lie together and are full in long runs: each attempt goes further away, which reaches every entry of
    // a table whose size is a power of two (Knuth 1998, 6.4, exercise 20).
    std::size_t slot = (h >> 4U) & last;
    for (std::size_t further = 1; !ends(slot); ++further) slot = (slot + further) & last;
    return slot;
}

NodeId Graph::intern(const Node& n) {
    if (table_.empty()) make_table(std::bit_ceil(std::max(smallest_table, 2 * nodes_.size() + 2)));
    const std::uint64_t h = hash(n);
    const std::size_t slot = slot_of(n, h); // where operands are in another order, the first one written decides
    if (table_[slot].node != 0) return NodeId{table_[slot].node - 1};
    nodes_.push_back(n);
    table_[slot] = {static_cast<std::uint32_t>(nodes_.size()), tag_of(h)};
    if (nodes_.size() * 2 > table_.size()) make_table(table_.size() * 2);
    return NodeId{static_cast<std::uint32_t>(nodes_.size() - 1)};
}

void Graph::rest() { table_ = std::vector<Entry>(); } // unlike {}, which keeps the memory

void Graph::make_table(std::size_t entries) {
    rest(); // before another one is made
    table_.resize(entries);
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
        const std::uint64_t h = hash(nodes_[i]);
        table_[slot_of(nodes_[i], h)] = {i + 1, tag_of(h)};
    }
}

Graph Graph::first(const Extent& extent) const {
    const auto end = [](std::size_t count) { return static_cast<std::ptrdiff_t>(count); };
    Graph copy;
    copy.rest();
    copy.nodes_.assign(nodes_.begin(), nodes_.begin() + end(extent.nodes));
    copy.calls_.assign(calls_.begin(), calls_.begin() + end(extent.calls));
    copy.written_.assign(written_.begin(), written_.begin() + end(extent.written));
    for (const auto& [key, id] : call_ids_)
        if (index(id) < extent.nodes) copy.call_ids_.emplace(key, id);
    return copy;
}

NodeId Graph::constant(double value) {
    if (value == 0.0) value = 0.0; // -0.0 and 0.0 are one constant
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return intern({Op::constant, static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32U), 0});
}
NodeId Graph::time() { return intern({Op::time, 0, 0, 0}); }
NodeId Graph::parameter(int id) { return intern({Op::parameter, static_cast<std::uint32_t>(id), 0, 0}); }
NodeId Graph::variable(int id, int order) {
    return intern({Op::variable, static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(order), 0});
}

bool Graph::is_constant(NodeId id, double value) const { return is_constant(id) && constant_value(id) == value; }

namespace {

/// Whether its values are whole numbers, as far as a look at a few operations tells.
bool is_whole(const Graph& g, NodeId a, int levels = 4) {
    const Op op = g.op(a);
    if (g.is_constant(a)) return std::floor(g.constant_value(a)) == g.constant_value(a);
    if (op == Op::floor) return true;
    if (levels == 0) return false;
    if (op == Op::neg) return is_whole(g, g.operand(a, 0), levels - 1);
    if (op == Op::add || op == Op::sub || op == Op::mul)
        return is_whole(g, g.operand(a, 0), levels - 1) && is_whole(g, g.operand(a, 1), levels - 1);
    if (op == Op::select) return is_whole(g, g.operand(a, 1), levels - 1) && is_whole(g, g.operand(a, 2), levels - 1);
    return false;
}

} // namespace

NodeId Graph::unary(Op op, NodeId a) {
    assert(expr::arity(op) == 1);
    if (is_constant(a)) {
        const double value = apply(op, constant_value(a));
        // A value that is not finite stays an operation, so that its error can be named where it is written. The sign
        // is no error: left standing, the rules for products would move it from one infinite factor to the other and
        // back without end.
        if (std::isfinite(value) || op == Op::neg) return constant(value);
    }
    if (op == Op::neg) {
        if (this->op(a) == Op::neg) return operand(a, 0);
        if (this->op(a) == Op::sub) return sub(operand(a, 1), operand(a, 0)); // -(x - y) = y - x, exactly
    }
    if (op == Op::abs && (this->op(a) == Op::neg)) return unary(op, operand(a, 0));
    if (op == Op::logical_not && this->op(a) == Op::logical_not) return operand(a, 0);
    if (op == Op::floor && is_whole(*this, a)) return a;
    return intern({op, index(a), 0, 0});
}

// Each rule below is exact in IEEE arithmetic wherever both sides are finite.
NodeId Graph::binary(Op op, NodeId a, NodeId b) {
    assert(expr::arity(op) == 2);
    if (is_constant(a) && is_constant(b)) {
        const double value = apply(op, constant_value(a), constant_value(b));
        if (std::isfinite(value)) return constant(value);
    }
    const bool negative_a = this->op(a) == Op::neg;
    const bool negative_b = this->op(b) == Op::neg;
    switch (op) {
    case Op::add:
        if (is_constant(a, 0.0)) return b;
        if (is_constant(b, 0.0)) return a;
        if (negative_b) return sub(a, operand(b, 0));
        if (negative_a) return sub(b, operand(a, 0));
        break;
    case Op::sub:
        if (is_constant(b, 0.0)) return a;
        if (is_constant(a, 0.0)) return neg(b);
        if (a == b) return constant(0.0);
        if (negative_b) return add(a, operand(b, 0));
        break;
    case Op::mul:
        if (is_constant(a, 0.0) || is_constant(b, 0.0)) return constant(0.0);
        if (is_constant(a, 1.0)) return b;
        if (is_constant(b, 1.0)) return a;
        if (is_constant(a, -1.0)) return neg(b);
        if (is_constant(b, -1.0)) return neg(a);
        if (negative_a && negative_b) return mul(operand(a, 0), operand(b, 0));
        if (negative_a && is_constant(b)) return mul(operand(a, 0), neg(b));
        if (negative_b && is_constant(a)) return mul(neg(a), operand(b, 0));
        if (negative_a) return neg(mul(operand(a, 0), b));
        if (negative_b) return neg(mul(a, operand(b, 0)));
        break;
    case Op::div:
        if (is_constant(b, 1.0)) return a;
        if (is_constant(b, -1.0)) return neg(a);
        if (is_constant(a, 0.0) && !is_constant(b)) return constant(0.0);
        if (a == b && !is_constant(a)) return constant(1.0);
        if (negative_a && negative_b) return div(operand(a, 0), operand(b, 0));
        if (negative_a) return neg(div(operand(a, 0), b));
        if (negative_b) return neg(div(a, operand(b, 0)));
        break;
    case Op::pow:
        if (is_constant(b, 1.0)) return a;
        if (is_constant(b, 0.0)) return constant(1.0);
        break;
    case Op::logical_and:
        if (is_constant(a)) return constant_value(a) != 0.0 ? b : constant(0.0);
        if (is_constant(b)) return constant_value(b) != 0.0 ? a : constant(0.0);
        if (a == b) return a;
        break;
    case Op::logical_or:
        if (is_constant(a)) return constant_value(a) != 0.0 ? constant(1.0) : b;
        if (is_constant(b)) return constant_value(b) != 0.0 ? constant(1.0) : a;
        if (a == b) return a;
        break;
    case Op::min:
    case Op::max:
        if (a == b) return a;
        break;
    default: break;
    }
    return intern({op, index(a), index(b), 0});
}

NodeId Graph::select(NodeId condition, NodeId then_value, NodeId else_value) {
    if (is_constant(condition)) return constant_value(condition) != 0 ? then_value : else_value;
    if (then_value == else_value) return then_value;
    return intern({Op::select, index(condition), index(then_value), index(else_value)});
}

NodeId Graph::call(std::shared_ptr<const Routine> routine, int output, std::vector<NodeId> operands) {
    assert(static_cast<int>(operands.size()) == routine->inputs() && output < routine->outputs());
    const auto key = std::tuple(routine.get(), output, operands);
    if (const auto known = call_ids_.find(key); known != call_ids_.end()) return known->second;
    std::vector<double> in;
    for (const NodeId operand : operands)
        if (is_constant(operand)) in.push_back(constant_value(operand));
    if (in.size() == operands.size()) {
        std::vector<double> out(static_cast<std::size_t>(routine->outputs()));
        routine->run(in.data(), out.data());
        const double value = out[static_cast<std::size_t>(output)];
        if (std::isfinite(value)) return constant(value);
    }
    calls_.push_back({std::move(routine), output, std::move(operands)});
    const NodeId made = intern({Op::call, static_cast<std::uint32_t>(calls_.size() - 1), 0, 0});
    call_ids_.emplace(key, made);
    return made;
}

NodeId Graph::rebuild(Op op, std::span<const NodeId> operands) {
    switch (expr::arity(op)) {
    case 1: return unary(op, operands[0]);
    case 2: return binary(op, operands[0], operands[1]);
    case 3: return select(operands[0], operands[1], operands[2]);
    default: assert(false); return no_node;
    }
}

std::vector<NodeId> Graph::reachable(std::span<const NodeId> roots) const {
    // Roots are usually few and the graph large: marks are kept from call to call and not cleared. They belong to the
    // thread, for many may read one graph, and serve all graphs: no two calls have the same epoch.
    thread_local std::vector<std::uint32_t> marks;
    thread_local std::uint32_t epoch = 0;
    if (marks.size() < nodes_.size()) marks.resize(nodes_.size(), 0);
    if (++epoch == 0) {
        std::fill(marks.begin(), marks.end(), 0);
        epoch = 1;
    }
    std::vector<std::uint32_t>& mark = marks; // asked for once: every look at a thread's variable is a call
    const std::uint32_t now = epoch;
    std::vector<NodeId> found;
    constexpr std::size_t many = 16; // one of so many nodes is a root: then one pass downwards reads less than a search
    if (roots.size() * many > nodes_.size()) {
        for (const NodeId root : roots) mark[index(root)] = now;
        for (std::size_t i = nodes_.size(); i-- > 0;) {
            if (mark[i] != now) continue;
            const NodeId id{static_cast<std::uint32_t>(i)};
            found.push_back(id);
            for (int k = arity(id); k-- > 0;) mark[index(operand(id, k))] = now;
        }
        std::reverse(found.begin(), found.end());
        return found;
    }
    constexpr std::size_t small = 24; // nodes of one equation, mostly: the list need not grow in steps
    found.reserve(small);
    const auto visit = [&](NodeId id) {
        if (mark[index(id)] == now) return;
        mark[index(id)] = now;
        found.push_back(id);
    };
    for (const NodeId root : roots) visit(root);
    for (std::size_t next = 0; next < found.size(); ++next) {
        const int count = arity(found[next]);
        for (int k = 0; k < count; ++k) visit(operand(found[next], k));
    }
    std::sort(found.begin(), found.end());
    return found;
}

} // namespace daedalus::expr
