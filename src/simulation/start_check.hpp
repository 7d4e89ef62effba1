// Is the system Jacobian regular at a point? Where it is not, the structural results do not hold there: the index may
// be higher, or the solution may not be unique or may end. Said in the model's words: the combination of equations that
// loses the leading derivatives (left null vector), and the leading derivatives that are left undetermined (right null
// vector).
#pragma once

#include "compile/compile.hpp"

namespace daedalus::simulation {

/// At the consistent start u: warnings; empty where all is well. `level`: singular values that count as zero, relative
/// to equilibrated rows and columns and per equation of a block; by default round-off of a few operations.
[[nodiscard]] Diagnostics check_start(const compile::CompiledModel& compiled, double t, const std::vector<double>& u,
                                      double level = 1e-12);

/// Per block that check_start would warn of: the equations of the model whose combination loses leading derivatives.
[[nodiscard]] std::vector<std::vector<int>> dependent_equations(const compile::CompiledModel& compiled, double t,
                                                                const std::vector<double>& u, double level);

/// At the last point (t, x, x') of a run that stopped, which lies next to the singular point, not at it: blocks whose
/// smallest singular value fell below `level` times what it was at the start u0. Notes, for the message about the stop.
[[nodiscard]] Diagnostics check_end(const compile::CompiledModel& compiled, double t0, const std::vector<double>& u0,
                                    double t, const std::vector<double>& x, const std::vector<double>& dx,
                                    double level);

} // namespace daedalus::simulation
