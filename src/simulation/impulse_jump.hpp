// Where a mode begins with values that its constraints do not allow, the model's own equations say how they jump:
// multipliers and currents become impulses, and what those cannot change is kept (charges of capacitors that a switch
// ties together, momenta of masses that stick to each other). That is the limit of an implicit Euler step
//     F(t, x⁺, (x⁺ - x⁻)/h) = 0 ,   h → 0 ,
// of the equations as written (for switched networks: Opal & Vlach 1990).
#pragma once

#include "compile/compile.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace daedalus::simulation {

/// The model's variables behind the jump; `as_written`: the mode compiled without any reduction. `before` gives the
/// value of a variable's k-th derivative, `length` the time that is left, with its sign. Nothing: the step has no
/// solution.
[[nodiscard]] std::optional<std::vector<double>>
impulse_jump(compile::CompiledModel& as_written, double t, double length,
             const std::function<double(int variable, int order)>& before);

} // namespace daedalus::simulation
