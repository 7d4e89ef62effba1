// Radau IIA with S stages, order 2S-1, on F(t, x, x') = 0 (HW IV.5, IV.8; RADAU5).
#pragma once

#include "integrate/stepper.hpp"

#include <memory>

namespace daedalus::integrate {

/// stages = 1, 3, 5 or 7.
[[nodiscard]] std::unique_ptr<Stepper> make_radau(const problem::ImplicitProblem& problem,
                                                  const IntegrationOptions& options, int stages);

} // namespace daedalus::integrate
