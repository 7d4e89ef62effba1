// Which relations, kinks and integer parts make events, and which of their instants are known before.
#include "compile/compilation.hpp"
#include "compile/discrete_part.hpp"
#include "expr/delayed.hpp"
#include "expr/functions/function.hpp"

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

/// What expressions depend on: every node of the graph is looked at once, however many are asked for.
class Dependences {
public:
    explicit Dependences(const Compilation& c) : c_(c), g_(c.system.graph()) {}

    [[nodiscard]] Dependence operator()(NodeId e) {
        while (flags_.size() <= expr::index(e)) { // operands before their users
            const NodeId node{static_cast<std::uint32_t>(flags_.size())};
            char flags = own(node);
            for (int k = 0; k < g_.arity(node); ++k)
                flags = static_cast<char>(flags | flags_[expr::index(g_.operand(node, k))]);
            flags_.push_back(flags);
        }
        const char flags = flags_[expr::index(e)];
        return {(flags & variables) != 0, (flags & time) != 0, (flags & held) != 0};
    }

private:
    enum : char { variables = 1, time = 2, held = 4 };

    [[nodiscard]] char own(NodeId node) const {
        const Op op = g_.op(node);
        if (op == Op::variable) return variables;
        if (op == Op::time) return time;
        // When what was in the past, or a function of the caller's, passes zero is found on the way, as for unknowns.
        if (expr::delayed(g_, node) != nullptr) return variables;
        if (op != Op::parameter) return 0;
        for (const model::Signal& signal : c_.model->signals)
            if (signal.is_function() && signal.owns(g_.parameter_id(node))) return variables | held;
        return changes_at_events(c_, node) ? held : 0;
    }

    const Compilation& c_;
    const expr::Graph& g_;
    std::vector<char> flags_; ///< by node
};

bool makes_events(Op op) { return op == Op::lt || op == Op::le || op == Op::gt || op == Op::ge; }

/// Of the nodes, which change at events only: made of relations that make events, integer parts and held values. What
/// compares such values makes no event of its own, and has no zero to be found: it follows from theirs at once.
std::vector<char> piecewise_constant(const Compilation& c, const expr::Graph& g, const std::vector<NodeId>& nodes) {
    std::vector<char> constant(nodes.size(), 0);
    for (std::size_t i = 0; i < nodes.size(); ++i) { // operands before their users
        const Op op = g.op(nodes[i]);
        if (op == Op::parameter)
            constant[i] = std::none_of(c.model->signals.begin(), c.model->signals.end(),
                                       [&](const model::Signal& s) { return s.owns(g.parameter_id(nodes[i])); });
        else
            constant[i] = op != Op::variable && op != Op::time;
        if (makes_events(op) || op == Op::floor) continue;
        for (int k = 0; k < g.arity(nodes[i]) && constant[i] != 0; ++k)
            constant[i] = constant[static_cast<std::size_t>(
                std::lower_bound(nodes.begin(), nodes.end(), g.operand(nodes[i], k)) - nodes.begin())];
    }
    return constant;
}

/// Nodes inside functions that are not defined everywhere. An abs, min or max there keeps the argument in the domain
/// (√|x|, log(max(x, ε)), 1/max(x, ε)): a branch that holds throughout a step would leave it where the step passes the
/// kink. They stay as they are and make no events.
std::vector<char> domain_guards(const expr::Graph& g, const std::vector<NodeId>& nodes) {
    enum : char { none, divisor, argument };
    std::vector<char> guards(nodes.size(), none);
    const auto mark = [&](NodeId operand, char as) {
        char& now =
            guards[static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), operand) - nodes.begin())];
        now = std::max(now, as);
    };
    for (std::size_t i = nodes.size(); i-- > 0;) { // users before their operands
        const NodeId node = nodes[i];
        const Op op = g.op(node);
        const bool kink = op == Op::abs || op == Op::min || op == Op::max;
        const bool product = kink || op == Op::mul || op == Op::neg;
        const bool power = op == Op::pow &&
                           !(g.is_constant(g.operand(node, 1)) &&
                             g.constant_value(g.operand(node, 1)) == std::floor(g.constant_value(g.operand(node, 1))));
        if (power || (expr::is_function(op) && expr::function(op).bounded_domain))
            mark(g.operand(node, 0), argument);
        else if (op == Op::div)
            mark(g.operand(node, 1), divisor);
        if (guards[i] == none || !(product || (guards[i] == argument && (op == Op::add || op == Op::sub)))) continue;
        for (int k = 0; k < g.arity(node); ++k) mark(g.operand(node, k), guards[i]);
    }
    return guards;
}

