// Steps must not outrun what grows. A mode that grows as e^{λt} turns the sign of J + σM, σ of the order 1/h, in its
// direction where λ passes σ (J = ∂F/∂x, M = ∂F/∂x'): such steps lead to the other side of a pole, and where a solution
// ends or grows without bound, estimates of errors may be small there. The determinant tells that there is such a mode;
// its sign for short steps changes only where the problem itself is singular. The slope tells whether the solution has
// to do with it: (J + σM)⁻¹ σM x' is near x' for what the step resolves and turns round what it outruns.
#pragma once

#include "integrate/iteration_matrix.hpp"
#include "integrate/options.hpp"

#include <vector>

namespace daedalus::integrate {

class GrowthGuard {
public:
    GrowthGuard(const problem::ImplicitProblem& problem, const StepWatches& watches)
        : applies_(watches.growth && problem.lists_varying()) {}
    /// Begins anew, with a short step.
    void reset() { sign_ = 0; }
    /// For the factors of J + shift M; weights: of x, in tolerances.
    [[nodiscard]] bool outruns(const JacobianValues& jacobian, ShiftedMatrix<double>& matrix, double shift,
                               const std::vector<double>& dx, std::span<const double> weights, Counters& counters);

private:
    [[nodiscard]] bool turns_round(const JacobianValues& jacobian, ShiftedMatrix<double>& matrix, double shift,
                                   const std::vector<double>& dx, std::span<const double> weights, Counters& counters);

    bool applies_; ///< rows of black boxes may turn from point to point, as those of derivative arrays do
    int sign_ = 0; ///< of the first determinant; 0: not known
    std::vector<double> response_;
};

} // namespace daedalus::integrate
