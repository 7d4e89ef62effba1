// Inputs and what is known of them: an input without values, and derivatives that nobody gave.
#pragma once

#include "base/diagnostic.hpp"
#include "model/model.hpp"

#include <optional>

namespace daedalus::compile {

struct Compilation;

/// An input that no signal gives a value.
[[nodiscard]] std::optional<Diagnostic> check_inputs(const model::Model& model);

/// A signal that the equations, as they were differentiated, ask for a derivative that it does not have.
[[nodiscard]] std::optional<Diagnostic> missing_derivative(const Compilation& c);

} // namespace daedalus::compile
