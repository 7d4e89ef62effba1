// Expressions that are given apart from a model, in its names: stop conditions and integrals of the command line.
#pragma once

#include "base/expected.hpp"
#include "model/model.hpp"

#include <string>

namespace daedalus::modelica {

enum class ExpressionKind { number, condition };

/// A node of the model's graph.
[[nodiscard]] Expected<expr::NodeId> read_expression(const model::Model& model, const std::string& text,
                                                     ExpressionKind kind);

} // namespace daedalus::modelica
