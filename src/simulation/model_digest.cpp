#include "simulation/model_digest.hpp"

#include "expr/routine.hpp"
#include "simulation/bytes.hpp"

namespace daedalus::simulation {

namespace {

/// Every node has the number of what it says, whatever place it has in the graph: its operation, its leaf, and the
/// numbers of its operands.
std::vector<std::uint64_t> node_numbers(const expr::Graph& g) {
    std::vector<std::uint64_t> number(g.size());
    for (std::uint32_t i = 0; i < g.size(); ++i) {
        const expr::NodeId id{i};
        const expr::Node& node = g.node(id);
        const int operands = g.arity(id);
        ByteWriter text;
        text(static_cast<std::uint32_t>(node.op));
        if (node.op == expr::Op::call)
            text(g.call_of(id).routine->text(), static_cast<std::uint32_t>(g.call_of(id).output));
        else if (operands == 0)
            text(node.a, node.b);
        if (operands > 0)
            for (int k = 0; k < operands; ++k) text(number[expr::index(g.operand(id, k))]);
        number[i] = fingerprint(text.bytes());
    }
    return number;
}

} // namespace

std::uint64_t model_digest(const model::Model& m, std::span<const double> parameters) {
    const std::vector<std::uint64_t> numbers = node_numbers(*m.graph);
    ByteWriter all;
    const auto say = [&](expr::NodeId n) { all(n == expr::no_node ? std::uint64_t{0} : numbers[expr::index(n)]); };
    all(m.name);
    for (const model::Variable& v : m.variables) {
        all(v.name, v.fixed, v.is_parameter, static_cast<std::int32_t>(v.state_select));
        for (const expr::NodeId n : {v.start, v.nominal, v.min, v.max}) say(n);
    }
    for (const model::Parameter& p : m.parameters) {
        all(p.name, p.is_held);
        say(p.binding);
    }
    all(std::vector<double>(parameters.begin(), parameters.end()));
    for (const auto* list : {&m.equations, &m.initial_equations}) {
        all(list->size());
        for (const model::Equation& e : *list) {
            say(e.left);
            say(e.right);
        }
    }
    for (const model::DiscreteVariable& v : m.discrete) {
        all(v.name);
        say(v.value);
    }
    for (const model::When& clause : m.clauses) {
        all(clause.branches.size());
        for (const model::WhenBranch& b : clause.branches) {
            all(b.conditions.size(), b.settings.size(), b.reinits.size(), b.assertions.size(), b.terminates,
                b.also_at_start, b.message);
            for (const expr::NodeId n : b.conditions) say(n);
            for (const auto& s : b.settings) {
                all(s.parameter);
                say(s.value);
            }
            for (const auto& r : b.reinits) {
                say(r.variable);
                say(r.value);
            }
            for (const auto& a : b.assertions) {
                say(a.holds);
                all(a.message);
            }
        }
    }
    for (const model::Memory& memory : m.memories) {
        all(memory.parameter);
        say(memory.value);
        all(memory.left_limit ? 1 : 0);
    }
    for (const model::Delay& delay : m.delays) {
        say(delay.value);
        say(delay.duration);
        if (delay.longest != expr::no_node) say(delay.longest);
        all(delay.stretch, delay.next, delay.begins);
    }
    for (const model::Transport& transport : m.transports) {
        for (const expr::NodeId e : {transport.in0, transport.in1, transport.position, transport.forward}) say(e);
        for (const auto* list : {&transport.points, &transport.values})
            for (const expr::NodeId e : *list) say(e);
        for (const model::TransportReader* r : {&transport.left, &transport.right}) {
            say(r->place);
            all(r->stretch, r->next, r->begins);
        }
    }
    for (const model::Sample& sample : m.samples) {
        all(sample.parameter);
        say(sample.start);
        say(sample.interval);
    }
    all(m.terminal_flag, m.initial_flag);
    return fingerprint(all.bytes());
}

} // namespace daedalus::simulation
