// The hash-consed graph of immutable expression nodes. Equal expressions are one node, and a node's operands
// always have smaller ids than the node: every pass is a loop over ascending ids, never a recursion. Many threads may
// read one graph at the same time; building in it is for one.
#pragma once

#include "expr/op.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace daedalus::expr {

/// Index of a node in its graph.
enum class NodeId : std::uint32_t {};
inline constexpr NodeId no_node{0xFFFFFFFFU};
[[nodiscard]] constexpr std::uint32_t index(NodeId id) { return static_cast<std::uint32_t>(id); }

class Routine;

struct Node {
    Op op = Op::constant;
    /// Operands. Leaves: a, b = the halves of a constant's bits; a = parameter id; a = variable id, b = order. Calls:
    /// a = place in the list of calls.
    std::uint32_t a = 0, b = 0, c = 0;
    friend bool operator==(const Node&, const Node&) = default;
};

class Graph {
public:
    Graph();

    // Leaves
    [[nodiscard]] NodeId constant(double value);
    [[nodiscard]] NodeId time();
    [[nodiscard]] NodeId parameter(int id);
    [[nodiscard]] NodeId variable(int id, int order = 0);

    /// Build with local simplification: the result equals the plain operation wherever that is defined, and no
    /// sum or product is reassociated, so rounding is that of the expression as written.
    [[nodiscard]] NodeId unary(Op op, NodeId a);
    [[nodiscard]] NodeId binary(Op op, NodeId a, NodeId b);
    [[nodiscard]] NodeId select(NodeId condition, NodeId then_value, NodeId else_value);
    /// Output `output` of a routine; known at once where all operands are constants.
    [[nodiscard]] NodeId call(std::shared_ptr<const Routine> routine, int output, std::vector<NodeId> operands);
    /// An operation of at most three operands on these.
    [[nodiscard]] NodeId rebuild(Op op, std::span<const NodeId> operands);
    /// The same operation, or call, on the operands that `of` gives for the present ones; the node itself where those
    /// are the same.
    template <class Of>
    [[nodiscard]] NodeId rebuilt(NodeId node, const Of& of) {
        const int count = arity(node);
        std::array<NodeId, 3> few{};
        std::vector<NodeId> many(op(node) == Op::call ? static_cast<std::size_t>(count) : 0);
        const std::span<NodeId> operands =
            op(node) == Op::call ? std::span(many) : std::span(few.data(), static_cast<std::size_t>(count));
        bool changed = false;
        for (int k = 0; k < count; ++k) {
            const NodeId before = operand(node, k);
            operands[static_cast<std::size_t>(k)] = of(before);
            changed = changed || operands[static_cast<std::size_t>(k)] != before;
        }
        if (!changed) return node;
        if (op(node) != Op::call) return rebuild(op(node), operands);
        const Call like = call_of(node);
        return call(like.routine, like.output, std::move(many));
    }

    // Shorthands
    [[nodiscard]] NodeId add(NodeId a, NodeId b) { return binary(Op::add, a, b); }
    [[nodiscard]] NodeId sub(NodeId a, NodeId b) { return binary(Op::sub, a, b); }
    [[nodiscard]] NodeId mul(NodeId a, NodeId b) { return binary(Op::mul, a, b); }
    [[nodiscard]] NodeId div(NodeId a, NodeId b) { return binary(Op::div, a, b); }
    [[nodiscard]] NodeId pow(NodeId a, NodeId b) { return binary(Op::pow, a, b); }
    [[nodiscard]] NodeId neg(NodeId a) { return unary(Op::neg, a); }

    // Inspection
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] const Node& node(NodeId id) const { return nodes_[index(id)]; }
    [[nodiscard]] Op op(NodeId id) const { return nodes_[index(id)].op; }
    [[nodiscard]] double constant_value(NodeId id) const {
        const Node& n = nodes_[index(id)];
        return std::bit_cast<double>(static_cast<std::uint64_t>(n.b) << 32U | n.a);
    }
    [[nodiscard]] bool is_constant(NodeId id) const { return op(id) == Op::constant; }
    [[nodiscard]] bool is_constant(NodeId id, double value) const;
    [[nodiscard]] int variable_id(NodeId id) const { return static_cast<int>(nodes_[index(id)].a); }
    [[nodiscard]] int derivative_order(NodeId id) const { return static_cast<int>(nodes_[index(id)].b); }
    [[nodiscard]] int parameter_id(NodeId id) const { return static_cast<int>(nodes_[index(id)].a); }
    /// Number of operands.
    [[nodiscard]] int arity(NodeId id) const {
        const Node& n = nodes_[index(id)];
        return n.op == Op::call ? static_cast<int>(calls_[n.a].operands.size()) : expr::arity(n.op);
    }
    struct Call {
        std::shared_ptr<const Routine> routine;
        int output = 0;
        std::vector<NodeId> operands;
    };
    [[nodiscard]] const Call& call_of(NodeId id) const { return calls_[nodes_[index(id)].a]; }
    /// Operand k of an inner node.
    [[nodiscard]] NodeId operand(NodeId id, int k) const {
        const Node& n = nodes_[index(id)];
        if (n.op == Op::call) return calls_[n.a].operands[static_cast<std::size_t>(k)];
        return NodeId{k == 0 ? n.a : k == 1 ? n.b : n.c};
    }

    /// All nodes that the roots depend on, themselves included, ascending: operands before their users.
    [[nodiscard]] std::vector<NodeId> reachable(std::span<const NodeId> roots) const;

    /// der(value) as an author wrote it, and what became of it: the chain rule carried out.
    struct WrittenDerivative {
        NodeId value, slope;
    };
    /// Not of leaves, whose derivatives are leaves themselves. The order is that of writing.
    [[nodiscard]] std::span<const WrittenDerivative> written_derivatives() const { return written_; }
    void remember_derivative(NodeId value, NodeId slope) {
        if (!is_leaf(op(value)) && !is_leaf(op(slope))) written_.push_back({value, slope});
    }

    /// How much there is: only ever more.
    struct Extent {
        std::size_t nodes = 0, calls = 0, written = 0;
    };
    [[nodiscard]] Extent extent() const { return {nodes_.size(), calls_.size(), written_.size()}; }
    /// A copy of what there was at that time, with the same ids.
    [[nodiscard]] Graph first(const Extent& extent) const;
    /// Gives back what only building needs, half of a graph's memory, until something is built again.
    void rest();

private:
    [[nodiscard]] NodeId intern(const Node& node);
    [[nodiscard]] std::size_t slot_of(const Node& node, std::uint64_t hash) const;
    void make_table(std::size_t entries);

    std::vector<Node> nodes_;
    std::vector<Call> calls_;
    std::map<std::tuple<const Routine*, int, std::vector<NodeId>>, NodeId> call_ids_;
    /// Open addressing. Beside the node a part of its hash: others in the same line need not be looked at.
    struct Entry {
        std::uint32_t node = 0; ///< 0: empty, else id + 1
        std::uint32_t tag = 0;
    };
    std::vector<Entry> table_;
    std::vector<WrittenDerivative> written_;
};

} // namespace daedalus::expr
