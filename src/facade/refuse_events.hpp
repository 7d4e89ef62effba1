// Models that are derived from models have no place for events, and leaving them out would be another model.
#pragma once

#include "base/diagnostic.hpp"
#include "model/model.hpp"

#include <optional>

namespace daedalus::facade {

/// `what` cannot be derived from a model with events: the complaint, with the place of the first clause.
[[nodiscard]] std::optional<Diagnostic> refuse_events(const model::Model& m, const char* what);

} // namespace daedalus::facade
