// Do several solutions leave the start?
//
// Where the coefficient of a derivative vanishes at the start, as in  t x' = 2 x , or where a right side has no finite
// derivative there, as in  x' = 2 √x  from x = 0, start values need not determine the solution: both have c t² and 0.
// Perturbations δ of the solution obey  M δ' + J δ = 0 ,  J = ∂F/∂x, M = ∂F/∂x'; whether some of them grow from nothing
// is told by their exponents (analysis/singular_exponents.hpp). Where all real parts are negative, the start is a point
// that one bounded solution comes from.
//
// The equations are looked at for three distances τ, at consistent points beside τ x'(0) that are moved by a multiple
// of τ⁴: the solution that stays where it began may be the one at which nothing can be told.
#pragma once

#include "compile/compile.hpp"
#include "integrate/consistent_start.hpp"

#include <optional>

namespace daedalus::simulation {

/// An error that names the equation, or nothing: the equations are regular at the start, or one solution leaves it, or
/// it cannot be told. `singular`: what check_start found there.
[[nodiscard]] std::optional<Diagnostic> several_solutions(const compile::CompiledModel& compiled, double t0, double t1,
                                                          const std::vector<double>& u, const Diagnostics& singular,
                                                          const integrate::StartOptions& options);

} // namespace daedalus::simulation
