// Whether the instants of sample(start, interval) can be told apart, and come to an end.
#pragma once

#include "base/diagnostic.hpp"
#include "model/model.hpp"

#include <optional>
#include <span>

namespace daedalus::compile {

/// An interval that is not positive, or a start or interval that is not finite; none: all can be used.
[[nodiscard]] std::optional<Diagnostic> check_samples(const model::Model& model, std::span<const double> parameters);
/// Instants between t0 and t1 that are too many to be reached or too close to be told apart.
[[nodiscard]] std::optional<Diagnostic> check_sample_count(const model::Model& model,
                                                           std::span<const double> parameters, double t0, double t1);

} // namespace daedalus::compile
