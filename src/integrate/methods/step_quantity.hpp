// The differentiated quantity q = Q(t, x) (problem/differentiated_quantity.hpp) at the ends of the steps of a one-step
// method, and what a step by differences of q leaves to do: x'.
//
// A step that solves G(t, x, x', q') = 0 has q' as exact as q, but x' only as the slope of a polynomial through values
// of x, of the order of the stages. What interpolates and looks on needs x' with F(t, x, x') = G(t, x, x', Q_t + Q_x
// x') = 0. With errors ε of x', F = M ε, and
//     (J + σ M) δ = F ,   x' -= σ δ     leaves   (J + σ M)⁻¹ J ε ,
// smaller by h times what J is to M; what is stiff has its x' from the equations as they are.
#pragma once

#include "integrate/error_norm.hpp"
#include "integrate/frozen_quantity.hpp"
#include "integrate/iteration_matrix.hpp"

#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace daedalus::integrate {

class StepQuantity {
public:
    explicit StepQuantity(const problem::ImplicitProblem& problem)
        : problem_(&problem), size_(static_cast<std::size_t>(problem.quantity().size)), value(size_), slope(size_),
          new_value(size_), new_slope(size_), frozen(problem) {}

    [[nodiscard]] bool present() const { return size_ > 0; }
    [[nodiscard]] std::size_t size() const { return size_; }
    /// q' for what asks for it where there is one.
    [[nodiscard]] const double* slope_here() const { return present() ? slope.data() : nullptr; }
    [[nodiscard]] const double* slope_there() const { return present() ? new_slope.data() : nullptr; }

    /// At the beginning of a step; false: without a value.
    bool begin(double t, const double* x, const double* dx) {
        if (!present()) return true;
        return problem_->quantity_value(t, x, value.data()) == problem::EvalStatus::ok &&
               problem_->quantity_slope(t, x, dx, slope.data()) == problem::EvalStatus::ok;
    }
    /// The same where it leads.
    bool end(double t, const double* x, const double* dx) {
        return problem_->quantity_value(t, x, new_value.data()) == problem::EvalStatus::ok &&
               problem_->quantity_slope(t, x, dx, new_slope.data()) == problem::EvalStatus::ok;
    }
    void advance() {
        std::swap(value, new_value);
        std::swap(slope, new_slope);
    }

private:
    const problem::ImplicitProblem* problem_;
    std::size_t size_;

public:
    std::vector<double> value, slope;         ///< q and q' where the step begins …
    std::vector<double> new_value, new_slope; ///< … and where it leads
    FrozenQuantity frozen;                    ///< of the Jacobian
};

/// x' at a point that G holds at, from values nearby; `matrix`: J + σ M of the step, `work`: of n numbers.
inline void find_slopes_of_unknowns(const problem::ImplicitProblem& problem, double t, const double* x, double* dx,
                                    double shift, ShiftedMatrix<double>& matrix, const ErrorNorm& norm,
                                    std::vector<double>& work, Counters& counters) {
    // A correction that moves x over a step by less than Newton's iteration leaves (κ of BDF) ends it. Slopes of
    // stages of low order need several: residuals of F at the steps were 700 times what the tolerance explains by
    // ESDIRK methods of order 5 after two. Where corrections do not shrink the component is stiff.
    constexpr int most = 6;
    constexpr double unseen = 0.02, shrinking = 0.5;
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0; k < most; ++k) {
        ++counters.residuals;
        if (problem.residual(t, x, dx, work.data()) != problem::EvalStatus::ok) return;
        matrix.solve(work, counters);
        const double size = norm(work.data());
        if (!std::isfinite(size) || (k > 1 && size > shrinking * last)) return;
        last = size;
        for (std::size_t i = 0; i < work.size(); ++i) dx[i] -= shift * work[i];
        if (size < unseen) return;
    }
}

} // namespace daedalus::integrate
