// Which relations and integer parts make events, and which of their instants are known before.
#include "compile/compilation.hpp"
#include "compile/discrete_part.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

namespace daedalus::compile {

using expr::NodeId;
using expr::Op;

namespace {

struct Dependence {
    bool on_variables = false, on_time = false, on_held = false;
};

Dependence dependence(const Compilation& c, const expr::Graph& g, NodeId e) {
    Dependence result;
    const NodeId below[] = {e};
    for (const NodeId node : g.reachable(below)) {
        result.on_variables = result.on_variables || g.op(node) == Op::variable;
        result.on_time = result.on_time || g.op(node) == Op::time;
        result.on_held = result.on_held || (g.op(node) == Op::parameter && changes_at_events(c, node));
    }
    return result;
}

bool makes_events(Op op) { return op == Op::lt || op == Op::le || op == Op::gt || op == Op::ge; }

/// What is below the expressions, without what is below relations of time alone: those are looked at as a whole.
void find(const Compilation& c, const expr::Graph& g, const std::vector<NodeId>& expressions,
          std::vector<NodeId>& relations, std::vector<NodeId>& integers) {
    std::unordered_set<std::uint32_t> seen;
    std::vector<NodeId> work = expressions;
    for (std::size_t next = 0; next < work.size(); ++next) {
        const NodeId node = work[next];
        if (!seen.insert(expr::index(node)).second) continue;
        const Op op = g.op(node);
        if (makes_events(op)) {
            relations.push_back(node);
            const Dependence of = dependence(c, g, node);
            if (!of.on_variables) continue;
        }
        if (op == Op::floor) integers.push_back(node);
        for (int k = 0; k < expr::arity(op); ++k) work.push_back(g.operand(node, k));
    }
    std::sort(relations.begin(), relations.end()); // operands before their users
    std::sort(integers.begin(), integers.end());
}

} // namespace

Events collect_events(Compilation& c, const std::vector<NodeId>& expressions) {
    expr::Graph& g = c.system.graph();
    Events events;
    std::vector<NodeId> relations, integers;
    find(c, g, expressions, relations, integers);
    c.first_hold = c.parameters.size();
    std::vector<char> held(c.parameters.size(), 0);
    for (std::size_t p = 0; p < c.model->parameters.size(); ++p) held[p] = c.model->parameters[p].is_held ? 1 : 0;
    const auto add = [&](NodeId relation, NodeId shown, const Dependence& of) {
        const NodeId difference = g.sub(g.operand(relation, 0), g.operand(relation, 1));
        if (!of.on_variables) {
            TimeFunction function(g, difference, held);
            if (function.fixed()) {
                if (const double at = function.zero(c.parameters); std::isfinite(at)) events.instants.push_back(at);
            } else {
                c.discrete.time_functions.push_back(std::move(function));
            }
        }
        c.root_relations.push_back(relation);
        c.root_shown.push_back(shown);
        events.roots.push_back(difference);
        events.known_instant.push_back(of.on_variables ? 0 : 1);
    };
    for (const NodeId relation : relations) {
        const Dependence of = dependence(c, g, relation);
        if (of.on_variables || of.on_time) add(relation, relation, of);
    }
    for (const NodeId node : integers) {
        const NodeId e = g.operand(node, 0);
        const Dependence of = dependence(c, g, e);
        if (!of.on_variables && !of.on_time) continue;
        IntegerPart part{node, e, static_cast<int>(c.parameters.size()), 0, 0, !of.on_variables};
        c.parameters.push_back(0.0); // until the start is known
        held.push_back(1);
        const NodeId n = g.parameter(part.parameter), one = g.constant(1.0);
        // Just behind the instant of a change e may still be on the other side by round-off: that is no way back.
        const double doubt = part.of_time ? 64 * std::numeric_limits<double>::epsilon() : 1e-9;
        const NodeId low = g.sub(n, g.mul(g.constant(doubt), g.binary(Op::max, one, g.unary(Op::abs, n))));
        part.above = c.root_relations.size();
        add(g.binary(Op::ge, e, g.add(n, one)), node, of);
        part.below = c.root_relations.size();
        add(g.binary(Op::lt, e, low), node, of);
        c.discrete.integers.push_back(part);
    }
    std::sort(events.instants.begin(), events.instants.end());
    events.instants.erase(std::unique(events.instants.begin(), events.instants.end()), events.instants.end());
    return events;
}

} // namespace daedalus::compile
