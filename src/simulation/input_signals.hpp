// Inputs that the caller gives, as signals of the model (model/signal.hpp): tables become piecewise polynomials.
#pragma once

#include "base/diagnostic.hpp"
#include "daedalus/input.hpp"
#include "model/model.hpp"

#include <optional>
#include <string>
#include <vector>

namespace daedalus::simulation {

/// Gives the model's inputs their equations. An error names the input, and the line of its table.
[[nodiscard]] std::optional<Diagnostic> add_signals(model::Model& model, const std::vector<Input>& inputs);

/// A table that does not reach from t0 to t1, and runs backward, in which tables are not followed.
[[nodiscard]] std::optional<Diagnostic> check_range(const std::vector<Input>& inputs, double t0, double t1);

/// Equal for inputs that are the same, and only for these.
[[nodiscard]] std::string text_key(const Input& input);

} // namespace daedalus::simulation
