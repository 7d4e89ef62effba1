// Steps must not outrun what grows. A mode that grows as e^{λt} turns the sign of ∂F/∂x + σ ∂F/∂x', σ of the order 1/h,
// in its direction where λ passes σ: such steps lead to the other side of a pole, and where a solution ends or grows
// without bound, estimates of errors may be small there. The determinant tells; its sign for short steps changes only
// where the problem itself is singular.
#pragma once

#include "problem/implicit_problem.hpp"

namespace daedalus::integrate {

class GrowthGuard {
public:
    explicit GrowthGuard(const problem::ImplicitProblem& problem) : applies_(problem.lists_varying()) {}
    /// Begins anew, with a short step.
    void reset() { sign_ = against_ = 0; }
    /// For the matrix of a step; 0: not known.
    [[nodiscard]] bool outruns(long double determinant) {
        constexpr int convinced = 10; // steps in a row, shorter and shorter: it was the first that was too long
        if (!applies_ || determinant == 0.0L) return false;
        const int sign = determinant < 0.0L ? -1 : 1;
        if (sign_ == 0 || against_ == convinced) {
            sign_ = sign;
            against_ = 0;
        }
        against_ = sign == sign_ ? 0 : against_ + 1;
        return against_ > 0;
    }

private:
    bool applies_;    ///< rows of black boxes may turn from point to point, as those of derivative arrays do
    int sign_ = 0;    ///< of the first matrix; 0: not known
    int against_ = 0; ///< matrices in a row with the other one
};

} // namespace daedalus::integrate
