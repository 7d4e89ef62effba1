// Newton's method, once for all methods, with the convergence monitor of stiff integrators.
//
// The equation solved per step is an object; Newton knows three things of it:
//     eq.residual()   evaluate at the current iterate; false: not finite (outside the domain)
//     eq.solve()      correction Δ from the (approximate, usually frozen) iteration matrix
//     eq.update()     apply Δ and return its weighted norm, in which 1 is the integrator's tolerance
// A frozen matrix gives linear convergence with a rate Θ that is measured; the iteration stops when the estimated
// remaining error Θ/(1-Θ) ‖Δ‖ is below κ, and gives up as soon as the rate predicts that the remaining iterations
// cannot get there (HW IV.8, (8.10)-(8.11); Brenan, Campbell & Petzold 1996, 5.2.2).
#pragma once

#include <limits>

namespace daedalus::nonlinear {

enum class NewtonStatus {
    converged,
    stagnated,  ///< no further progress because of round-off, at a level far below the tolerance: usable
    diverged,   ///< Θ ≥ 1
    too_slow,   ///< converges, but not within the iterations allowed
    not_finite, ///< a residual or a correction is NaN or infinite
};

struct NewtonOptions {
    int max_iterations = 7;
    double kappa = 0.03;           ///< wanted: remaining error ≤ kappa (in the weighted norm)
    double divergence_rate = 0.99; ///< Θ from which on the iteration is given up
    double stagnation_level = 0.1; ///< corrections that stay below this and no longer shrink count as round-off
    double first_eta = 1.0;        ///< Θ/(1-Θ) assumed while nothing is known about the rate
    double smallest_eta = 1e-3;    ///< a remembered Θ/(1-Θ) is not trusted below this: rates change with the solution
};

struct NewtonResult {
    NewtonStatus status = NewtonStatus::converged;
    int iterations = 0;
    double rate = 0.0;      ///< Θ, the last estimate; 0 if only one iteration was made
    double predicted = 0.0; ///< predicted remaining error / kappa when given up as too slow
    double last_norm = 0.0; ///< ‖Δ‖ of the last correction
    [[nodiscard]] bool usable() const { return status == NewtonStatus::converged || status == NewtonStatus::stagnated; }
};

/// Judges a sequence of correction norms. Remembers Θ/(1-Θ) between solves with the same matrix.
class ConvergenceMonitor {
public:
    enum class Verdict { iterate, stop };

    /// The iteration matrix changed: what is known about the rate is void.
    void forget_rate() { eta_ = unknown; }
    /// `roundoff_norm`: weighted size of a change of the iterate that is only round-off.
    void begin(const NewtonOptions& options, double roundoff_norm);
    [[nodiscard]] Verdict observe(double norm);
    [[nodiscard]] Verdict not_finite();
    [[nodiscard]] const NewtonResult& result() const { return result_; }

private:
    static constexpr double unknown = -1.0;
    Verdict stop(NewtonStatus status);

    NewtonOptions options_;
    NewtonResult result_;
    double eta_ = unknown;
    double roundoff_norm_ = 0.0;
    double previous_norm_ = 0.0;
    double previous_ratio_ = 0.0;
};

template <class Equation>
NewtonResult newton(Equation& equation, ConvergenceMonitor& monitor, const NewtonOptions& options,
                    double roundoff_norm) {
    monitor.begin(options, roundoff_norm);
    for (;;) {
        if (!equation.residual()) {
            (void)monitor.not_finite();
            break;
        }
        equation.solve();
        if (monitor.observe(equation.update()) == ConvergenceMonitor::Verdict::stop) break;
    }
    return monitor.result();
}

} // namespace daedalus::nonlinear
