// Polynomials through values and slopes at the ends of steps: the cubic of one step, and the quintic over it and the
// one before (dense_output.hpp).
#pragma once

#include "integrate/dense_output.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace daedalus::integrate {

struct StepEnd {
    double t;
    const double* x;
    const double* dx;
};

/// At one time θ = (time - begin)/h of a step of size h.
class StepCubic {
public:
    StepCubic(const StepEnd& begin, const StepEnd& end, double time)
        : begin_(begin), end_(end), h_(end.t - begin.t), theta_((time - begin.t) / h_), a_(theta_ * (theta_ - 1.0)) {}
    [[nodiscard]] double value(std::size_t k) const { return begin_.x[k] + theta_ * delta(k) + a_ * bend(k); }
    [[nodiscard]] double slope(std::size_t k) const {
        const double s0 = h_ * begin_.dx[k], s1 = h_ * end_.dx[k];
        return (delta(k) + (2.0 * theta_ - 1.0) * bend(k) + a_ * (-2.0 * delta(k) + s0 + s1)) / h_;
    }
    /// By how much curvature alone moves the cubic from a straight line, at most.
    [[nodiscard]] double curvature(std::size_t k) const {
        const double s0 = h_ * begin_.dx[k], s1 = h_ * end_.dx[k];
        return std::abs(a_) * std::max(std::abs(delta(k) - s0), std::abs(delta(k) - s1));
    }

private:
    [[nodiscard]] double delta(std::size_t k) const { return end_.x[k] - begin_.x[k]; }
    [[nodiscard]] double bend(std::size_t k) const {
        return (1.0 - 2.0 * theta_) * delta(k) + (theta_ - 1.0) * (h_ * begin_.dx[k]) + theta_ * (h_ * end_.dx[k]);
    }
    const StepEnd begin_, end_;
    const double h_, theta_, a_;
};

class StepQuintic {
public:
    /// Whether a step of size h behind one of size `before` bears it. At a tenfold step the weights of the three values
    /// have moduli that sum up to 155 (at a fivefold one to 21, at equal ones to 1), and magnify what the errors of the
    /// points differ by; they grow with the cube of the ratio. At a twentieth the older value has a weight of 2e-6: it
    /// tells nothing that the cubic does not.
    [[nodiscard]] static bool fits(double before, double h) {
        constexpr double shortest = 0.05, longest = 10.0;
        const double ratio = h / before;
        return ratio > shortest && ratio < longest;
    }
    StepQuintic(const StepEnd& older, const StepEnd& begin, const StepEnd& end, double time)
        : older_(older), begin_(begin), end_(end), w_(hermite_weights({older.t, begin.t, end.t}, time)) {}
    [[nodiscard]] double value(std::size_t k) const { return combined(w_.value_x, w_.value_dx, k); }
    [[nodiscard]] double slope(std::size_t k) const { return combined(w_.slope_x, w_.slope_dx, k); }

private:
    [[nodiscard]] double combined(const std::array<double, 3>& of_x, const std::array<double, 3>& of_dx,
                                  std::size_t k) const {
        return of_x[0] * older_.x[k] + of_x[1] * begin_.x[k] + of_x[2] * end_.x[k] + of_dx[0] * older_.dx[k] +
               of_dx[1] * begin_.dx[k] + of_dx[2] * end_.dx[k];
    }
    const StepEnd older_, begin_, end_;
    const HermiteWeights w_;
};

} // namespace daedalus::integrate
