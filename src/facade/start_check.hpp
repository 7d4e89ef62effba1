// Is the system Jacobian regular at the consistent start? Where it is not, the structural results do not hold there:
// the index may be higher, or the solution may not be unique. Said in the model's words, with the combination of
// equations that loses the leading derivatives.
#pragma once

#include "compile/compile.hpp"

namespace daedalus::facade {

/// Warnings; empty where all is well.
[[nodiscard]] Diagnostics check_start(const compile::CompiledModel& compiled, double t, const std::vector<double>& u);

} // namespace daedalus::facade
