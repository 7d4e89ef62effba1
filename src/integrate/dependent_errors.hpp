// Errors of variables that F has only as expressions in its unknowns, y = f(t, x): δy = ∂f/∂x δx with the method's
// estimate δx. A step is judged by the mean over all variables, with what the user tolerates as the measure of δy.
#pragma once

#include "integrate/options.hpp"
#include "integrate/participant.hpp"

#include <vector>

namespace daedalus::integrate {

class DependentErrors final : public Participant {
public:
    DependentErrors(const problem::ImplicitProblem& problem, const Tolerance& tolerance);
    [[nodiscard]] std::string_view name() const override { return "dependent errors"; }
    [[nodiscard]] Verdict judge(Run& run, const Attempt& attempt, double h, double t_new) override;
    /// An attempt of size h, to t_new, that the method finds acceptable, with these errors in mind.
    [[nodiscard]] Attempt judged(Stepper& stepper, const Attempt& attempt, double h, double t_new);

private:
    const problem::ImplicitProblem& problem_;
    double relative_, absolute_;
    std::vector<double> values_; ///< y, then ∂f/∂x
    std::vector<double> error_, noise_, x_;
};

} // namespace daedalus::integrate
