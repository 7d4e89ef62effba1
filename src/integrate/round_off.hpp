// What round-off does to the solution of one implicit step, component by component.
//
// Three things disturb F = 0. Its evaluation rounds: the errors are measured, as what F(x + δ) - 2 F(x) + F(x - δ) is
// made of for a perturbation δ of random signs and a thousand roundings of x (and of t). A bound from the sizes of its
// terms would be far too large where several equations share a product, as those of reactions do. The time at the end
// of a step is rounded. And x' = σ x + … inherits the roundings of x. With all of them as r, no iteration gets x closer
// to the solution than z = A⁻¹ r, A = ∂F/∂x + σ ∂F/∂x'. Where stiff springs carry small masses z is far larger than ε
// |x|: an acceleration that is known to seven digits only cannot be tested to nine, and differences of such values are
// noise. The larger of recent measurements counts, since one draw may cancel by accident.
#pragma once

#include "integrate/iteration_matrix.hpp"

#include <span>
#include <vector>

namespace daedalus::integrate {

class RoundOff {
public:
    explicit RoundOff(std::size_t n) : level_(n), r_(n), residual_(n), delta_(n), x_(n), dx_(n) {}
    /// Forgets the measurements so far: another point, other equations.
    void reset();
    /// Measures F's errors after an evaluation of the Jacobian at (t, x, x'), where F is `base`. Two residuals.
    void measure(double t, const double* x, const double* dx, const double* base, const JacobianValues& jacobian,
                 double shift, Counters& counters);
    /// What takes more than ten of sixteen digits is, for a step, no longer round-off but a singular point.
    static constexpr double most_of_steps = 1e-6;
    /// After each factorisation of `matrix` = J + σ M. One solve. Levels are at most this share of an unknown.
    void estimate(const JacobianValues& jacobian, double shift, const double* x, ShiftedMatrix<double>& matrix,
                  Counters& counters, double most = most_of_steps);
    /// Whether it reaches a share of the tolerance 1/weight in any component, of any party.
    [[nodiscard]] bool relevant(std::span<const double> weights, double share, const problem::Collective& others) const;
    /// Absolute, one per unknown; zero before the first estimate.
    [[nodiscard]] std::span<const double> level() const { return level_; }

private:
    [[nodiscard]] double sign();
    /// F at share · δ from the point.
    [[nodiscard]] bool evaluate(double t, const double* x, const double* dx, double share, double shift,
                                const JacobianValues& jacobian, std::vector<double>& r, Counters& counters);

    std::vector<double> level_, r_;
    std::vector<double> residual_; ///< errors of F as measured
    std::vector<double> delta_;    ///< perturbation of x
    std::vector<double> x_, dx_;
    unsigned random_ = 0x9e3779b9U;
};

} // namespace daedalus::integrate
