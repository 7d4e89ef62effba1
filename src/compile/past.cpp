#include "compile/past.hpp"

namespace daedalus::compile {

using expr::NodeId;

namespace {

std::optional<Location> place(SourceSpan span) { return span.known() ? std::optional(span.locate()) : std::nullopt; }

} // namespace

// What is delayed, by how much, and by how much at most.
problem::Delays build_delays(Compilation& c, const codegen::Segments& segments, const Frozen& frozen) {
    problem::Delays result;
    expr::Graph& g = c.system.graph();
    std::vector<NodeId> values, durations, longest;
    for (const model::Delay& delay : c.model->delays) {
        values.push_back(delay.value);
        durations.push_back(delay.duration);
        longest.push_back(delay.longest == expr::no_node ? g.constant(problem::never) : delay.longest);
        result.readers.push_back({static_cast<std::size_t>(delay.stretch), static_cast<std::size_t>(delay.next),
                                  static_cast<std::size_t>(delay.begins), delay.longest != expr::no_node,
                                  place(delay.span)});
    }
    result.history = static_cast<std::size_t>(c.model->history);
    values.insert(values.end(), durations.begin(), durations.end());
    values.insert(values.end(), longest.begin(), longest.end());
    c.kernels.delays =
        codegen::Kernel(g, segments, frozen(in_remaining_variables(c, std::move(values))), {.backend = c.backend});
    return result;
}

problem::Transports build_transports(Compilation& c, const codegen::Segments& segments, const Frozen& frozen) {
    problem::Transports result;
    std::vector<NodeId> values, starts;
    const std::size_t first_point = problem::Transports::per_transport * c.model->transports.size();
    for (const model::Transport& transport : c.model->transports) {
        values.insert(values.end(), {transport.in0, transport.in1, transport.position, transport.forward});
        const auto reader = [](const model::TransportReader& r) {
            return problem::Transports::Reader{static_cast<std::size_t>(r.stretch), static_cast<std::size_t>(r.next),
                                               static_cast<std::size_t>(r.begins)};
        };
        result.list.push_back({reader(transport.left), reader(transport.right), transport.points.size(),
                               first_point + starts.size(), place(transport.span)});
        starts.insert(starts.end(), transport.points.begin(), transport.points.end());
        starts.insert(starts.end(), transport.values.begin(), transport.values.end());
    }
    result.history = static_cast<std::size_t>(c.model->history);
    values.insert(values.end(), starts.begin(), starts.end());
    c.kernels.transports = codegen::Kernel(
        c.system.graph(), segments, frozen(in_remaining_variables(c, std::move(values))), {.backend = c.backend});
    return result;
}

} // namespace daedalus::compile
