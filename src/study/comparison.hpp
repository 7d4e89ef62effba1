// One model, solved in every formulation by every method at every tolerance, against a reference of its own.
#pragma once

#include "base/expected.hpp"
#include "daedalus/compare.hpp"
#include "simulation/compilations.hpp"
#include "study/motion_measures.hpp"

namespace daedalus::study {

[[nodiscard]] Expected<CompareResult> run_comparison(const simulation::Compilations& compilations,
                                                     const CompareOptions& options, EnergyFunction energy = {});

/// Fills `ranking`, `choice` and `why` from `runs` and `accuracy`.
void rank_by_cost(CompareResult& result);

} // namespace daedalus::study