/// Nodes of the expressions that are not only compared: what stands below relations alone decides at their zeros, and
/// its kinks make nothing that is integrated less smooth (abs(x) < 1, where x may be zero up to rounding all the time).
std::unordered_set<std::uint32_t> outside_of_relations(const expr::Graph& g, const std::vector<NodeId>& expressions) {
    std::unordered_set<std::uint32_t> seen;
    std::vector<NodeId> work = expressions;
    while (!work.empty()) {
        const NodeId node = work.back();
        work.pop_back();
        if (!seen.insert(expr::index(node)).second || makes_events(g.op(node))) continue;
        for (int k = 0; k < g.arity(node); ++k) work.push_back(g.operand(node, k));
    }
    return seen;
}

/// What is below the expressions, without what is below relations of time alone: those are looked at as a whole.
void find(const Compilation& c, expr::Graph& g, Dependences& dependence, const std::vector<NodeId>& expressions,
          std::vector<NodeId>& relations, std::vector<Kink>& kinks, std::vector<NodeId>& integers) {
    const std::vector<NodeId> nodes = g.reachable(expressions);
    const std::vector<char> guards = domain_guards(g, nodes);
    const std::vector<char> discrete = piecewise_constant(c, g, nodes);
    const auto flag = [&](const std::vector<char>& flags, NodeId node) {
        return flags[static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin())] != 0;
    };
    const auto guards_domain = [&](NodeId node) { return flag(guards, node); };
    /// All of its operands change at events only: those of the graph above, since kinks add relations.
    const auto follows_events = [&](NodeId node) {
        for (int k = 0; k < expr::arity(g.op(node)); ++k)
            if (!flag(discrete, g.operand(node, k))) return false;
        return true;
    };
    const std::unordered_set<std::uint32_t> integrated = outside_of_relations(g, expressions);
    std::unordered_set<std::uint32_t> seen;
    std::vector<NodeId> work = expressions;
    for (std::size_t next = 0; next < work.size(); ++next) {
        const NodeId node = work[next];
        if (!seen.insert(expr::index(node)).second) continue;
        const Op op = g.op(node);
        const bool compares = makes_events(op), kink = op == Op::abs || op == Op::min || op == Op::max;
        const bool follows = (compares || kink) && follows_events(node);
        if (compares && !follows) {
            relations.push_back(node);
            const Dependence of = dependence(node);
            if (!of.on_variables) continue;
        }
        if (op == Op::floor && !follows_events(node)) integers.push_back(node);
        if (kink && !follows && !guards_domain(node) && integrated.contains(expr::index(node))) {
            kinks.push_back({node, kink_relation(g, node)});
            // The relation may be written elsewhere as well; its operands are this node's.
            if (seen.insert(expr::index(kinks.back().relation)).second) relations.push_back(kinks.back().relation);
            if (!dependence(node).on_variables) continue;
        }
        for (int k = 0; k < g.arity(node); ++k) work.push_back(g.operand(node, k));
    }
    std::sort(relations.begin(), relations.end()); // operands before their users
    std::sort(integers.begin(), integers.end());
}

} // namespace

NodeId kink_relation(expr::Graph& g, NodeId node) {
    const Op op = g.op(node);
    if (op == Op::abs) return g.binary(Op::lt, g.operand(node, 0), g.constant(0.0));
    return g.binary(op == Op::min ? Op::lt : Op::gt, g.operand(node, 1), g.operand(node, 0));
}

