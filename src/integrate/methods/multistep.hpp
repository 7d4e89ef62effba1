// Linear multistep methods with constant steps,
//     Σ α_i x_{n-i} = h Σ β_i x'_{n-i} ,  i = 0 … k (0: the newest),
// inserted into F(t_n, x_n, x'_n) = 0: implicit ones give x'_n = (α_0 x_n + …) / (h β_0), explicit ones x_n of what is
// differential, and F = 0 the rest. One-leg methods are F(Σ β_i t_{n-i}, Σ β_i x_{n-i}, Σ α_i x_{n-i} / h) = 0.
//
// The form is that of W (2.7), in which constraints hold at every x_n; that of W (2.6) adds past residuals of
// constraints, which are zero.
//
// The first k points come from Radau IIA of nine stages with the same step, whose order exceeds that of any of these
// methods even in multipliers of index 3. A step of another size (before a stop) is made by it too, except by BDF,
// which is defined on any grid.
#pragma once

#include "integrate/stepper.hpp"
#include "integrate/tableau/multistep_coefficients.hpp"

namespace daedalus::integrate {

/// `method` lives as long as the stepper.
[[nodiscard]] std::unique_ptr<Stepper> make_multistep(const problem::ImplicitProblem& problem,
                                                      const IntegrationOptions& options,
                                                      const tableau::MultistepMethod& method);

/// k of a multistep stepper, 1 of any other.
[[nodiscard]] int steps_of(const Stepper& stepper);
/// A multistep stepper that begins with given points instead: `times` and the values there, the newest first, before
/// start() at a later time. For experiments with starting values.
void give_past(Stepper& multistep, std::span<const double> times, const std::vector<std::vector<double>>& x,
               const std::vector<std::vector<double>>& dx);

} // namespace daedalus::integrate
