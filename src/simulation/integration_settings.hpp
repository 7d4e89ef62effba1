// From the user's options to the integrator's: tolerances, steps, linear solver, and the method.
#pragma once

#include "daedalus/options.hpp"
#include "integrate/methods/automatic.hpp"
#include "integrate/options.hpp"
#include "simulation/run.hpp"

#include <string>

namespace daedalus::simulation {

[[nodiscard]] inline bool is_automatic(const std::string& method) { return method.empty() || method == "auto"; }

/// Fails where a name, value or tolerance cannot be used.
[[nodiscard]] Expected<integrate::IntegrationOptions> integration_options(const Job& job, const SolveOptions& options);

/// The method of this name, or the one that suits the job; refused where theory has no order for its index.
[[nodiscard]] Expected<integrate::MethodChoice> choose_method(const std::string& name, const Job& job,
                                                              const integrate::IntegrationOptions& settings);

} // namespace daedalus::simulation
