// Initial values of a model whose compilations are kept.
#pragma once

#include "daedalus/initial_values.hpp"
#include "simulation/compilations.hpp"

namespace daedalus::facade {

[[nodiscard]] Expected<InitialValues> initialize(const simulation::Compilations& compilations,
                                                 const SolveOptions& options);

} // namespace daedalus::facade
