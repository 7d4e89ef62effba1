#include "expr/function_with_derivative.hpp"

#include "expr/differentiate.hpp"
#include "expr/substitute.hpp"

#include <algorithm>

namespace daedalus::expr {

void FunctionWithDerivative::run(const double* in, double* out) const {
    const Scratch memory(line_.size());
    line_.prepare(memory.data());
    std::copy_n(in, static_cast<std::size_t>(parts_.inputs), memory.data());
    line_.run_first(memory.data());
    for (std::size_t k = 0; k < parts_.values.size(); ++k) out[k] = line_.first(k, memory.data());
}

NodeId FunctionWithDerivative::partial(Graph& graph, NodeId self, int k) const {
    const Graph::Call call = graph.call_of(self);
    const auto value = static_cast<std::size_t>(call.output);
    const std::lock_guard lock(mutex_);
    NodeId slope = no_node;
    if (k < parts_.mentioned)
        slope = expr::partial(parts_.graph, parts_.values[value], parts_.graph.variable(k));
    else if (const auto written = parts_.slopes.find(k); written != parts_.slopes.end())
        slope = written->second[value];
    if (slope == no_node) return no_node;
    return transplant(graph, parts_.graph, slope, [&](NodeId leaf) {
        return call.operands[static_cast<std::size_t>(parts_.graph.variable_id(leaf))];
    });
}

} // namespace daedalus::expr
