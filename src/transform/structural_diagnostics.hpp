// Sentences about a structurally singular system: which equations say too much, which variables lack one.
#pragma once

#include "base/diagnostic.hpp"
#include "structure/diagnosis.hpp"
#include "transform/system.hpp"

namespace daedalus::transform {

/// At least one error if the system is not structurally regular.
[[nodiscard]] Diagnostics explain(const System& system, const structure::StructuralDiagnosis& diagnosis);

} // namespace daedalus::transform
