#include "expr/loop.hpp"

#include "expr/differentiate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace daedalus::expr {

namespace {

constexpr std::size_t most_nodes = 200000; // derivatives of higher order grow without end; beyond, they are NaN
constexpr long most_rounds = 1000000;      // a loop that runs longer has no end that a simulation could wait for

int leaves_of(const LoopBody& b) { return b.inputs + static_cast<int>(b.update.size()); }

/// Tangents of expressions, given those of their leaves.
class Tangents {
public:
    Tangents(Graph& g, std::unordered_map<std::uint32_t, NodeId> of_leaves) : g_(g), known_(std::move(of_leaves)) {}
    NodeId operator()(NodeId expression) {
        const NodeId zero = g_.constant(0.0);
        for (const NodeId node : g_.reachable(std::span(&expression, 1))) {
            if (known_.contains(index(node))) continue;
            NodeId sum = zero;
            if (g_.op(node) == Op::select)
                sum = g_.select(g_.operand(node, 0), of(g_.operand(node, 1)), of(g_.operand(node, 2)));
            else
                for (int k = 0; k < g_.arity(node); ++k) {
                    const NodeId inner = of(g_.operand(node, k));
                    if (!g_.is_constant(inner, 0.0)) sum = g_.add(sum, chain(g_, node, k, inner));
                }
            known_[index(node)] = sum;
        }
        return of(expression);
    }

private:
    [[nodiscard]] NodeId of(NodeId node) const { return known_.at(index(node)); }
    Graph& g_;
    std::unordered_map<std::uint32_t, NodeId> known_;
};

/// The same in a graph that holds nothing else.
LoopBody without_rest(const LoopBody& b) {
    LoopBody result;
    result.inputs = b.inputs;
    result.name = b.name;
    std::unordered_map<std::uint32_t, NodeId> made;
    const auto copy = [&](NodeId root) {
        for (const NodeId node : b.graph.reachable(std::span(&root, 1))) {
            if (made.contains(index(node))) continue;
            const Op op = b.graph.op(node);
            std::vector<NodeId> operands;
            for (int k = 0; k < b.graph.arity(node); ++k) operands.push_back(made.at(index(b.graph.operand(node, k))));
            made[index(node)] = op == Op::constant   ? result.graph.constant(b.graph.constant_value(node))
                                : op == Op::variable ? result.graph.variable(b.graph.variable_id(node))
                                : op == Op::call     ? result.graph.call(b.graph.call_of(node).routine,
                                                                         b.graph.call_of(node).output, std::move(operands))
                                                     : result.graph.rebuild(op, operands);
        }
        return made.at(index(root));
    };
    result.condition = copy(b.condition);
    for (const NodeId node : b.initial) result.initial.push_back(copy(node));
    for (const NodeId node : b.update) result.update.push_back(copy(node));
    return result;
}

} // namespace

Loop::Loop(LoopBody body)
    : body_(std::move(body)), start_(body_.graph, leaves_of(body_), body_.initial, {}),
      step_(body_.graph, leaves_of(body_), std::span(&body_.condition, 1), body_.update) {}

void Loop::run(const double* in, double* out) const {
    const auto inputs = static_cast<std::size_t>(body_.inputs);
    const std::size_t n = body_.update.size();
    const Scratch memory(std::max(start_.size(), step_.size()));
    start_.prepare(memory.data());
    std::copy_n(in, inputs, memory.data());
    start_.run_first(memory.data());
    for (std::size_t i = 0; i < n; ++i) out[i] = start_.first(i, memory.data());
    step_.prepare_first(memory.data());
    std::copy_n(in, inputs, memory.data());
    for (long round = 0;; ++round) {
        std::copy_n(out, n, memory.data() + inputs);
        step_.run_first(memory.data());
        const double goes_on = step_.first(0, memory.data());
        if (!(goes_on != 0.0)) return;
        if (round == most_rounds || std::isnan(goes_on)) {
            std::fill_n(out, n, std::numeric_limits<double>::quiet_NaN());
            return;
        }
        if (round == 0) step_.prepare_second(memory.data());
        step_.run_second(memory.data());
        for (std::size_t i = 0; i < n; ++i) out[i] = step_.second(i, memory.data());
    }
}

Loop::Tangent Loop::make_tangent(int input) const {
    LoopBody b = body_;
    Graph& g = b.graph;
    const std::size_t n = b.update.size();
    const NodeId zero = g.constant(0.0);
    // Which variables have a tangent: those whose start has one, and whatever follows from these. Own variables get
    // the names behind all others; those that turn out to have none leave no trace.
    std::vector<NodeId> starts, moves(n, zero);
    {
        std::unordered_map<std::uint32_t, NodeId> leaves;
        for (int k = 0; k < b.inputs; ++k) leaves[index(g.variable(k))] = g.constant(k == input ? 1.0 : 0.0);
        Tangents tangent(g, std::move(leaves));
        for (const NodeId start : b.initial) starts.push_back(tangent(start));
    }
    std::vector<char> active(n, 0);
    for (std::size_t i = 0; i < n; ++i) active[i] = !g.is_constant(starts[i], 0.0);
    std::vector<int> output(n, -1);
    for (bool changed = true; changed;) {
        changed = false;
        int next = static_cast<int>(n);
        for (std::size_t i = 0; i < n; ++i) output[i] = active[i] ? next++ : -1;
        std::unordered_map<std::uint32_t, NodeId> leaves;
        for (int k = 0; k < b.inputs; ++k) leaves[index(g.variable(k))] = g.constant(k == input ? 1.0 : 0.0);
        for (std::size_t i = 0; i < n; ++i)
            leaves[index(b.own(i))] = active[i] ? g.variable(b.inputs + output[i]) : zero;
        Tangents tangent(g, std::move(leaves));
        for (std::size_t i = 0; i < n; ++i) {
            moves[i] = tangent(b.update[i]);
            if (!active[i] && !g.is_constant(moves[i], 0.0)) active[i] = changed = true;
        }
    }
    for (std::size_t i = 0; i < n; ++i)
        if (active[i]) {
            b.initial.push_back(starts[i]);
            b.update.push_back(moves[i]);
        }
    Tangent result;
    result.output = std::move(output);
    if (b.update.size() > n) result.loop = std::make_shared<const Loop>(without_rest(b));
    return result;
}

const Loop::Tangent& Loop::tangent(int input) const {
    const std::lock_guard lock(mutex_);
    const auto known = tangents_.find(input);
    return known != tangents_.end() ? known->second : tangents_.emplace(input, make_tangent(input)).first->second;
}

NodeId Loop::partial(Graph& graph, NodeId self, int k) const {
    if (body_.graph.size() > most_nodes) return graph.constant(std::numeric_limits<double>::quiet_NaN());
    const Graph::Call call = graph.call_of(self);
    const Tangent& of = tangent(k);
    const int output = of.output[static_cast<std::size_t>(call.output)];
    return output < 0 ? no_node : graph.call(of.loop, output, call.operands);
}

std::string Loop::text() const { return "while" + start_.text() + step_.text(); }

} // namespace daedalus::expr
