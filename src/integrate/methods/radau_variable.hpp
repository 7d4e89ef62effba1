// Radau IIA of variable order 5, 9, 13, 17 (Hairer & Wanner 1999).
#pragma once

#include "integrate/stepper.hpp"

namespace daedalus::integrate {

[[nodiscard]] std::unique_ptr<Stepper> make_variable_radau(const problem::ImplicitProblem& problem,
                                                           const IntegrationOptions& options);

} // namespace daedalus::integrate
