// What options add to a model before it is compiled: stop conditions and running integrals.
#pragma once

#include "base/expected.hpp"
#include "daedalus/options.hpp"
#include "model/model.hpp"

#include <memory>

namespace daedalus::simulation {

/// A private copy with what is added.
[[nodiscard]] Expected<std::shared_ptr<model::Model>> extend_model(const model::Model& model,
                                                                   const SolveOptions& options);

} // namespace daedalus::simulation
