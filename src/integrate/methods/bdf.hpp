// Backward differentiation formulas of order 1 to 5, or 6 if asked for, with variable step and order, in
// fixed-leading-coefficient form on F(t, x, x') = 0 (Brenan, Campbell & Petzold 1996, ch. 5; Jackson & Sacks-Davis
// 1980; DASSL).
#pragma once

#include "integrate/stepper.hpp"

#include <memory>
#include <span>

namespace daedalus::integrate {

/// A stepper that can begin from known values: times[0] is the present, times[1] before it, …; `values` holds one block
/// of n per time. The order is the number of times minus one.
class MultistepStepper : public Stepper {
public:
    virtual void start_with_history(std::span<const double> times, std::span<const double> values,
                                    std::span<const double> dx) = 0;
};

/// The method itself, which starts at order 1.
[[nodiscard]] std::unique_ptr<MultistepStepper> make_self_starting_bdf(const problem::ImplicitProblem& problem,
                                                                       const IntegrationOptions& options);
/// The method as it is offered: unknowns of index 3 and more get their first values from a one-step method, see
/// bdf_starter.hpp.
[[nodiscard]] std::unique_ptr<Stepper> make_bdf(const problem::ImplicitProblem& problem,
                                                const IntegrationOptions& options);

/// A BDF stepper that begins at full order from known values, see MultistepStepper.
[[nodiscard]] std::unique_ptr<Stepper>
make_bdf_with_history(const problem::ImplicitProblem& problem, const IntegrationOptions& options,
                      std::span<const double> times, std::span<const double> values, std::span<const double> dx);

} // namespace daedalus::integrate
