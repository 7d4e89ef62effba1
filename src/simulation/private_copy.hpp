// A model for one compilation. Compiling makes new expressions in the model's graph, while many threads may solve and
// analyse one model at the same time: each works on a copy with a graph of its own. A graph is two flat arrays, and
// copying a million nodes takes some ten milliseconds, little beside compiling them.
#pragma once

#include "expr/graph.hpp"
#include "model/model.hpp"

#include <memory>

namespace daedalus::simulation {

[[nodiscard]] inline std::shared_ptr<model::Model> private_copy(const model::Model& model) {
    auto copy = std::make_shared<model::Model>(model);
    copy->graph = model.copy_of_graph();
    copy->as_read.reset();
    return copy;
}

/// With what a compilation has built.
[[nodiscard]] inline std::shared_ptr<model::Model> copy_as_compiled(const model::Model& model) {
    auto copy = std::make_shared<model::Model>(model);
    copy->graph = std::make_shared<expr::Graph>(*model.graph);
    copy->as_read.reset();
    return copy;
}

} // namespace daedalus::simulation
