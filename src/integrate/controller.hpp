// Step size control of one-step methods: from error norms (1 = at tolerance) and failures to the factor h_new / h. A
// method reports what happened to a step and asks; all formulas and their constants stand here.
//
//   elementary       safety ε^(-1/q)                                          HW (8.21)
//   predictive       min( elementary, safety (h_n/h_{n-1}) (ε_{n-1}/ε_n²)^(1/q) )  Gustafsson 1994; HW (8.25)
// where q is the order of the error estimate plus one.
//
// Estimates near round-off do not become smaller with the step. Accepted steps would shrink without end then: what
// varies by chance makes steps smaller where it is large, and not larger where it is small, since a slightly larger
// step is not worth a factorisation. So a step that has crept to half its size without a refusal, while its error did
// not even fall with half the order of the estimate, keeps its size. Where the solution itself asks for smaller steps a
// refusal says so.
#pragma once

#include "integrate/stepper.hpp"

namespace daedalus::integrate {

struct ControllerLimits {
    double safety = 0.9; ///< HNW II.4 (4.13), as are the usual ranges of the two below
    double shrink = 0.2; ///< smallest factor
    double grow = 8.0;   ///< largest factor
};

/// safety ε^(-1/q), without limits.
[[nodiscard]] double elementary_factor(double error, double q, double safety = 0.9);

class PredictiveController {
public:
    explicit PredictiveController(double exponent_order, ControllerLimits limits = {})
        : q_(exponent_order), limits_(limits) {}
    void reset() {
        previous_step_ = reference_step_ = 0.0;
        refused_ = false;
    }

    /// The equations of the step were not solved.
    [[nodiscard]] double after_failure(StepStatus status);
    /// Newton's iteration converges, but would leave `excess` times what is wanted after the `left` iterations that it
    /// may still make: the factor for which they would just suffice (HW IV.8).
    [[nodiscard]] double after_slow_newton(double excess, int left);
    /// Something is wrong that has no size to go by.
    [[nodiscard]] double halve();
    /// The error is too large. `effort` < 1 lowers the safety for a costly Newton iteration (HW (8.21)).
    [[nodiscard]] double after_error(double error, double effort = 1.0);
    /// … of the very first step, whose size was guessed.
    [[nodiscard]] double after_first_error();
    /// The next step if this one, of size h, is accepted: no longer than it if it was refused at a larger size.
    [[nodiscard]] double after_success(double h, double error, double effort = 1.0) const;
    /// A slightly larger step is not worth a factorisation.
    [[nodiscard]] static double worth_a_factorisation(double factor);
    /// The step of size h was accepted.
    void accept(double h, double error);

    /// The two formulas, within the limits.
    [[nodiscard]] double elementary(double error, double effort = 1.0) const;
    [[nodiscard]] double predict(double h, double error, double effort = 1.0) const;

private:
    [[nodiscard]] bool creeps(double h, double error) const;

    double q_;
    ControllerLimits limits_;
    double previous_step_ = 0.0;
    double previous_error_ = 1.0;
    double reference_step_ = 0.0; ///< the largest since the last refusal, with its error and the steps behind it
    double reference_error_ = 1.0;
    int since_reference_ = 0;
    bool refused_ = false; ///< since the last accepted step
};

} // namespace daedalus::integrate
