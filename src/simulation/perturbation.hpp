// The experiments behind the perturbation index: every equation perturbed by a slow part and ε sin(ωt + φ), and solved.
#pragma once

#include "analysis/perturbation_index.hpp"
#include "simulation/sampled_solution.hpp"

namespace daedalus::simulation {

/// `size`: per equation, what its terms amount to.
[[nodiscard]] analysis::PerturbationIndex measure_perturbation_index(const std::shared_ptr<const model::Model>& model,
                                                                     const compile::CompileOptions& how,
                                                                     const integrate::StartOptions& start,
                                                                     double length, const std::vector<double>& size);

} // namespace daedalus::simulation
