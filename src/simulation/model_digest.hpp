// A number for all that a model says: equations, attributes, clauses, messages, and the values of its parameters. Two
// models with the same number are the same model, as far as a checkpoint is concerned.
#pragma once

#include "model/model.hpp"

#include <cstdint>
#include <span>

namespace daedalus::simulation {

[[nodiscard]] std::uint64_t model_digest(const model::Model& model, std::span<const double> parameters);

} // namespace daedalus::simulation
