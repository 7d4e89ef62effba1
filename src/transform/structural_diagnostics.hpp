// Sentences about a structurally singular system: which equations say too much, which variables lack one.
#pragma once

#include "base/diagnostic.hpp"
#include "structure/diagnosis.hpp"
#include "transform/structural_repair.hpp"

namespace daedalus::transform {

/// At least one error if the system is not structurally regular.
[[nodiscard]] Diagnostics explain(const System& system, const structure::StructuralDiagnosis& diagnosis);

/// Errors about equations whose combination contains no unknown any more: redundant, or contradicting each other.
/// Empty if there are none. `system` is the repaired one.
[[nodiscard]] Diagnostics explain(const System& system, const RepairOutcome& outcome);

} // namespace daedalus::transform