Events collect_events(Compilation& c, const std::vector<NodeId>& expressions) {
    expr::Graph& g = c.system.graph();
    Events events;
    std::vector<NodeId> relations, integers;
    Dependences dependence(c);
    find(c, g, dependence, expressions, relations, c.kinks, integers);
    c.first_hold = c.parameters.size();
    std::vector<char> held(c.parameters.size(), 0);
    for (std::size_t p = 0; p < c.model->parameters.size(); ++p) held[p] = c.model->parameters[p].is_held ? 1 : 0;
    // Variables that never vary have their values when the start is known, and only then.
    for (std::size_t p = c.model->parameters.size(); p < held.size(); ++p) held[p] = 1;
    const auto add = [&](NodeId relation, NodeId shown, const Dependence& of) {
        const NodeId difference = g.sub(g.operand(relation, 0), g.operand(relation, 1));
        if (!of.on_variables) {
            TimeFunction function(g, difference, held);
            (function.fixed() ? c.discrete.fixed_functions : c.discrete.time_functions).push_back(std::move(function));
        }
        c.root_relations.push_back(relation);
        c.root_shown.push_back(shown);
        events.roots.push_back(difference);
        events.known_instant.push_back(of.on_variables ? 0 : 1);
    };
    for (const NodeId relation : relations) {
        const Dependence of = dependence(relation);
        if (of.on_variables || of.on_time) add(relation, relation, of);
    }
    for (const NodeId node : integers) {
        const NodeId e = g.operand(node, 0);
        const Dependence of = dependence(e);
        if (!of.on_variables && !of.on_time) continue;
        IntegerPart part{node, e, static_cast<int>(c.parameters.size()), 0, 0, !of.on_variables};
        c.parameters.push_back(0.0); // until the start is known
        held.push_back(1);
        const NodeId n = g.parameter(part.parameter), one = g.constant(1.0);
        // Just behind the instant of a change e may still be on the other side by round-off: that is no way back.
        constexpr double roundings = 64 * std::numeric_limits<double>::epsilon();
        const double doubt = part.of_time ? roundings : 1e-9;
        const NodeId size = g.binary(Op::max, one, g.unary(Op::abs, n));
        const NodeId low = g.sub(n, g.mul(g.constant(doubt), size));
        // A sum that jumps to n + 1 at an event is found to some roundings; instants are exact.
        const NodeId next = part.of_time ? g.add(n, one) : g.sub(g.add(n, one), g.mul(g.constant(roundings), size));
        part.above = c.root_relations.size();
        add(g.binary(Op::ge, e, next), node, of);
        part.below = c.root_relations.size();
        add(g.binary(Op::lt, e, low), node, of);
        c.discrete.integers.push_back(part);
    }
    const auto add_reader = [&](PastReader reader, const Dependence& of, bool goes_back) {
        reader.ahead = c.root_relations.size();
        // What lies nowhere is far from any place, and root functions are judged by how large they have been: of what
        // is transported, where the ends are 1 apart, their sizes are bounded.
        const auto from = [&](Op side, int place) {
            if (reader.past.kind == Past::Kind::delayed) return g.binary(side, reader.argument, g.parameter(place));
            const NodeId distance = g.sub(reader.argument, g.parameter(place));
            return g.binary(side, g.unary(Op::atan, distance), g.constant(0.0));
        };
        const NodeId shown = from(Op::ge, reader.next);
        add(shown, shown, of);
        if (goes_back) {
            reader.back = c.root_relations.size();
            const NodeId behind = from(Op::lt, reader.begins);
            add(behind, behind, of);
        }
        c.discrete.readers.push_back(reader);
    };
    for (std::size_t k = 0; k < c.model->delays.size(); ++k) {
        const model::Delay& delay = c.model->delays[k];
        const NodeId argument = in_remaining_variables(c, delay.argument);
        const Dependence of = dependence(argument);
        const bool varies = of.on_variables || delay.longest != expr::no_node;
        add_reader({{Past::Kind::delayed, k}, argument, delay.stretch, delay.next, delay.begins}, of, varies);
    }
    for (std::size_t k = 0; k < c.model->transports.size(); ++k) {
        const model::Transport& transport = c.model->transports[k];
        for (const model::TransportReader* r : {&transport.left, &transport.right}) {
            const NodeId place = in_remaining_variables(c, r->place);
            add_reader({{Past::Kind::transported, k}, place, r->stretch, r->next, r->begins}, dependence(place), true);
        }
    }
    return events;
}

} // namespace daedalus::compile
