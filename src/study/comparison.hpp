// One model, solved in every formulation by every method at every tolerance, against a reference of its own.
#pragma once

#include "base/expected.hpp"
#include "daedalus/compare.hpp"
#include "simulation/compilations.hpp"

namespace daedalus::study {

[[nodiscard]] Expected<CompareResult> run_comparison(const simulation::Compilations& compilations,
                                                     const CompareOptions& options);

/// Fills `ranking`, `choice` and `why` from `runs` and `accuracy`.
void rank_by_cost(CompareResult& result);

} // namespace daedalus::study
